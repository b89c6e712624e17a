"""PDF → lines with position and style, without running heads, feet and page numbers.

pypdf gives the text in the order of the content stream with the matrix and font of each run; this module folds
the runs into lines. Each page is walked once.
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import Any

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError
from pypdf.generic import ContentStream, Destination, NameObject

from antinomy.errors import DocumentError, EnvironmentFault
from antinomy.parse.content import Content, reader, stated_title
from antinomy.parse.headers_footers import split_furniture
from antinomy.parse.labels import leading_labels
from antinomy.parse.line_numbers import without_line_numbers
from antinomy.parse.model import Line, OutlineEntry, Table
from antinomy.parse.readers.pdf_rules import Grid, fill, find_grids, find_rules, placed
from antinomy.parse.readers.rejoin_words import without_old_hyphens
from antinomy.text.typography import LIGATURES, RAISE

_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_EMPHASISED = re.compile(rf"{_BOLD.pattern}|ital|obli", re.IGNORECASE)
_MARK = re.compile(r"[\[(]?\d{1,3}[\])]?")
#: Widths of letters in a typical sans serif font, in sizes of type; a serif font is narrower.
_WIDTHS = {**dict.fromkeys(" iljtIfr.,;:'|!()[]-’‘", 0.3), **dict.fromkeys("mwMW", 0.8)}
_SERIF = re.compile(r"times|roman|serif|georgia|garamond|book", re.IGNORECASE)
#: The last is what reportlab writes for a bullet in the standard fonts.
_SPELLED_OUT = str.maketrans(LIGATURES | {"\x7f": "•"})
_SPACED = re.compile(r"^\S(?: \S){4,}$")
#: The beginning of a line that was printed four times over itself to look bold, after a bullet or none.
_OVERPRINTED = re.compile(r"([•–-]\s)?(.{3,120}?)\2{3}")
#: Lines of a page that can be printed; each may be compared with all before it.
_MOST_LINES = 1000

#: A run of text as pypdf's visitor gives it: text, x, y, size, font.
_Run = tuple[str, float, float, float, str]


@reader("application/pdf", sniff=lambda head: b"%PDF-" in head[:1024])
def read_pdf(data: bytes) -> Content:
    """Read a PDF's lines and bookmarks.

    Superscript numbers (footnote marks) come as Unicode superscripts, ``(¹)``, so that a grammar can tell
    them from the text. Text that is printed several times over itself to look bold comes once, as bold. Soft
    hyphens and hyphens at line ends are left for ``line_ends.join_lines``.

    Args:
        data: the file.

    Raises:
        DocumentError: if it is cut off, encrypted with a password, broken, or has no text layer.
    """
    if b"%%EOF" not in data[-2048:]:
        raise DocumentError("this PDF is cut off: its end-of-file mark is missing; download it again")
    try:
        pdf = pypdf.PdfReader(io.BytesIO(data))
        if pdf.is_encrypted and not pdf.decrypt(""):
            raise FileNotDecryptedError
        pages = [_page_lines(page, number) for number, page in enumerate(pdf.pages, start=1)]
        outline = _outline(pdf)
        title = stated_title(str(pdf.metadata.get("/Title", "")) if pdf.metadata else "")
    except DependencyError as error:
        raise EnvironmentFault(f"pypdf needs another package ({error}): pip install 'pypdf[crypto]'") from error
    except FileNotDecryptedError as error:
        raise DocumentError(
            "this PDF is encrypted with a password; save an unencrypted copy and point the source at it"
        ) from error
    except (MemoryError, RecursionError):  # a bound of parse, not a fault of the file
        raise
    except Exception as error:  # pypdf meets broken files with many kinds of error, none of them ours
        reason = f"this PDF is broken ({type(error).__name__}: {error}); download it again"
        raise DocumentError(reason) from error
    if not pages:
        raise DocumentError("this PDF has no pages; download it again")
    silent = [number for number, lines in enumerate(pages, start=1) if not lines]
    letters = sum(len(line.text) for lines in pages for line in lines)
    if letters < 20 * len(pages):
        raise DocumentError(
            f"this PDF has {len(pages)} page(s) but next to no text layer: it seems to be scanned; "
            "run it through OCR (for example ocrmypdf) and use the result"
        )
    warnings = [f"no text on page(s) {', '.join(map(str, silent))}"] if silent else []
    pages, counted = without_line_numbers(pages)
    body, furniture = split_furniture(pages)
    return Content(
        lines=without_old_hyphens(body), outline=outline, pages=len(pages), title=title, furniture=counted + furniture,
        warnings=warnings, tables=lambda: _tables(pdf),
    )  # fmt: skip


def _page_lines(page: pypdf.PageObject, number: int) -> list[Line]:
    """Return the page's lines in reading order."""
    if "/Contents" not in page:
        return []
    content = ContentStream(page["/Contents"], page.pdf, "bytes")
    content.operations = list(_flushed(content.operations))
    page[NameObject("/Contents")] = content
    lines: list[Line] = []
    for line in filter(None, (_line(line, number) for line in _runs(page) if line)):
        last = lines[-1] if lines else None
        if last and last.text == line.text and math.dist((last.x, last.y), (line.x, line.y)) < 2:
            # Printed over itself to look bold.
            lines[-1] = replace(last, bold=True)
        elif last and _is_raised(last, line):
            lines[-1] = replace(last, text=last.text + line.text.translate(RAISE))
        else:
            lines.append(line)
    return _in_reading_order(lines)


def _is_raised(line: Line, mark: Line) -> bool:
    """Tell whether the mark of a note that the file has as a line of its own stands behind a line's words."""
    reach = line.x + 0.75 * line.size * len(line.text)
    small = mark.size <= 0.8 * line.size and 0.1 * line.size < mark.y - line.y < 0.6 * line.size
    return small and line.x < mark.x <= reach and bool(_MARK.fullmatch(mark.text))


def _in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Put lines that a content stream has too late before those below them.

    Browsers draw what is placed by a position of its own after all the rest of a page. Columns stay as they are, and so
    does a page with more lines than print allows.
    """
    if len(lines) > _MOST_LINES:
        return list(lines)
    found: list[Line] = []
    at, before = 0, math.inf
    for line in lines:
        level = 0.5 * line.size
        first = 0 if line.y > before + level else at
        column = [k for k in range(first, len(found)) if _share_a_column(line, found[k])]
        last = max((k + 1 for k in column if found[k].y >= line.y - level), default=first)
        at = min([max(at, last), *(k for k in column if k >= last)])
        while _MARK.fullmatch(line.text) and not column and at < len(found) and found[at].y > line.y + level:
            # The number of a note, left of all lines, behind a head that came late, too.
            at += 1
        marks = leading_labels(line.text)
        if marks and marks[-1].end >= len(line.text):
            # A number on the left of its paragraph.
            first = at
            while first and found[first - 1].x > line.x and found[first - 1].y < line.y + level:
                first -= 1
                at = first if found[first].y > line.y - level else at
        found.insert(at, line)
        at, before = at + 1, line.y
    return found


def _share_a_column(one: Line, other: Line) -> bool:
    left, right = sorted((one, other), key=lambda line: line.x)
    start, x = left.stops[-1] if left.stops else (0, left.x)
    # Most letters are wider.
    return right.x <= x + 0.4 * left.size * (len(left.text) - start)


def _runs(page: pypdf.PageObject) -> list[list[_Run]]:
    """Return the runs of text of each line of a page."""
    runs: list[list[_Run]] = [[]]
    turn = _turn(page)

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if not text:
            return
        x, y = turn(
            tm[4] * cm[0] + tm[5] * cm[2] + cm[4],
            tm[4] * cm[1] + tm[5] * cm[3] + cm[5],
        )
        up = tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3]
        # pypdf may lose the scale of a page within text that is turned; this is never set larger than the rest.
        scale = math.hypot(*up) if abs(up[1]) >= abs(up[0]) else min(math.hypot(*up), 1.0)
        name = str(font.get("/BaseFont", "")) if font is not None else ""
        first, *rest = text.split("\n")
        line = runs[-1]
        if first.strip() and line and x < line[0][1] - size * scale and line[0][0].strip():
            # What stands at the height of another line, and left of it all, is a line of its own: a margin's number.
            runs.append([])
        if first:
            runs[-1].append((first, x, y, size * scale, name))
        for piece in rest:
            runs.append([(piece, x, y, size * scale, name)] if piece else [])

    page.extract_text(visitor_text=visit)
    return runs


def _tables(pdf: pypdf.PdfReader) -> list[Table]:
    """Return the ruled tables of all pages, whose text is walked once more for them."""
    found: list[Table] = []
    for number, page in enumerate(pdf.pages, start=1):
        content = page.get("/Contents")
        if not isinstance(content, ContentStream):
            continue
        grids = find_grids(find_rules(content.operations, _turn(page)))
        if not grids:
            continue
        content.operations = list(placed(content.operations))
        runs = _runs(page)
        for grid in grids:
            lines = [(cell, line) for cell, own in _by_cell(grid, runs) if (line := _line(own, number)) is not None]
            table = fill(grid, lines, number)
            if table is not None:
                found.append(table)
    return found


def _by_cell(grid: Grid, lines: Iterable[list[_Run]]) -> Iterator[tuple[tuple[int, int], list[_Run]]]:
    """Cut lines where the cells of a grid end."""
    for line in lines:
        own: list[_Run] = []
        at: tuple[int, int] | None = None
        for run in line:
            cell = grid.at(run[1], run[2]) if run[0].strip() else at
            if cell != at:
                if at is not None:
                    yield at, own
                own, at = [], cell
            own.append(run)
        if at is not None:
            yield at, own


def _flushed(operations: Iterable[tuple[Any, bytes]]) -> Iterable[tuple[Any, bytes]]:
    """Make pypdf report a run of its own wherever the text matrix changes its scale or a marked piece begins.

    Some producers keep one font size and scale superscripts by ``Tm``; pypdf then reports mark and text as one
    run of the text's size. Tagged files mark each cell of a table as a piece of content. An identity ``cm``
    draws nothing and ends the run.
    """
    scale: Any = None
    for operands, operator in operations:
        if operator == b"Tm" and len(operands) == 6 and operands[3] != scale:
            scale = operands[3]
            yield [1, 0, 0, 1, 0, 0], b"cm"
        elif operator == b"BDC":
            yield [1, 0, 0, 1, 0, 0], b"cm"
        yield operands, operator


def _turn(page: pypdf.PageObject) -> Any:
    """Return the map from the page's coordinates to those of the page as it is seen."""
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    match page.rotation % 360:
        case 90:
            return lambda x, y: (y, width - x)
        case 180:
            return lambda x, y: (width - x, height - y)
        case 270:
            return lambda x, y: (height - y, x)
        case _:
            return lambda x, y: (x, y)


def _line(runs: list[_Run], page: int) -> Line | None:
    """Fold the runs of one line; None if it is blank."""
    printed = [run for run in runs if run[0].strip()]
    if not printed:
        return None
    weights: Counter[tuple[float, str]] = Counter()
    for text, _, _, size, font in printed:
        weights[round(size, 1), font] += len(text)
    size = max(weights, key=lambda style: sum(n for (s, _), n in weights.items() if s == style[0]))[0]
    font = weights.most_common(1)[0][0][1]
    y = next(run[2] for run in printed if round(run[3], 1) == size)
    pieces = _pieces(runs, size, y)
    text = " ".join(piece for _, piece in pieces)
    if _SPACED.match(text) and sum(c.isalpha() for c in text) > 4:
        text = text.replace(" ", "")
    once = _once(text)
    heavy = once != text
    once = once if heavy else _head_once(text)
    ends = accumulate(len(piece) + 1 for _, piece in pieces[:-1])
    stops = tuple((end, round(x, 1)) for end, (x, _) in zip(ends, pieces[1:], strict=True))
    name = font.rpartition("+")[2]
    return Line(
        text=once, page=page, x=round(pieces[0][0], 1), y=round(y, 1), size=size,
        bold=heavy or bool(_BOLD.search(name)), font=name.lstrip("/"),
        stops=stops if once == text else (), lead=_lead(runs, once),
    )  # fmt: skip


def _lead(runs: list[_Run], text: str) -> int:
    """Return how many characters of a line's text are set in bold or italics before others that are not."""
    first = takewhile(lambda run: not run[0].strip() or _EMPHASISED.search(run[4].rpartition("+")[2]), runs)
    lead = " ".join("".join(run[0] for run in first).translate(_SPELLED_OUT).split())
    return len(lead) if text.startswith(lead) and len(lead) < len(text) else 0


def _pieces(runs: list[_Run], size: float, y: float) -> list[tuple[float, str]]:
    """Fold runs into pieces that a tab or the gap between two columns sets apart: (left edge, text)."""
    printed = [run for run in runs if run[0].strip()]
    if len(printed) == 1:
        return [(printed[0][1], " ".join(printed[0][0].translate(_SPELLED_OUT).split()))]
    pieces: list[tuple[float, list[str]]] = []
    start = width = -math.inf
    before = " "
    for (text, x, height, run_size, font), after in zip(runs, [*runs[1:], None], strict=True):
        end = start + width
        if pieces and not text.strip() and after and after[1] == x >= start + width / 2:
            # pypdf puts a blank where the next run begins if that is far from what went before.
            pieces[-1][1].append(text)
            before = text
            continue
        # A run that was not placed anew reports the place of what went before, and follows that.
        start = end if x < start + width / 2 else x
        apart = start - end > 1.2 * size and (before[-1].isspace() or text[0].isspace())
        if text.strip() and (apart or not pieces):
            pieces.append((x, []))
        # Browsers set what they raise in .83 of the size.
        small = run_size <= (0.85 if height > y + 0.2 * size else 0.8) * size
        mark = small and height >= y - 1 and _MARK.fullmatch(text.strip())
        if pieces:
            pieces[-1][1].append(text.translate(RAISE) if mark else text)
        before = text
        # pypdf's visitor does not tell a run's width: a guess, rather too wide than too narrow.
        widths = sum(_WIDTHS.get(c, 0.68 if c.isupper() else 0.52) for c in text)
        width = run_size * widths * (0.93 if _SERIF.search(font) else 1.0)
    return [(x, " ".join("".join(parts).translate(_SPELLED_OUT).split())) for x, parts in pieces]


def _once(text: str) -> str:
    """Return the text once where it was printed two to four times over itself to look bold."""
    for times in (4, 3, 2):
        length, rest = divmod(len(text), times)
        if not rest and length >= 4 and text[:length] * times == text and any(c.isalpha() for c in text):
            return text[:length]
    return text


def _head_once(text: str) -> str:
    """Return the text with its beginning once where only that was printed over itself: a run-in heading."""
    head = _OVERPRINTED.match(text)
    if head is None or not any(c.isalpha() for c in head[2]):
        return text
    return f"{head[1] or ''}{head[2]}{text[head.end() :]}"


def _outline(pdf: pypdf.PdfReader) -> list[OutlineEntry]:
    """Return the bookmarks in order, flattened; blank ones are left out."""
    numbers = {
        page.indirect_reference.idnum: number
        for number, page in enumerate(pdf.pages, start=1)
        if page.indirect_reference is not None
    }
    entries: list[OutlineEntry] = []
    stack: list[tuple[list[Any], int]] = [(pdf.outline, 0)]
    flat = True
    while stack:
        items, level = stack.pop()
        for position, item in enumerate(items):
            if isinstance(item, list):
                # What follows at this level comes after all that is below it.
                stack.append((items[position + 1 :], level))
                stack.append((item, level + 1))
                flat = flat and not entries
                break
            entries.append(_entry(item, level, numbers))
    if flat:
        # Some producers show depth by leading spaces in one flat list.
        entries = [OutlineEntry(e.title, (len(e.title) - len(e.title.lstrip())) // 2, e.page, e.y) for e in entries]
    return [OutlineEntry(" ".join(e.title.split()), e.level, e.page, e.y) for e in entries if e.title.strip()]


def _entry(item: Destination, level: int, numbers: dict[int, int]) -> OutlineEntry:
    page = numbers.get(getattr(item.page, "idnum", -1), 0)
    top = item.top
    y = float(top) if isinstance(top, (int, float)) else 0.0
    return OutlineEntry(str(item.title or ""), level, page, y)
