"""Resolves places as people name them ("Art. 11(4)", "section IV.B.2") to sections."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from antinomy.ask.corpus import Corpus

_TYPE = (
    r"articles?|arts?\.?|sections?|secs?\.?|§+|recitals?|chapters?|annex(?:es)?|appendix|appendices|parts?|titles?"
    r"|objectives?|paragraphs?|paras?\.?|subparts?|schedules?|rules?"
)
_NAMED = re.compile(rf"(?<!\w)(?P<type>{_TYPE})(?!\w)\s*", re.IGNORECASE)
#: A path of numbers without a word before it, such as II.D.1.
_BARE = re.compile(r"(?<![\w.])(?=[IVXLC]+\.)[IVXLC]+(?:\.[A-Z0-9]+)+(?![\w])")
_TOKEN = re.compile(r"[a-z0-9]+", re.IGNORECASE)
#: One step of a place: a number, letter or Roman number, in brackets or not, after words for its level.
_STEP = re.compile(
    r"(?:[\s,.]*(?:\band\b)?[\s,.]*(?:\b(?:points?|paragraphs?|subparagraphs?|letters?|items?|procedures?|objectives?)\b)?"
    r"\s*[(\[“\"]?\s*(?P<n>\d+[a-z]?|[ivxlc]+|[a-z])\s*[)\]”\"]?)(?![\w])",
    re.IGNORECASE,
)
_FILLER = frozenset({"point", "paragraph", "subparagraph", "procedure", "item", "letter", "the", "of", "objective"})
_CANONICAL = {
    "art": "article", "arts": "article", "articles": "article", "sec": "section", "secs": "section",
    "sections": "section", "§": "section", "§§": "section", "recitals": "recital", "chapters": "chapter",
    "annexes": "annex", "appendices": "appendix", "parts": "part", "titles": "title", "objectives": "objective",
    "paragraphs": "paragraph", "para": "paragraph", "paras": "paragraph", "rules": "rule", "schedules": "schedule",
    "subparts": "subpart",
}  # fmt: skip


class NamedPlace(NamedTuple):
    """A place that a question names.

    Attributes:
        wording: in the question's words.
        start, end: where in the question.
        sections: that it may mean, none if there is no such place.
    """

    wording: str
    start: int
    end: int
    sections: tuple[str, ...]


class Places:
    """Finds places by their labels.

    Args:
        corpus: of the sections.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._by_key: dict[str, list[str]] = defaultdict(list)
        titles = {doc_id: str(row["title"] or "") for doc_id, row in corpus.documents.items()}
        for section in corpus.sections.values():
            label = section.label.removeprefix(titles[section.doc_id]).lstrip(" ,")
            key = _key(label)
            if key and section.type not in ("title", "preamble"):
                self._by_key[key].append(section.section_id)
            if section.type == "objective" and section.number:
                self._by_key[f"objective {section.number.lower()}"].append(section.section_id)

    def find(self, text: str) -> list[NamedPlace]:
        """Return the places that a text names, in its order; several numbers after one word are several places."""
        found: list[NamedPlace] = []
        for match in _NAMED.finditer(text):
            if found and match.start() < found[-1].end:
                continue
            kind = match["type"].lower().rstrip(".")
            kind = _CANONICAL.get(kind, kind)
            found += self._after(text, match.start(), match.end(), kind)
        for match in _BARE.finditer(text):
            if not any(one.start <= match.start() < one.end for one in found):
                found.append(self._named(text, match.start(), match.end(), _key(f"section {match[0]}")))
        return sorted(found, key=lambda one: one.start)

    def _after(self, text: str, start: int, at: int, kind: str) -> list[NamedPlace]:
        steps: list[tuple[str, int, bool]] = []
        end = at
        while step := _STEP.match(text, end):
            if not steps and not _numbers(step["n"]) and step["n"] != step["n"].upper():
                break  # "article a": a word, no number
            if len(step["n"]) > 1 and step["n"].isalpha() and not _numbers(step["n"]):
                break
            steps.append((step["n"].lower(), step.end(), text[end : end + 1] in "(["))
            end = step.end()
            if len(steps) == 6:
                break
        if not steps:
            # "The Annex" may have no number.
            return [self._named(text, start, at, kind)] if kind in self._by_key else []
        # The longest run of steps that is a place.
        for count in range(len(steps), 0, -1):
            if count < len(steps) and steps[count][2]:
                break  # "Article 9(7)" is not Article 9
            key = " ".join([kind, *(number for number, _, _ in steps[:count])])
            if key in self._by_key:
                return [self._named(text, start, steps[count - 1][1], key)]
        key = " ".join([kind, *(number for number, _, _ in steps)])
        return [self._named(text, start, steps[-1][1], key)]

    def _named(self, text: str, start: int, end: int, key: str) -> NamedPlace:
        return NamedPlace(text[start:end].strip(" ,."), start, end, tuple(self._by_key.get(key, ())))


def _numbers(word: str) -> bool:
    return bool(re.fullmatch(r"\d+[a-z]?|[IVXLC]+|[ivxlc]+", word))


def _key(label: str) -> str:
    words = [word.lower() for word in _TOKEN.findall(label.replace("§", " section "))]
    return " ".join(_CANONICAL.get(word, word) for word in words if word not in _FILLER)
