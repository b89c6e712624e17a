"""Why the nearest provision of the other side is no counterpart: what the duty names and it does not."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from antinomy.embed.addressee.patterns import CUE
from antinomy.norms.model import Word
from antinomy.norms.words import fold, read_words

#: Words of at least this weight tell what a duty is about.
_TELLING = 0.6
#: So many missing matters are named at most; longest name of one, in characters.
_MOST, _LONGEST = 3, 40
#: Characters of a provision that are read.
_READ = 2000
#: Parties that a duty may bind or be owed to, in the words of a reason. Firms of all kinds are one class.
_PARTIES = {
    "authority": "an authority", "provider": "a service provider", "client": "clients", "auditor": "auditors",
    "board": "the board", "tester": "testers",
}  # fmt: skip
#: A provider is one of services if the words say so: an act on machines has providers of its own.
_SERVES = re.compile(
    r"\b(?:services?|third[- ]party|cloud|ict) (?:[\w-]+ ){0,2}?providers?\b"
    r"|\b(?:vendor|supplier|contractor)s?\b|\boutsourc",
    re.IGNORECASE,
)
#: Words of drafting, and of instructions to examiners: they tell nothing about the matter.
_FORMAL = re.compile(
    r"\d|^.{1,3}$|^(?:pursuant|prejudice|subparagraph|respective|basis|least|accordance|laid down|latter|former|thereof"
    r"|behalf|comprise|associat|relat|assess|determin|review|verif|describ|discuss|evaluat|examin|obtain|whether|upon"
    r"|overall|specif|ensur|intend|typical|general|carry|construe|entice|refer|include|provide|take|address"
    r"|(?:except|unless|until|otherwise|provided)$)"
)
#: A condition that the duty hangs on.
_TRIGGER = re.compile(
    r"(?:^|[.;,]\s)((?:upon|where|when|in the event of|following|within|before|prior to) [^,.;:\n]{8,70})",
    re.IGNORECASE,
)


def why(own: str, other: str) -> str:
    """Name what a provision demands and another does not speak of.

    Args:
        own: text of the provision.
        other: text of the one that comes nearest to it.

    Returns:
        Parties, matters and the condition of the first that the second does not name; "" if it names all.
    """
    mine, theirs = _words(own[:_READ]), _words(other[:_READ])
    there = {word.stem for word in theirs}
    concepts = {concept for word in theirs for concept in word.concepts}
    parties = {word.actor for word in theirs}
    absent = [
        word for word in mine if word.weight >= _TELLING and word.stem not in there and not word.concepts & concepts
    ]
    said: list[str] = []
    actors = dict.fromkeys(word.actor for word in mine if word.actor != "provider" or _SERVES.search(own))
    unnamed = [_PARTIES[actor] for actor in actors if actor in _PARTIES and actor not in parties]
    if unnamed:
        said.append(f"does not speak of {_listed(unnamed)}")
    if matters := _matters(own, absent):
        said.append(f"says nothing of {_listed([f'“{matter}”' for matter in matters])}")
    missing = {word.stem for word in absent}
    for found in _TRIGGER.finditer(own[:_READ]):
        words = [word for word in _words(found[1]) if word.weight >= _TELLING]
        if words and all(word.stem in missing for word in words):
            said.append(f"does not depend on “{found[1][0].lower()}{found[1][1:].strip()}”")
            break
    return f"it {_listed(said)}" if said else ""


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[Word, ...]:
    return tuple(read_words(fold(text), 0, len(text)))


def _matters(own: str, absent: list[Word]) -> list[str]:
    """Choose what is missing: words that stand next to each other make one matter; what comes after the verb first."""
    cue = CUE.search(own)
    verb = cue.end() if cue else 0
    runs: list[list[Word]] = []
    for word in absent:
        shown = own[word.start : word.end]
        if word.actor or _FORMAL.search(shown.lower()):
            continue
        if runs and own[runs[-1][-1].end : word.start] == " " and word.end - runs[-1][0].start <= _LONGEST:
            runs[-1].append(word)
        else:
            runs.append([word])
    # A text is about what it repeats.
    said = Counter(word.stem for word in absent)
    ordered = sorted(runs, key=lambda run: (run[0].start < verb, -max(said[word.stem] for word in run), run[0].start))
    named: dict[str, str] = {}
    for run in ordered:
        named.setdefault(run[0].stem, " ".join(own[run[0].start : run[-1].end].split()))
    return list(named.values())[:_MOST]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
