"""The labels that a browser prints before the items of an HTML list, as attributes and style sheets state them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from lxml import etree

from antinomy.text.numerals import in_roman

#: A list counts no further in letters and Roman numbers.
_LAST = 3_000
_STYLE = re.compile(r"list-style(?:-type)?\s*:[^;]*?\b(lower-alpha|lower-latin|upper-alpha|upper-latin|lower-roman|"
                    r"upper-roman|decimal|none)\b")  # fmt: skip
_KINDS = {
    "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i",
    "upper-roman": "I", "decimal": "1",
}  # fmt: skip
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
#: A tag with classes and ids; other selectors are not read.
_COMPOUND = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][A-Za-z_][\w-]*)*)")
_NAME = re.compile(r"([.#])([\w-]+)")
#: Bounds of a hostile page.
_RULES, _STEPS = 300, 8
#: Where an element keeps what a style sheet says of it.
_STATED = "data-list-style"


def state_styles(root: etree._Element) -> None:
    """Keep with each list and item of a page how its style sheets number it.

    That they print no numbers is not believed: most pages say so of all lists first, and number some by other means.
    """
    rules: list[tuple[int, str, str]] = []
    for sheet in root.iter("style"):
        for selectors, properties in _RULE.findall(_COMMENT.sub("", sheet.text or "")):
            style = _STYLE.search(properties.lower())
            if style is not None and style[1] != "none":
                for path in filter(None, map(_xpath, selectors.split(","))):
                    rules.append((path.count("@"), path, style[1]))
    # The more an author says of an element, the more it counts.
    for _, path, kind in sorted(rules[:_RULES], key=lambda rule: (rule[0], rule[1].count("//"))):
        for element in cast("list[etree._Element]", root.xpath(path)):
            element.set(_STATED, f"list-style:{kind}")


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
    stated = (of.get(name) for of in (item, element) for name in ("style", _STATED))
    style = next((found for text in stated if text and (found := _STYLE.search(text.lower()))), None)
    if style is not None and style[1] == "none":
        return ""
    if element.tag == "ul":
        return "•"
    kind = (_KINDS[style[1]] if style else "") or item.get("type") or element.get("type") or "1"
    forms: dict[str, Callable[[int], str]] = {
        "a": _letters, "A": lambda n: _letters(n).upper(), "i": in_roman, "I": lambda n: in_roman(n).upper(),
    }  # fmt: skip
    return f"{forms.get(kind, str)(count) if 0 < count <= _LAST else count}."


def _letters(count: int) -> str:
    """Count in letters as a browser does: z, aa, ab."""
    found = ""
    while count:
        count, rest = divmod(count - 1, 26)
        found = chr(97 + rest) + found
    return found
