"""The tree that every outline grammar builds, and the account of the words that it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from antinomy import section_ids
from antinomy.parse.model import ParsedDocument, Section
from antinomy.text.typography import RAISED_DIGITS

_WORD = re.compile(r"\w+")
_MARK = re.compile(rf"\s*[\[(]\s*[{RAISED_DIGITS}]+\s*[\])]|[{RAISED_DIGITS}]+")


class Outline:
    """A tree of sections under construction, in reading order.

    ``close`` ends it; only then do the nodes hold all of their text.

    Attributes:
        sections: the nodes so far; every parent stands before its children.
        printed: words that print a number ("Article 6", "CHAPTER II"), for the account of words.
    """

    def __init__(self) -> None:
        """Start an empty tree."""
        self.sections: list[Section] = []
        self.printed: list[str] = []
        self._register = section_ids.Register()
        self._blocks: dict[str, list[str]] = {}

    def add(
        self,
        type: str,
        parent: Section | None = None,
        *,
        number: str = "",
        heading: str = "",
        label: str = "",
        text: str = "",
        term: str = "",
        name: str = "",
        running: bool = False,
        page: int = 0,
        page_end: int = 0,
        printed: str = "",
    ) -> Section:
        """Append a node and return it.

        Args:
            type: one of ``section_ids.ABBREVIATIONS``.
            parent: the node it belongs to; None for a root.
            number: the number as printed, with or without its outer punctuation.
            heading: its heading.
            label: how a lawyer cites it.
            text: its own text.
            term: the term that a definition defines.
            name: stands for the number in the eid where there is none (a slug of the heading, "2" for a
                second subparagraph).
            running: the numbering runs through the document, so the eid takes no prefix from the parent.
            page: page on which it starts, 0 without pages.
            page_end: page on which it ends, ``page`` if not given.
            printed: the words that printed its number, if more than the number itself.

        Returns:
            The node; its eid is the first free one, so a repeated number gets ``_2``.
        """
        last = section_ids.step(type, number or name)
        prefix = parent.eid if parent is not None and not running else ""
        section = Section(
            eid=self._register.claim(section_ids.join(prefix, last)),
            type=type,
            number=number.strip(" \t.,:;()[]"),
            heading=heading,
            label=label,
            text=text,
            parent_eid=parent.eid if parent is not None else "",
            depth=parent.depth + 1 if parent is not None else 0,
            position=len(self.sections),
            page_start=page,
            page_end=page_end or page,
            term=term,
        )
        self.printed.append(printed or number)
        self.sections.append(section)
        return section

    def extend(self, section: Section, text: str, page_end: int = 0) -> None:
        """Append a block to a node's own text, on a line of its own."""
        self._blocks.setdefault(section.eid, [section.text] if section.text else []).append(text)
        section.page_end = max(section.page_end, page_end)

    def close(self, body: Iterable[str], document: ParsedDocument) -> ParsedDocument:
        """Put the tree and its account of words into the document and return it.

        Args:
            body: the texts that the reader gave as body, in any cut.
            document: where they go; its other fields are the grammar's.
        """
        document.sections = self.sections
        for section in self.sections:
            if section.eid in self._blocks:
                section.text = "\n".join(self._blocks[section.eid])
        tree = [part for s in self.sections for part in (s.heading, s.text)]
        document.body_words, document.tree_words = account(body, [*self.printed, *tree])
        return document


def account(body: Iterable[str], tree: Iterable[str]) -> tuple[int, int]:
    """Count the body's words and how many of them the tree holds.

    Footnote marks (superscripts) count on neither side. A word counts as often as in the body, so that words repeated
    or added in the tree do not make up for lost ones.

    Returns:
        (words in the body, words of these that are in the tree).
    """
    wanted, held = (Counter(w for text in texts for w in words(text)) for texts in (body, tree))
    return wanted.total(), (wanted & held).total()


def words(text: str) -> list[str]:
    """Split a text into words, footnote marks and soft hyphens left out."""
    return _WORD.findall(_MARK.sub(" ", text).replace("\u00ad", ""))


def folded(text: str) -> str:
    """Return a text's letters and digits in lower case: what two prints of one heading have in common."""
    return re.sub(r"\W+", "", text).lower()


def without_marks(text: str) -> str:
    """Take footnote marks (superscript numbers, bracketed or bare) out of a text."""
    return _MARK.sub("", text)
