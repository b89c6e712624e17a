"""What attributes and style sheets of HTML state: the labels of lists, which a browser prints, and what is struck."""

from __future__ import annotations

import re
from typing import cast

from lxml import etree

from antinomy.text.numerals import numeral

_STYLE = re.compile(r"list-style(?:-type)?\s*:[^;]*?\b(lower-alpha|lower-latin|upper-alpha|upper-latin|lower-roman|"
                    r"upper-roman|decimal|none)\b")  # fmt: skip
#: What a style sheet prints before an item: words and counts, ``"(" counter(point, lower-alpha) ")"``.
_BEFORE = re.compile(r"content\s*:([^;]*\bcounters?\([^;]*)")
_PIECE = re.compile(r"\"([^\"]*)\"|'([^']*)'|counter(s?)\(([^()]*)\)")
_ESCAPED = re.compile(r"\\[0-9a-f]{1,6}\s?")
_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*\bline-through\b")
#: How the attribute ``type`` of a list names them.
_TYPES = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: Selectors and what is stated of them. It begins where another ends, so that a style without braces is read once.
_RULE = re.compile(r"(?:^|(?<=[{};]))([^{};]+)\{([^{}]*)\}")
#: A tag with classes and ids; other selectors are not read.
_COMPOUND = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][A-Za-z_][\w-]*)*)")
_NAME = re.compile(r"([.#])([\w-]+)")
#: Bounds of a hostile page.
_RULES, _STEPS = 300, 8
#: Where an element keeps what a style sheet says of it, and an item its count.
_STATED, _PRINTED, _COUNTED = "data-list-style", "data-list-label", "data-list-count"


def state_styles(root: etree._Element) -> None:
    """Keep with each list and item of a page how its style sheets number it.

    That they print no numbers is not believed: most pages say so of all lists first, and number some by other means.
    """
    # The more an author says of an element, the more it counts.
    for path, style in sorted(_stated(root, _STYLE), key=lambda rule: (rule[0].count("@"), rule[0].count("//"))):
        if style[1] != "none":
            for element in _selected(root, path):
                element.set(_STATED, f"list-style:{style[1]}")
    for path, content in _stated(root, _BEFORE):
        for element in _selected(root, path):
            element.set(_PRINTED, content[1])


def struck(root: etree._Element) -> list[etree._Element]:
    """Return the elements of a page that are struck through: by their tag, their style or a style sheet."""
    found = list(root.iter("s", "del", "strike"))
    found += [element for element in root.iter("*") if _STRUCK.search((element.get("style") or "").lower())]
    for path, _ in _stated(root, _STRUCK):
        found += _selected(root, path)
    return found


def _stated(root: etree._Element, properties: re.Pattern[str]) -> list[tuple[str, re.Match[str]]]:
    """Return what the style sheets of a page state of some properties, and of which elements, as XPath."""
    rules: list[tuple[str, re.Match[str]]] = []
    for sheet in root.iter("style"):
        for selectors, stated in _RULE.findall(_COMMENT.sub("", sheet.text or "")):
            if (found := properties.search(stated.lower())) is not None:
                named = (selector.rstrip() for selector in selectors.split(","))
                if properties is _BEFORE:
                    named = (selector.removesuffix("before").rstrip(":") for selector in named)
                rules += [(path, found) for path in map(_xpath, named) if path]
    return rules[:_RULES]


def _selected(root: etree._Element, path: str) -> list[etree._Element]:
    return cast("list[etree._Element]", root.xpath(path))


def _xpath(selector: str) -> str:
    """Write a selector of tags, classes and ids as XPath; "" for any other."""
    path, axis = "", "//"
    steps = selector.replace(">", " > ").split()
    for step in steps[: _STEPS + 1]:
        compound = _COMPOUND.fullmatch(step)
        if step == ">":
            axis = "/"
        elif compound is None or len(steps) > _STEPS:
            return ""
        else:
            tests = (
                f"[@id='{name}']"
                if sign == "#"
                else f"[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"
                for sign, name in _NAME.findall(compound[2])
            )
            path, axis = f"{path}{axis}{compound[1] or '*'}{''.join(tests)}", "//"
    return path


def item_label(element: etree._Element, item: etree._Element, count: int) -> str:
    """Return the label that a browser prints before an item; "" for none.

    Args:
        element: the list.
        item: of it.
        count: its number.
    """
    item.set(_COUNTED, str(count))
    if content := item.get(_PRINTED):
        return _counted(content, item)
    stated = (of.get(name) for of in (item, element) for name in ("style", _STATED))
    style = next((found for text in stated if text and (found := _STYLE.search(text.lower()))), None)
    if style is not None and style[1] == "none":
        return ""
    if element.tag == "ul" and style is None:
        return "•"
    stated_type = item.get("type") or element.get("type") or "1"
    return f"{numeral(count, style[1] if style else _TYPES.get(stated_type, stated_type))}."


def _counted(content: str, item: etree._Element) -> str:
    """Print what a style sheet counts: the last counter counts the item, those before it the items around it."""
    around = (above.get(_COUNTED) for above in (item, *item.iterancestors("li")))
    counts = [int(count) for count in around if count]
    printed = ""
    for words, others, nested, inner in reversed(_PIECE.findall(content)):
        name, *stated = (part.strip(" \"'") for part in inner.split(","))
        taken = len(counts) if nested else min(1, len(counts)) if name else 0
        numbers = [numeral(count, stated[-1] if stated else "") for count in reversed(counts[:taken])]
        counts = counts[taken:]
        printed = (stated[0] if nested and stated else "").join(numbers) + words + others + printed
    return " ".join(_ESCAPED.sub(" ", printed).split())
