"""Reads the content words of a provision: stemmed, and looked up in the lexicon."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import Stemmer
import yaml

from antinomy.norms.model import Word
from antinomy.text.typography import PLAIN_MARKS

#: Weights of words that are common in finance and of words that name the firm itself.
COMMON_WEIGHT, FIRM_WEIGHT = 0.2, 0.1

_WORD = re.compile(r"[a-z][a-z'’]*(?:-[a-z]+)*")
_LONGEST_PHRASE = 5


#: Character → plain form; line ends stay, since they separate list items.
_FOLD = PLAIN_MARKS | str.maketrans(
    {
        **dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n"),
        **{c: " " for c in map(chr, range(0x110)) if c != "\n" and (c.isspace() or not c.isprintable())},
        **dict.fromkeys("\u2002\u2003\u2007\u2009\u200b\u202f\u3000\ufeff", " "),
    }
)


def fold(text: str) -> str:
    """Return the text in lower case with plain quotes, dashes and blanks; every character keeps its offset."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_FOLD)


@dataclass(frozen=True)
class Lexicon:
    """The lexicon. Keys are stems, or the stems of a phrase joined by blanks (``phrase_key``).

    Attributes:
        concepts: phrase → names of its groups of synonyms.
        actors: name (``name_key``) → class of addressee.
        charters: name → particular kind of firm.
        stop: function words, left out.
        light: stems with almost no weight.
        light_verbs: stems of verbs that do not name an action ("make").
        clock_events: groups that name events from which a period runs.
        firm_side: classes of addressee that count as the firm.
        antonym_sides: phrase → its places in the antonyms, as (antonym pair, side 0 or 1).
        first_quality: antonym pairs from this number on oppose qualities, those before it actions.
        starts: first words of the phrases of more than one word.
    """

    concepts: dict[str, frozenset[str]]
    actors: dict[str, str]
    charters: dict[str, str]
    stop: frozenset[str]
    light: frozenset[str]
    light_verbs: frozenset[str]
    firm_side: frozenset[str]
    clock_events: frozenset[str]
    antonym_sides: dict[str, frozenset[tuple[int, int]]]
    first_quality: int
    starts: frozenset[str]


_stemmer = Stemmer.Stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the Snowball stem of a lower-case word, of the base form if the word is irregular."""
    plain = word[:60].removesuffix("'s").strip("'")
    return str(_stemmer.stemWord(_irregular().get(plain, plain)))


_PLURALS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("xes", "x"), ("bodies", "body"))


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """Return a noun in the singular. Names of actors are not stemmed: "provider" and "provide" have the same stem."""
    plain = word[:60].removesuffix("'s").strip("'")
    for ending, replacement in _PLURALS:
        if plain.endswith(ending):
            return plain.removesuffix(ending) + replacement
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") and len(plain) > 3 else plain


def name_key(phrase: str) -> str:
    """Return the lookup key of an actor's name: its words in the singular."""
    return " ".join(singular(m.group()) for m in _WORD.finditer(fold(phrase)))


def phrase_key(phrase: str) -> str:
    """Return the lookup key of a phrase: its stems joined by blanks."""
    return " ".join(stem(m.group()) for m in _WORD.finditer(fold(phrase)))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    # Libyaml's loader is many times as fast; PyYAML has it on most platforms.
    safe_loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, Any] = safe_loader(raw_lexicon()).get_single_data()
    return data


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    return {str(form): str(base) for form, base in _data()["irregular"].items()}


def raw_lexicon() -> bytes:
    """Return the bytes of the lexicon's file."""
    return resources.files("antinomy.norms").joinpath("lexicon.yaml").read_bytes()


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the packaged lexicon."""
    data = _data()
    groups: dict[str, set[str]] = {}
    for name, phrases in data["concepts"].items():
        for phrase in phrases:
            groups.setdefault(phrase_key(phrase), set()).add(name)
    actors: dict[str, str] = {}
    for name, phrases in data["actors"].items():
        for phrase in phrases:
            actors.setdefault(name_key(phrase), name)
    charters = {name_key(p): name for name, phrases in data["charters"].items() for p in phrases}
    antonym_sides: dict[str, set[tuple[int, int]]] = {}
    antonyms = data["antonyms"]
    for opposition, sides in enumerate([*antonyms, *data["qualities"]]):
        for side, phrases in enumerate(sides):
            for phrase in phrases:
                antonym_sides.setdefault(phrase_key(phrase), set()).add((opposition, side))
                # Antonyms concern the same subject matter: keeping and deleting correspond.
                groups.setdefault(phrase_key(phrase), set()).add(f"opposites:{opposition}")
    keys = {*groups, *actors, *charters, *antonym_sides}
    return Lexicon(
        concepts={key: frozenset(names) for key, names in groups.items()},
        actors=actors,
        charters=charters,
        stop=frozenset(data["stop"]),
        light=frozenset(phrase_key(w) for w in data["light"]),
        light_verbs=frozenset(phrase_key(w) for w in data["light_verbs"]),
        firm_side=frozenset(data["firm_side"]),
        clock_events=frozenset(data["clock_events"]),
        antonym_sides={key: frozenset(ends) for key, ends in antonym_sides.items()},
        first_quality=len(antonyms),
        starts=frozenset(key.split(" ")[0] for key in keys if " " in key),
    )


def addressee_class(key: str) -> str | None:
    """Return the class of addressee that a name key stands for, None if it names no actor."""
    return lexicon().actors.get(key)


def read_words(folded: str, start: int, end: int) -> list[Word]:
    """Return the content words and phrases of ``folded[start:end]`` in order; the longest phrase wins."""
    lex = lexicon()
    tokens = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(folded, start, end)]
    stems = [stem(t[2]) for t in tokens]
    names = [singular(t[2]) for t in tokens]
    words: list[Word] = []
    i = 0
    while i < len(tokens):
        taken, key = 1, names[i] if names[i] in lex.actors else stems[i]
        if stems[i] in lex.starts or names[i] in lex.starts:
            for n in range(min(_LONGEST_PHRASE, len(tokens) - i), 1, -1):
                name, joined = " ".join(names[i : i + n]), " ".join(stems[i : i + n])
                if name in lex.actors or name in lex.charters:
                    taken, key = n, name
                    break
                if joined in lex.concepts or joined in lex.antonym_sides:
                    taken, key = n, joined
                    break
        if taken > 1 or tokens[i][2] not in lex.stop:
            words.append(_word(tokens[i][0], tokens[i + taken - 1][1], key, stems[i] if taken == 1 else key, lex))
        i += taken
    return words


def _word(start: int, end: int, key: str, base: str, lex: Lexicon) -> Word:
    """Make a word from its key; ``base`` is its stem, by which the name of an actor has other concepts too."""
    actor = lex.actors.get(key, "")
    concepts = lex.concepts.get(base, frozenset())
    if actor:
        concepts |= {"actor:" + actor}
    if actor == "firm":
        weight = FIRM_WEIGHT
    elif actor in lex.firm_side:
        weight = 0.4
    elif actor:
        weight = 0.6
    elif key in lex.light or (key.endswith("ly") and " " not in key):
        weight = COMMON_WEIGHT
    else:
        weight = 1.0
    return Word(start, end, key, concepts, weight, actor)
