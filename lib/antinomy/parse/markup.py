"""What the readers of HTML and XML share: safe parsing, and the text of an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lxml import etree

from antinomy.errors import DocumentError

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Printed numbers of list items: (a), 1., ii), –, •
NUMBER = re.compile(r"^(?:\(?[0-9]{1,3}[a-z]?[.)]|\(?[a-zA-Z]{1,5}[.)]|[—–•-])$")


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


def inline_text(element: etree._Element, raised: Callable[[etree._Element], bool]) -> str:
    """Return an element's text, white space folded, numbers in raised elements as Unicode superscripts."""
    return fold("".join(_pieces(element, raised)))


def _pieces(element: etree._Element, raised: Callable[[etree._Element], bool]) -> Iterator[str]:
    text = element.text or ""
    # A raised number is a footnote's mark or an exponent; anything else raised is just text.
    yield text.translate(SUPERSCRIPT) if text.strip().isdecimal() and raised(element) else text
    for child in element:
        if isinstance(child.tag, str):
            if child.tag == "br":
                yield " "
            yield from _pieces(child, raised)
        yield child.tail or ""


def fold(text: str) -> str:
    """Fold white space of every kind to single blanks."""
    return " ".join(text.split())
