"""What a Word document says in its styles and numbering parts: headings, indents, the labels of lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile

from docx.document import Document
from docx.oxml.ns import qn
from lxml import etree

from antinomy.text.numerals import numeral

_LEVEL = re.compile(r"%([1-9])")
_HEADING = re.compile(r"(?:heading|überschrift|titre|rubrik) ?([1-9])$", re.IGNORECASE)
#: Word repeats a letter no more often than a list can go on.
_LAST = 3_000


def at_path(parent: etree._Element, path: str) -> etree._Element | None:
    """Return the first element at a path below another, "w:pPr/w:ind"."""
    return parent.find("/".join(map(qn, path.split("/"))))


def value(parent: etree._Element, path: str) -> str:
    """Return the ``w:val`` of an element below another, "" if there is none."""
    found = at_path(parent, path)
    return found.get(qn("w:val"), "") if found is not None else ""


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph's style with those it is based on.

    Attributes:
        id: its id, "" for none.
        name: its name ("heading 1").
        chain: its element and those of the styles it is based on, nearest first.
    """

    id: str
    name: str
    chain: tuple[etree._Element, ...]

    def value(self, path: str) -> str:
        """Return the value that the nearest style gives a property, "" if none does."""
        return next(filter(None, (value(style, path) for style in self.chain)), "")

    def heading_level(self, paragraph: etree._Element) -> int | None:
        """Return 0 for the title, 1 for the outermost heading, …; None for a paragraph that heads nothing."""
        named = _HEADING.match(self.name)
        if named:
            return int(named[1])
        if self.name.lower() == "title":
            return 0
        level = value(paragraph, "w:pPr/w:outlineLvl") or self.value("w:pPr/w:outlineLvl")
        return int(level) + 1 if level.isdecimal() and int(level) < 9 else None

    def is_framed(self, paragraph: etree._Element) -> bool:
        """Tell whether a paragraph stands in a frame of its own, beside the one that follows."""
        return any(at_path(above, "w:pPr/w:framePr") is not None for above in (paragraph, *self.chain))

    def mostly(self, paragraph: etree._Element, property: str) -> bool:
        """Tell whether most of a paragraph's characters are bold (``b``) or italic (``i``)."""
        total = marked = 0
        for run in paragraph.iter(qn("w:r")):
            length = len(_printed(run))
            total += length
            marked += length * self.is_set(run, property)
        return 2 * marked > total

    def emphasised_beginning(self, paragraph: etree._Element) -> str:
        """Return the words in bold or italics that a paragraph begins with."""
        runs = takewhile(
            lambda run: not _printed(run).strip() or self.is_set(run, "b") or self.is_set(run, "i"),
            paragraph.iter(qn("w:r")),
        )
        return "".join(map(_printed, runs))

    def is_set(self, run: etree._Element, property: str) -> bool:
        """Tell whether a run has a property that is on or off, by itself or by the style."""
        flag = at_path(run, f"w:rPr/w:{property}")
        return self._on(property) if flag is None else _is_on(flag)

    def _on(self, property: str) -> bool:
        flags = (at_path(style, f"w:rPr/w:{property}") for style in self.chain)
        return next((_is_on(flag) for flag in flags if flag is not None), False)


def _printed(run: etree._Element) -> str:
    return "".join(text.text or "" for text in run.iter(qn("w:t")))


def _is_on(flag: etree._Element) -> bool:
    return flag.get(qn("w:val"), "1") not in ("0", "false", "off")


class Styles:
    """The styles of a document."""

    def __init__(self, document: Document) -> None:
        """Index them by id."""
        elements = {style.get(qn("w:styleId"), ""): style for style in document.styles.element.iter(qn("w:style"))}
        self._default = next(
            (
                name
                for name, style in elements.items()
                if style.get(qn("w:type")) == "paragraph" and style.get(qn("w:default")) in ("1", "true")
            ),
            "",
        )
        self._elements = elements
        self._known: dict[str, Style] = {}

    def of(self, paragraph: etree._Element) -> Style:
        """Return a paragraph's style."""
        name = value(paragraph, "w:pPr/w:pStyle") or self._default
        return self._named(name)

    def is_struck(self, run: etree._Element) -> bool:
        """Tell whether a run is struck through, as text is that an amendment deletes."""
        named = self._named(value(run, "w:rPr/w:rStyle"))
        return named.is_set(run, "strike") or named.is_set(run, "dstrike")

    def _named(self, name: str) -> Style:
        if name not in self._known:
            chain: list[etree._Element] = []
            above = name
            while above in self._elements and self._elements[above] not in chain:
                chain.append(self._elements[above])
                above = value(chain[-1], "w:basedOn")
            self._known[name] = Style(name, value(chain[0], "w:name") if chain else "", tuple(chain))
        return self._known[name]


@dataclass(slots=True)
class _Level:
    """One level of a list: where it starts to count, how it writes its number, and around it what text."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    style: str = ""
    legal: bool = False
    restarts: bool = True
    indent: etree._Element | None = None


@dataclass(slots=True)
class _List:
    """A list as numbering.xml defines it; several instances may count on in one."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Instance:
    list: _List
    levels: dict[int, _Level]
    starts: dict[int, int]


class Numbering:
    """The lists of a document, counting as its paragraphs are asked for in order."""

    def __init__(self, document: Document) -> None:
        """Read numbering.xml; a document without one has no lists."""
        self._instances: dict[str, _Instance] = {}
        part = next((r.target_part for r in document.part.rels.values() if r.reltype.endswith("/numbering")), None)
        if part is None:
            return
        root = part.element
        lists = {
            element.get(qn("w:abstractNumId"), ""): _List(_levels(element))
            for element in root.iter(qn("w:abstractNum"))
        }
        for element in root.iter(qn("w:num")):
            definition = lists.get(value(element, "w:abstractNumId"))
            if definition is None:
                continue
            levels, starts = dict(definition.levels), {}
            for override in element.iter(qn("w:lvlOverride")):
                number = _number(override.get(qn("w:ilvl"), ""), 0)
                levels.update(_levels(override))
                start = value(override, "w:startOverride")
                if start:
                    starts[number] = _number(start, 1)
            self._instances[element.get(qn("w:numId"), "")] = _Instance(definition, levels, starts)

    def label(self, paragraph: etree._Element, style: Style) -> tuple[str, float]:
        """Count a paragraph, and return the label that Word prints before it and its left edge in twips.

        Returns:
            The label, "" for a paragraph that is in no list; a bullet is "•" whatever its sign.
        """
        own = value(paragraph, "w:pPr/w:numPr/w:numId")
        instance = self._instances.get(own or style.value("w:pPr/w:numPr/w:numId"))
        if instance is None:
            return "", _left(paragraph, None, style)
        at = value(paragraph, "w:pPr/w:numPr/w:ilvl") or ("" if own else _styled(instance, style))
        number = _number(at or style.value("w:pPr/w:numPr/w:ilvl"), 0)
        level = instance.levels.get(number)
        if level is None:
            return "", _left(paragraph, None, style)
        return _counted(instance, number, level), _left(paragraph, level.indent, style)


def _styled(instance: _Instance, style: Style) -> str:
    """Return the level that is tied to a paragraph style, "" if none is."""
    return next((str(number) for number, level in instance.levels.items() if level.style == style.id), "")


def _counted(instance: _Instance, number: int, level: _Level) -> str:
    counts = instance.list.counts
    if number in instance.starts:
        counts[number] = instance.starts.pop(number)
    else:
        counts[number] = counts[number] + 1 if number in counts else level.start
    for deeper in [n for n in counts if n > number]:
        if instance.levels.get(deeper, level).restarts:
            del counts[deeper]
    if level.format == "bullet":
        return "•"
    if level.format == "none":
        return ""

    def written(match: re.Match[str]) -> str:
        above = instance.levels.get(int(match[1]) - 1, level)
        count = counts.get(int(match[1]) - 1, above.start)
        return _written(count, "decimal" if level.legal else above.format)

    return " ".join(_LEVEL.sub(written, level.text).split())


def _written(count: int, format: str) -> str:
    """Write a number as a list does: ``_written(28, "lowerLetter")`` is "bb"."""
    if format in ("none", "decimalZero"):
        return f"{count:02}" if format == "decimalZero" else ""
    times, place = divmod(count - 1, 26) if format.endswith("Letter") and 0 < count < _LAST else (0, count - 1)
    return numeral(place + 1, format) * (times + 1)


def _levels(parent: etree._Element) -> dict[int, _Level]:
    found = {}
    for element in parent.iter(qn("w:lvl")):
        legal = element.find(qn("w:isLgl"))
        found[_number(element.get(qn("w:ilvl"), ""), 0)] = _Level(
            start=_number(value(element, "w:start"), 1),
            format=value(element, "w:numFmt") or "decimal",
            text=value(element, "w:lvlText"),
            style=value(element, "w:pStyle"),
            legal=legal is not None and _is_on(legal),
            restarts=value(element, "w:lvlRestart") != "0",
            indent=at_path(element, "w:pPr/w:ind"),
        )
    return found


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else otherwise


def _left(paragraph: etree._Element, listed: etree._Element | None, style: Style) -> float:
    """Return the left edge of a paragraph's first line: its own, its list's, or its style's; in twips."""
    path = "w:pPr/w:ind"
    places = [at_path(paragraph, path), listed, *(at_path(above, path) for above in style.chain)]
    edge = 0.0
    for name, sign in (("left", 1), ("start", 1), ("hanging", -1), ("firstLine", 1)):
        given = (place.get(qn(f"w:{name}")) for place in places if place is not None)
        text = next(filter(None, given), "0")
        edge += sign * (float(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else 0.0)
    return max(edge, 0.0)
