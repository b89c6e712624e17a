"""Plain text and Markdown → lines."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from itertools import pairwise

from antinomy.errors import DocumentError
from antinomy.parse.content import Content, reader, stated_title
from antinomy.parse.line_numbers import counted
from antinomy.parse.model import COLUMN, Line, OutlineEntry
from antinomy.parse.ordinals import places
from antinomy.parse.page_breaks import page_breaks
from antinomy.parse.readers.decoding import CONTROL, decode
from antinomy.parse.readers.markdown import is_markdown, printed_lines, take
from antinomy.parse.readers.printing_office import with_signs
from antinomy.parse.readers.text_tables import with_table_rows
from antinomy.text.typography import RAISE, RAISED_DIGITS

_XML = re.compile(rb"\s*<(?:\?xml|[\w:.-]{1,60}\s[^<>]{0,3000}\bxmlns[:=])")
_NOTE = re.compile(r"\[\^(\d{1,4})\]:?")
#: A gap between two columns.
_APART = re.compile(r"(?<=\S)(?: {3,}|\t+ *)(?=\S)")
#: What a Markdown file states about itself before its text: "title: Lamps".
_STATED = re.compile(r"([A-Za-z][\w -]{0,40}):(?:\s+(.*))?")
_MOST_STATED = 60
#: The links of a menu that is printed as one line.
_MENU = re.compile(r"[^|>›»]{1,80}(?: [>›»] [^|>›»]{1,80}){2,12}|[^|>›»\d]{1,30}(?: \| [^|>›»\d]{1,30}){2,12}")
#: The links beside one another above and below the text of a page.
_LINKS = re.compile(
    r"(?:(?:previous|next|(?:back to )?top|home|print|search|help|share|save|(?:table of )?contents)"
    r"(?: ?[|\t][|\t ]*|$)){2,}",
    re.IGNORECASE,
)
#: The first words of a page, for those who hear it read; the site's name stands below them.
_SKIP = re.compile(r"(?:skip|jump) to (?:the )?(?:main )?(?:content|navigation|text)", re.IGNORECASE)
#: What a program that reads a PDF prints itself: the name of the file, and where an image is.
_OF_PDF = re.compile(r"# \S{1,200}\.pdf\s*|<image: [^<>]{1,200}>\s*", re.IGNORECASE)
#: The number of a provision.
_ALONE = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}\.?")
#: A program that converts a page counts the items of its lists, before their own numbers: "2. 6.2 Oil", "2. b)Oil".
_COUNTED = re.compile(r"(\s*)(\d{1,3})\.\s+(?P<own>(?:(?:\d{1,3}\.)+(\d{1,3})|([a-z]{1,4})\))\.?)(?!\d)\s*(?=\S)")
#: The number of a line in the margin of a bill.
_LINE_NUMBER = re.compile(r"\s*(\d{1,5})(?:\s|$)")
#: It ends a page as this mark does.
_FORM_FEED = "\n[[page -]]\n"
_ENDED = re.compile(rf"[.;:!?|][\"”’){RAISED_DIGITS}]*\s*$")
#: A word within a sentence, and no letter of a list.
_WORD = re.compile(r"(?:[a-z]{2,}|a)\b(?![.)])")
#: So many lines, and such a share of them, begin behind a blank line within a sentence where each is set apart. The
#: line before is a full one: of a term that no stop ends, and another below it, the first is not.
_FEW, _SET_APART, _FULL, _WIDEST = 3, 0.15, 0.7, 130
#: The notes of a page have no more lines.
_MOST_BELOW = 60
#: A number in front of a note, and how far beyond the last one found it may be.
_NUMBERED, _MOST_UNSEEN = re.compile(r"\s*(?:<sup>)?(\d{1,3})(?:</sup>)?(?:\s+(?![a-z\s])|(?=[A-Z][a-z]))"), 5
_LONE, _BELOW = re.compile(r"\d{1,3}"), re.compile(r" {1,4}[A-Z“\"]")
#: Of a file that is no text, one byte in nine is a control character.
_CONTROLS = 0.05


def _is_text(head: bytes) -> bool:
    """Text has next to no control characters (``decode`` names the one that it has), is mostly UTF-8 or ASCII, and
    does not say that it is XML.
    """
    if _XML.match(head.removeprefix(codecs.BOM_UTF8)):
        return False
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    if len(CONTROL.findall(head)) > max(1, _CONTROLS * len(head)):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return sum(byte < 0x80 for byte in head) > 0.85 * len(head)
    return True


@reader("text/plain", sniff=_is_text)
def read_text(data: bytes) -> Content:
    """Read plain text or Markdown.

    A line's ``y`` falls by one from line to line, blank ones counted, so that a blank line is a gap; ``x`` is
    its indentation, ``stops`` are gaps of three blanks and more. Markdown headings are bold lines and bookmarks;
    emphasis signs go, links are read as their words, and ``lead`` tells what stood between signs at a line's
    beginning; a footnote mark ``[^1]`` comes as ``(¹)``, as it does from a PDF. The title that Markdown states in
    front is the document's.

    Raises:
        DocumentError: if it is blank or no text, see ``decode``.
    """
    whole, warnings = decode(data)
    printed = re.split(r"\r\n?|\n|\x85|\u2028|\u2029", whole.replace("\f", _FORM_FEED))
    printed = _without_line_numbers([raw for raw in printed if not _OF_PDF.fullmatch(raw)])
    printed = _without_breaks(printed)
    marked = is_markdown(printed)
    printed = _with_titles(_without_counts(printed))
    title = ""
    if marked:
        title, printed = _front_matter(printed)
        printed = printed_lines(printed)
    printed = _without_menus(printed)
    if not marked:
        printed = with_table_rows(with_signs(printed))
    lines: list[Line] = []
    outline: list[OutlineEntry] = []
    row = 0
    headed = False
    for raw in printed:
        row += 1
        text = " ".join(raw.split())
        if text in ("", "."):
            continue
        wide = raw.expandtabs(4)
        indent = len(wide) - len(wide.lstrip())
        level = lead = 0
        if marked:
            text, level, lead = take(text)
        if level or headed:
            # A heading stands apart even where no line is left blank beside it.
            row += 1
        headed = level > 0
        if headed:
            outline.append(OutlineEntry(text, level - 1, y=float(-row)))
        text = _NOTE.sub(lambda mark: f"({mark[1].translate(RAISE)})", text)
        stops = () if marked else _stops(wide)
        # In Markdown the left edge, too, says what a line belongs to; in other texts 0 is an edge that is unknown.
        x = COLUMN * (indent + marked)
        if lines and row + lines[-1].y == 1 and text[:1].isupper() and _ALONE.fullmatch(lines[-1].text):
            # The number of what this line begins stands on a line of its own.
            number = lines.pop()
            text, x, stops = f"{number.text} {text}", number.x, ()
        lines.append(Line(text, x=x, y=float(-row), bold=headed, stops=stops, lead=lead))
    if not lines:
        raise DocumentError("this text is blank; download it again")
    return Content(lines=lines, outline=outline, warnings=warnings, title=stated_title(title))


def _without_line_numbers(printed: list[str]) -> list[str]:
    """Take off the numbers that count the lines: nearly all have one, and many part a sentence."""
    found = {at: number for at, raw in enumerate(printed) if (number := _LINE_NUMBER.match(raw))}
    count = counted((at, int(number[1])) for at, number in found.items())
    inside = sum(printed[at][found[at].end() :].lstrip()[:1].islower() for at in count)
    if 5 * len(count) < 4 * sum(map(bool, map(str.strip, printed))) or 4 * inside < len(count):
        return printed
    return [raw[found[at].end() :] if at in count else raw for at, raw in enumerate(printed)]


def _front_matter(printed: Sequence[str]) -> tuple[str, list[str]]:
    """Take off what stands between two lines of dashes at the beginning: the title stated there, and the rest."""
    first = next((at for at, raw in enumerate(printed) if raw.strip()), 0)
    if printed[first].strip() != "---":
        return "", list(printed)
    for at in range(first + 1, min(len(printed), first + _MOST_STATED)):
        text = printed[at].strip()
        if text == "---":
            stated = [found for raw in printed[first:at] if (found := _STATED.match(raw))]
            title = next((found[2] or "" for found in stated if found[1].lower() == "title"), "")
            # More may be stated in a further block.
            further, rest = _front_matter(printed[at + 1 :])
            return title.strip(" \"'") or further, rest
        # A value may stand on the line below its name.
        stands = _STATED.match(text) or text.startswith(("- ", "#")) or printed[at - 1].rstrip().endswith(":")
        if text and not (stands or printed[at][0] == " "):
            break
    return "", list(printed)


def _without_menus(printed: Sequence[str]) -> list[str]:
    """Leave out the links of a web page, and the head and menus that a text copied from it begins with.

    These are blocks like "Skip to content", with the site's name below, or "Home > Laws > Part 9".
    """
    kept = ["" if _LINKS.fullmatch(raw.strip()) else raw for raw in printed]
    while kept:
        end = next((at for at, raw in enumerate(kept) if at and raw.strip() and not kept[at - 1].strip()), len(kept))
        block = " ".join(" ".join(kept[:end]).split())
        if end == len(kept) or (block and not _SKIP.match(block) and not _MENU.fullmatch(block)):
            break
        del kept[:end]
    return kept


def _without_counts(printed: Sequence[str]) -> list[str]:
    """Leave out the counts in front of the numbers that items have themselves, if these are the same several times."""
    matches = [
        found
        if (found := _COUNTED.match(raw)) and any(place == int(found[2]) for _, place in places(found[4] or found[5]))
        else None
        for raw in printed
    ]
    # "1. a)" may be the first point of paragraph 1.
    if sum(found is not None and int(found[2]) > 1 for found in matches) < _FEW:
        return list(printed)
    return [
        f"{found[1]}{found['own']} {raw[found.end() :]}" if found else raw
        for raw, found in zip(printed, matches, strict=True)
    ]


def _with_titles(printed: Sequence[str]) -> list[str]:
    """Print the numbers of parts that stand alone, "4", before the titles below them if 4.1 follows these."""
    kept = list(printed)
    filled = [at for at, raw in enumerate(printed) if raw.strip()]
    for number, title, first in zip(filled, filled[1:], filled[2:], strict=False):
        own, words = kept[number].strip(), kept[title].strip()
        below = kept[first].lstrip().removeprefix(f"{own.rstrip('.')}.1")
        if _ALONE.fullmatch(own) and words[:1].isupper() and below != kept[first].lstrip() and not below[:1].isdigit():
            kept[number], kept[title] = "", f"{own} {words}"
    return kept


def _without_breaks(printed: Sequence[str]) -> list[str]:
    """Leave out what stands where a page ended, and the blank lines beside it within a sentence; put notes last."""
    breaks = page_breaks([" ".join(raw.split()) for raw in printed])
    kept: list[str] = []
    notes: list[str] = []
    first = number = 0
    broken = False
    for at, raw in enumerate(printed):
        if at in breaks:
            if not broken:
                kept[first:], below, number = _notes_apart(kept[first:], number)
                notes += below
            while kept and not kept[-1].strip():
                kept.pop()
            broken = True
        elif raw.strip() or not broken:
            if broken and kept and _ENDED.search(kept[-1]):
                kept.append("")
            if broken:
                first = len(kept)
            broken = False
            kept.append(raw)
    return _closed_up(kept) + notes


def _closed_up(printed: Sequence[str]) -> list[str]:
    """Leave out the blank line behind each line of a text whose sentences go on behind blank lines as a rule.

    So some programs write a PDF that is printed with wide spacing. Where more than one line is blank, one stays.
    Others set only the first line of each paragraph apart; there only the blank lines within sentences go.
    """
    lines = [raw.strip() for raw in printed if raw.strip()]
    width = sorted(map(len, lines))[len(lines) * 9 // 10] if lines else 0
    within, last = set[int](), ""
    for at, (above, raw) in enumerate(pairwise(map(str.strip, printed))):
        last = above or last
        full = _FULL * width < len(last) <= _WIDEST
        if full and not above and _WORD.match(raw) and not _ENDED.search(last):
            within.add(at)
    if len(within) < max(_FEW, _SET_APART * len(lines)):
        return [raw for at, raw in enumerate(printed) if at not in within or len(within) < _FEW]
    return [raw for above, raw in pairwise(["", *printed]) if raw.strip() or not above.strip()]


def _notes_apart(page: Sequence[str], last: int) -> tuple[list[str], list[str], int]:
    """Tell the text of a page from the notes at its end, and raise the numbers of these in both.

    The number of a note may stand on a line of its own above its words.

    Args:
        page: its lines.
        last: number of the last note on the pages before. The next note has a greater number, which also stands right
            behind a word of the page; so has each block below it, and these are counted.

    Returns:
        The text; the notes, with a blank line before each; and the number of the last one.
    """
    page = _with_lone_numbers(page)
    for start in range(max(0, len(page) - _MOST_BELOW), len(page)):
        text, notes, number = list(page[:start]), list[str](), last
        for before, raw in pairwise(["", *page[start:]] if not start else page[start - 1 :]):
            begun = _NUMBERED.match(raw)
            step = int(begun[1]) - number if begun else 0
            if begun and step in range(1, 2 if notes else _MOST_UNSEEN) and _raise_mark(text, begun[1]):
                number += step
                notes += ["", f"{begun[1].translate(RAISE)} {raw[begun.end() :].strip()}"]
            elif raw.strip() and notes and before.strip():
                notes.append(raw)
            elif raw.strip():
                break
        else:
            return text, notes, number
    return list(page), [], last


def _with_lone_numbers(page: Sequence[str]) -> list[str]:
    """Print a note's number that stands alone before its words, which are indented below it."""
    kept = list(page)
    for at in range(max(0, len(page) - _MOST_BELOW), len(page) - 1):
        if _LONE.fullmatch(page[at]) and _BELOW.match(page[at + 1]):
            kept[at], kept[at + 1] = "", f"{page[at].strip()} {page[at + 1].strip()}"
    return kept


def _raise_mark(text: list[str], number: str) -> bool:
    """Raise a number that is glued to a word in some lines, "liquidity.1"; tell whether it was found."""
    glued = re.compile(rf"(?:(?<=[a-z]{{3}})|(?<=[a-z][.,;:)”\"’])|(?<=[A-Z]\))|(?<=\d\.)(?=\d+$)){number}(?![\w-])")
    if any(f"<sup>{number}</sup>" in raw for raw in text):
        return True
    for at, raw in enumerate(text):
        if found := glued.search(raw):
            text[at] = raw[: found.start()] + number.translate(RAISE) + raw[found.end() :]
            return True
    return False


def _stops(wide: str) -> tuple[tuple[int, float], ...]:
    """Return where columns begin within a line: (offset in the folded text, left edge)."""
    return tuple((len(" ".join(wide[: gap.end()].split())) + 1, COLUMN * gap.end()) for gap in _APART.finditer(wide))
