"""HTML → an act's atoms where EUR-Lex has printed it, else lines."""

from __future__ import annotations

import codecs
import re

from antinomy.parse import eurlex
from antinomy.parse.content import Content, reader
from antinomy.parse.decoding import as_utf8
from antinomy.parse.markup import blocks, fold, parse_html
from antinomy.parse.model import Line, OutlineEntry


def _is_html(head: bytes) -> bool:
    head = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return head.startswith(b"<") and (b"<html" in head or b"<!doctype html" in head)


@reader("text/html", sniff=_is_html)
def read_html(data: bytes) -> Content:
    """Read an act as EUR-Lex publishes it, or the text and headings of any other page.

    A line's ``y`` falls by two from block to block, as if a blank line stood between them.

    Raises:
        DocumentError: if nothing can be made of the bytes, or they go beyond the parser's bounds.
    """
    data, warnings = as_utf8(data)
    root = parse_html(data)
    body = next(iter(root.iter("body")), root)
    title = next((fold(element.text or "") for element in root.iter("title")), "")
    if eurlex.is_act(body):
        printed = [text for element, text in blocks(body) if not eurlex.is_furniture(element)]
        return Content(atoms=eurlex.atoms(body), lines=[Line(text) for text in printed], title=title, warnings=warnings)
    lines, outline = [], []
    for row, (element, text) in enumerate(blocks(body)):
        level = int(element.tag[1]) if re.fullmatch(r"h[1-6]", element.tag) else 0
        if level:
            outline.append(OutlineEntry(text, level - 1, y=-2.0 * row))
        lines.append(Line(text, y=-2.0 * row, bold=bool(level)))
    return Content(lines=lines, outline=outline, title=title, warnings=warnings)
