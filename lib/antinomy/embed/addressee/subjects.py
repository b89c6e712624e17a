"""Who acts in a sentence: the classes of parties by the names of their subjects."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from antinomy.embed.addressee import patterns

#: Number of characters before a verb that are searched for its subject: a hostile text costs no more than a long one.
LONGEST_SUBJECT = 1000


@lru_cache(maxsize=1)
def load_words() -> dict[str, Any]:
    """Return the groups of ``words.yaml``."""
    raw = resources.files("antinomy.embed.addressee").joinpath("words.yaml").read_text("utf-8")
    words: dict[str, Any] = yaml.safe_load(raw)
    words["parties"]["firm"] += words["parts"]
    return words


@lru_cache(maxsize=1)
def _parties_by_name() -> dict[str, str]:
    return {name: party for party, names in load_words()["parties"].items() for name in names}


@lru_cache(maxsize=1)
def heads_of_firms() -> frozenset[str]:
    """Return the last words of names that only firms have."""
    heads = {name.split()[-1] for name in load_words()["parties"]["firm"]} - set(load_words()["parts"])
    return frozenset(heads | {f"{head}s" for head in heads})


@lru_cache(maxsize=1)
def _subject_pattern() -> re.Pattern[str]:
    """Return the pattern of a party's name at the beginning of a subject; up to four words may precede its head."""
    plain = _plain_names()
    named = "|".join(load_words()["named"])
    return re.compile(
        rf"(?i:{patterns.LEADING})(?:(?P<named>{named})\b"
        rf"|(?i:(?P<plain>(?:(?!(?:of|in|by|for|to|with|under|including)\s)[\w-]+\s+){{0,4}}?(?:{plain})\b(?:\s+(?:{plain})\b)*)))"
    )


@lru_cache(maxsize=1)
def _end_pattern() -> re.Pattern[str]:
    """Return the pattern of a party's name with an article, at the end of the words before a verb."""
    return re.compile(
        r"(?i)\b(?P<before>[\w-]+) (?:the|an?|each|every|any) "
        rf"(?P<plain>(?:[\w-]+ ){{0,2}}?(?:{_plain_names()}))\s*$"
    )


def _plain_names() -> str:
    """Return the alternatives of a pattern for the names of parties, longer ones of a class first."""
    return "|".join(
        rf"{re.escape(name)}(?:s|es)?"
        for phrases in load_words()["parties"].values()
        for name in sorted(phrases, key=len, reverse=True)
    )


def party_that_must(sentence: str) -> str:
    """Return "firm" if the subject at the beginning of a sentence is one, or somebody to whom a firm owes something."""
    condition = patterns.IT_MUST.match(sentence)
    sentence = condition["who"] if condition else patterns.BETWEEN.sub("", sentence, count=1)
    if (verb := patterns.ENTITLES.search(sentence)) and patterns.ENTITLED.match(sentence[: verb.start()]):
        return "firm"
    subject = _subject_pattern().match(sentence)
    return "firm" if subject and subject["plain"] and _party_at_end(subject["plain"].lower()) == "firm" else ""


def party_in_present(sentence: str) -> str:
    """Return the party that does something in a sentence of the present tense, "" if none is named."""
    for match in _subject_pattern().finditer(sentence[:LONGEST_SUBJECT]):
        if match["opens"] is None or match["named"]:
            continue
        several = match["plain"].lower().endswith("s")
        if (patterns.THEY_ACT if several else patterns.ONE_ACTS).match(sentence, match.end()):
            return _party_at_end(match["plain"].lower())
    return ""


def party_before_verb(before: str, owner: str) -> str:
    """Return the party that the words before a verb name as its subject: the last that begins a clause, "" if none."""
    matches = list(_subject_pattern().finditer(before))
    if not matches:
        return _party_at_end_of_clause(before)
    # "officials and other persons shall": what follows a comma begins a clause sooner than what follows "and".
    match = next((m for m in reversed(matches) if m["opens"] is not None), matches[-1])
    if match["named"]:
        return "authority"
    if patterns.PAY.search(before[: match.end()]) or patterns.PAID.search(before, match.start()):
        return ""
    phrase = match["plain"].lower()
    return owner if patterns.ANYBODYS.search(phrase) else _party_at_end(phrase)


def _party_at_end_of_clause(before: str) -> str:
    """Return the party right before a verb, though no comma parts it off: "in promoting safety the bank must"."""
    end = _end_pattern().search(before)
    if not end or patterns.NO_HEAD.fullmatch(end["before"]):
        return ""
    return _party_at_end(end["plain"].lower())


def _party_at_end(phrase: str) -> str:
    """Return the class of the longest party's name that a phrase ends with."""
    words = phrase.split()
    for start in range(len(words)):
        name = " ".join(words[start:])
        for form in (name, name.removesuffix("s"), name.removesuffix("es")):
            if form in _parties_by_name():
                return _parties_by_name()[form]
    return ""
