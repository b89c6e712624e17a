"""What a reader hands to a grammar, and the two registries through which both plug in.

A reader turns bytes of one media type into ``Content``; a grammar turns ``Content`` into a tree. A new format
or a new outline is a module of its own that registers a function here when it is imported::

    @reader("application/x-mine", sniff=lambda head: head.startswith(b"MINE"))
    def read_mine(data: bytes) -> Content: ...

    @grammar("uk")
    def outline_uk(content: Content, source: Source) -> ParsedDocument: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from antinomy.parse.model import Line, OutlineEntry, ParsedDocument, Table
from antinomy.settings.source import Source

#: What programs write into a file's metadata for a title that nobody gave: the name of the file it was printed from.
_NO_TITLE = re.compile(
    r"microsoft word - .*|about:blank|https?://\S*|untitled\W*\d*|(?-i:[a-z0-9]+(?:[_-][a-z0-9]+)*)"
    r"|.*\.(?:docx?|dotx?|odt|rtf|txt|md|html?|xml|pdf|indd|qxd|fm|tmp)",
    re.IGNORECASE,
)


def stated_title(title: str) -> str:
    """Return the title that a file's metadata state, or "" for the name of a file.

    >>> stated_title("Lamps Act 2041"), stated_title("Microsoft Word - lamps_v3.docx"), stated_title("lamps-en")
    ('Lamps Act 2041', '', '')
    """
    title = " ".join(title.split())
    return "" if _NO_TITLE.fullmatch(title) else title


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of an act whose role the format itself states, or a grammar has recognised in lines.

    Attributes:
        type: a section type; ``text``, a block without a number; ``heading``, the heading of what was opened
            last; ``quote``, a block of the text of another act that the provision opened last quotes; ``beside``, a
            note between two paragraphs of a provision.
        number: the number as printed, "" if none.
        text: the piece's text, white space folded.
        level: of a point or item: 0 in the outermost list; of a text: 0 outside of all points, k within a
            point of level k - 1, and where the format does not say, -1 if labels may stand in it, -2 if it has none
            (``numbered.stated``); of a part of a law: its depth, as the format counts it.
        page: 1-based page on which it starts; 0 without pages.
        page_end: page on which it ends; 0 without pages.
        printed: the words that print its number ("Article 6"), for the account of words.
        heading: of a paragraph, point or note, or the caption of a table; "" if none, or if an atom of its own has it.
    """

    type: str
    number: str = ""
    text: str = ""
    level: int = 0
    page: int = 0
    page_end: int = 0
    printed: str = ""
    heading: str = ""


@dataclass(slots=True)
class Content:
    """What a reader found in a file.

    Attributes:
        lines: the body's lines in reading order, without running heads, feet and page numbers. Where there
            are atoms, these are the same text once more, found with no regard to its structure, for the
            account of words.
        outline: bookmarks; for Markdown its headings, each with the ``y`` of its line.
        pages: number of pages, 0 where the format has none.
        title: as the file's metadata give it, often useless.
        furniture: running heads, feet and page numbers that were taken out.
        atoms: the act's pieces where the format states their roles (EUR-Lex XHTML and XML).
        warnings: what a reader of the run should know.
        tables: finds the ruled tables of a PDF, whose words are among the lines; called by a grammar that wants them.
    """

    lines: list[Line] = field(default_factory=list)
    outline: list[OutlineEntry] = field(default_factory=list)
    pages: int = 0
    title: str = ""
    furniture: list[Line] = field(default_factory=list)
    atoms: list[Atom] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    tables: Callable[[], list[Table]] = list


Reader = Callable[[bytes], Content]
Grammar = Callable[[Content, Source], ParsedDocument]
Sniff = Callable[[bytes], object]

#: media type → (does this head of the file look like it, reader), asked in order of registration.
READERS: dict[str, tuple[Sniff, Reader]] = {}
#: name (a regime's or any other) → grammar.
GRAMMARS: dict[str, Grammar] = {}


def reader(media_type: str, sniff: Sniff) -> Callable[[Reader], Reader]:
    """Register a reader for a media type.

    Args:
        media_type: its name; a ``Source.media_type`` that equals it picks this reader without a look at the
            bytes.
        sniff: tells from the first 4,096 bytes of a file whether it is of this type.
    """

    def register(function: Reader) -> Reader:
        READERS[media_type] = (sniff, function)
        return function

    return register


def grammar(name: str) -> Callable[[Grammar], Grammar]:
    """Register an outline grammar under the name of a regime or one that ``Source.grammar`` can give."""

    def register(function: Grammar) -> Grammar:
        GRAMMARS[name] = function
        return function

    return register
