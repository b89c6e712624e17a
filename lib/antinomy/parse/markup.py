"""What the readers of HTML and XML share: safe parsing, and the text of an element."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.labels import leading_labels
from antinomy.parse.ordinals import LATIN
from antinomy.text.numerals import RULE_LETTERS
from antinomy.text.typography import RAISE

#: Printed numbers of list items: (a), 1., 1.2., ii), –, •
NUMBER = re.compile(r"^(?:\(?[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[a-z]?[.)]|\(?[a-zA-Z]{1,5}[.)]|[—–•-])$")
#: What stands in a margin: 12, 12*, 1.2, 1.2A, 12A.1, 1.2 R, A.1, (a), iv)
_MARGIN = re.compile(
    rf"^\(?(?:(?:[0-9]{{1,4}}|[0-9]{{0,4}}[A-Z](?=\.[0-9]))(?:\.[0-9]{{1,3}}){{0,4}}[a-zA-Z]?(?: ?[{RULE_LETTERS}])?"
    r"|[a-zA-Z]|[ivxlc]{1,6})[.)*]{0,2}$|^[—–•-]$"
)
#: The number of a part of what the number before it names: 12 (a), and how binding a rule is: 1.2.1 R
_INNER = re.compile(rf"^(?:\((?:[0-9]{{1,3}}|[a-zA-Z]|[ivxlc]{{1,6}})\)|[{RULE_LETTERS}])$")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: HTML elements that stand on lines of their own.
BLOCKS = HEADINGS | {
    "p", "div", "section", "article", "main", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "ul",
    "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "header", "footer", "nav", "aside", "form",
    "figure", "figcaption", "caption", "details", "summary", "fieldset", "legend", "address", "hgroup", "body", "html",
}  # fmt: skip
#: The raised number of a paragraph, also of one that was inserted: 1bis.
_RAISED = re.compile(rf"\d+{LATIN}?")
_SILENT = frozenset({
    "script", "style", "head", "hr", "colgroup", "col", "img", "noscript", "template", "button", "select", "dialog",
})  # fmt: skip


def parse_xml(data: bytes) -> etree._Element:
    """Parse XML without entities, network or DTD, within libxml2's bounds of size and depth.

    Raises:
        DocumentError: if it is not well formed or breaks a bound.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    root = _parse(data, parser, "XML")
    if next(root.iter(etree.Entity), None) is not None:
        raise DocumentError("this XML uses entities, which are not read; save it with its entities written out")
    return root


def parse_html(data: bytes) -> etree._Element:
    """Parse HTML or XHTML, mending what is not well formed, within libxml2's bounds of size and depth.

    Raises:
        DocumentError: if nothing can be made of it.
    """
    return _parse(data, etree.HTMLParser(no_network=True, huge_tree=False, encoding=_encoding(data)), "HTML")


def _parse(data: bytes, parser: etree.XMLParser | etree.HTMLParser, kind: str) -> etree._Element:
    try:
        root: etree._Element | None = etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError) as error:
        raise DocumentError(f"this {kind} is broken ({error}); download it again") from error
    if root is None:
        raise DocumentError(f"this {kind} is empty; download it again")
    # The HTML parser stops at a bound and returns what it has: better no document than half of one.
    fatal = next((entry.message for entry in parser.error_log if entry.level_name == "FATAL"), "")
    if fatal:
        raise DocumentError(f"this {kind} cannot be read to its end ({fatal.strip()}); take another format")
    return root


def _encoding(data: bytes) -> str | None:
    """Return utf-8 where the bytes are that: many pages declare nothing or the wrong thing."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def is_margin(text: str) -> bool:
    """Tell whether a text is a number or a sign such as stands in a margin: 12, 1.2, (a), •."""
    return bool(_MARGIN.match(text))


def is_withdrawn(struck: str, block: str) -> bool:
    """Tell whether the number that a block begins with is struck through only to say that what it counts is withdrawn.

    Other struck words are deleted, a number before which another is put, too.
    """
    marks, rest = leading_labels(struck), block.removeprefix(struck).strip()
    return bool(marks and rest) and marks[-1].end >= len(struck) and not leading_labels(rest)


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Print a table's rows as lines ``| cell | cell |``, the first followed by the rule of a Markdown table.

    The rows of a table that only sets numbers beside their paragraphs are these, ``number text``.

    Args:
        rows: the texts of the cells; blank rows go.
    """
    filled = [row for row in rows if any(row)]
    if sets_numbers(filled):
        return [" ".join(filter(None, row)) for row in filled]
    lines = ["| " + " | ".join(cell.replace("|", "¦") for cell in row) + " |" for row in filled]
    if len(lines) > 1:
        lines.insert(1, "|" + " --- |" * len(filled[0]))
    return lines


def cell_lines(texts: Sequence[str]) -> str:
    """Return the paragraphs of a table's cell, the items of its list on lines of their own; "" if it has no list."""
    if not any(map(leading_labels, texts[1:])):
        return ""
    return "".join(("\n" if leading_labels(text) else " ") + text for text in texts).removeprefix(" ")


def sets_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a table only sets numbers beside their paragraphs, the way margin numbers are set.

    Each row has one text at most, behind the cells of its numbers and empty ones, which indent it.

    Args:
        rows: the texts of the cells, blank rows left out.
    """
    if rows and all(len(row) == 2 and (not row[0] or is_margin(row[0])) for row in rows):
        return True
    found = False
    for row in rows:
        *numbers, _ = (cell for cell in row if cell)
        inner = (_INNER.match(number) for number in numbers[1:])
        # A sourcebook's number names the book: LAMP 1.2.1 | R | The keeper shall.
        rule = len(numbers) > 1 and any(mark.is_rule for mark in leading_labels(" ".join(numbers)))
        if not (all(inner) and (not numbers or is_margin(numbers[0]) or rule)):
            return False
        found = found or bool(numbers)
    return found


def block_texts(root: etree._Element, apart: Collection[str], skipped: Collection[str]) -> list[str]:
    """Return every block's text, with no regard to what the block is, for the account of words.

    Args:
        root: of an XML document.
        apart: names, without namespace, of elements that stand on lines of their own.
        skipped: names of elements that hold no text of the document.
    """
    texts = [""]
    events = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in events:
        name = local_name(element)
        if event == "start":
            if name in skipped:
                events.skip_subtree()
            if name in apart:
                texts.append("")
            texts[-1] += element.text or "" if name not in skipped else ""
        else:
            if name in apart:
                texts.append("")
            texts[-1] += element.tail or "" if element is not root else ""
    return [text for text in map(fold, texts) if text]


def local_name(element: etree._Element) -> str:
    """Return an element's name without its namespace, "" for a comment or processing instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def first_child(element: etree._Element, *names: str) -> etree._Element | None:
    """Return the first element directly below another that has one of these names."""
    return next((child for child in element if local_name(child) in names), None)


def fold(text: str) -> str:
    """Fold white space of every kind to single blanks."""
    return " ".join(text.split())


def classes(element: etree._Element) -> set[str]:
    """Return the element's classes, without EUR-Lex's prefix."""
    return {name.removeprefix("oj-") for name in (element.get("class") or "").split()}


def inline_text(element: etree._Element) -> str:
    """Return an HTML element's text, white space folded, raised numbers as Unicode superscripts."""
    return fold("".join(_pieces(element)))


def _pieces(element: etree._Element) -> Iterator[str]:
    text = element.text or ""
    # A raised number is a footnote's mark or an exponent; anything else raised is just text.
    yield text.translate(RAISE) if _RAISED.fullmatch(text.strip()) and is_raised(element) else text
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _SILENT:
            if child.tag == "br" or child.tag in BLOCKS:
                yield " "
            yield from _pieces(child)
            if child.tag in BLOCKS:
                yield " "
        yield child.tail or ""


def is_raised(element: etree._Element) -> bool:
    """Tell whether an HTML element is set higher than its line."""
    return element.tag == "sup" or not classes(element).isdisjoint({"super", "superscript"})


def remove(element: etree._Element) -> None:
    """Take an element out of its tree, but not the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def runs(parent: etree._Element) -> Iterator[str | etree._Element]:
    """Yield what an HTML element holds: runs of inline text, folded, and the blocks between them, in order."""
    text = parent.text or ""
    for child in parent:
        if isinstance(child.tag, str) and child.tag not in _SILENT:
            if child.tag in BLOCKS or not is_leaf(child):
                if run := fold(text):
                    yield run
                yield child
                text = ""
            else:
                text += "".join(_pieces(child))
        text += child.tail or ""
    if run := fold(text):
        yield run


def is_leaf(element: etree._Element) -> bool:
    """Tell whether an HTML element holds no block."""
    return not any(isinstance(below.tag, str) and below.tag in BLOCKS for below in element.iterdescendants())


def blocks(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield each run of text below an HTML element with the innermost block that holds it, in order."""
    if element.tag in _SILENT:
        return
    if is_leaf(element):
        if text := inline_text(element):
            yield element, text
        return
    for part in runs(element):
        if isinstance(part, str):
            yield element, part
        else:
            yield from blocks(part)
