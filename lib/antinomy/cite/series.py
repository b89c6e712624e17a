"""Instruments cited by a name and a number (letters, standards, laws), as listed in ``instruments.yaml``.

A row's form gives the text token by token::

    letter|letters     one of these words; in capitals ("SR") only as written, else in any case
    [ … ]              what may be left out
    =word              the same, but it is not part of the citation
    <SR {year-number}> a number, and how the instrument is called by it; with + behind it, a list of them

The shapes of numbers are those under ``shapes``, and ``_READERS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act

_PUBLICATIONS = frozenset({"500", "800", "1500", "1800"})
_REVISIONS = {
    "rev": "Rev.", "revision": "Rev.", "vol": "Vol.", "volume": "Vol.", "part": "Part",
    "v": "Ver.", "version": "Ver.",
}  # fmt: skip

#: A file number has a digit and a capital letter; where no word says what it is, three parts and no small letter, and
#: it ends with a number.
_FILE = re.compile(r"(?=.*[0-9])(?=.*[A-Z])(?:[A-Z]+ )*\w+(?:[./-]\w+)*/\w+(?:[./-]\w+)*")
_DOCUMENT = re.compile(r"(?!.*[a-z])[^/ ]+(?:/[^/]+)+/[0-9.-]+")
#: Words before a code that names an instrument by itself.
_BEFORE_CODE = frozenset({"see", "with", "in", "under", "to", "by", "from", "("})
_MAX_FILE = 40
_MAX_WORDS = 3
_MAX_LETTERS = 5
#: Letters before a period's number: "FY21/22".
_PERIODS = frozenset({"FY", "AY"})

#: The number read, and the next index.
_Read = tuple[str, int]


@cache
def _shapes() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """Return the shapes of numbers: patterns in order of preference, and how each number is written."""
    return {
        shape: [(re.compile(pattern), written or "") for pattern, written in patterns.items()]
        for shape, patterns in instruments().shapes.items()
    }


def read_number(tokens: Cursor, at: int, shape: str) -> _Read | None:
    """Read a number of a shape that ``instruments.yaml`` lists: "13-19", "655", "TM-G-1"."""
    for pattern, written in _shapes()[shape]:
        if found := tokens.match(at, pattern):
            return found[0].expand(written) if written else found[0][0].replace(" ", ""), found[1]
    return None


def _special_publication(tokens: Cursor, at: int) -> _Read | None:
    """Read "800-53", "800-53A Rev. 4"."""
    if tokens.text(at) not in _PUBLICATIONS or tokens.low(at + 1) != "-" or tokens.kind(at + 2) != "num":
        return None
    return _revised(tokens, f"{tokens.text(at)}-{tokens.text(at + 2)}", at + 3)


def _report(tokens: Cursor, at: int) -> _Read | None:
    """Read "140-2", "7628 Rev. 1"."""
    found = read_number(tokens, at, "hyphened")
    return _revised(tokens, *found) if found else None


def _revised(tokens: Cursor, number: str, at: int) -> _Read:
    """Read what follows a publication's number: a letter, a part, a revision."""
    if tokens.kind(at) == "word" and tokens.touches(at) and len(tokens.text(at)) == 1:
        number, at = number + tokens.text(at), at + 1
    if tokens.joins(at, "-") and tokens.kind(at + 1) == "num":
        number, at = f"{number}-{tokens.text(at + 1)}", at + 2
    if number[-1] == "r" and tokens.kind(at) == "num" and tokens.touches(at):
        number, at = f"{number[:-1]} Rev. {tokens.text(at)}", at + 1
    for _ in range(3):
        following = at + 1 if tokens.low(at) == "," else at
        name = _REVISIONS.get(tokens.low(following))
        following += 2 if tokens.low(following + 1) == "." else 1
        if name is None or tokens.kind(following) != "num":
            break
        number, at = f"{number} {name} {tokens.text(following)}", following + 1
    return number, at


def file_number(tokens: Cursor, at: int) -> _Read | None:
    """Read "DOR.REC.65/21.04.158/2023-24", "B10/1C", "SRD TR 01/2015": parts joined by slashes, points and dashes."""
    start = at
    while tokens.text(at).isupper() and not tokens.touches(at + 1) and at < start + _MAX_WORDS:
        at += 1
    end = at + 1
    while end < at + _MAX_FILE and tokens.touches(end) and tokens.kind(end) in ("word", "num", "act", "mark"):
        end += 1
    while end > at and tokens.kind(end - 1) == "mark":
        end -= 1
    written = tokens.joined(start, end)
    return (written, end) if _FILE.fullmatch(written) else None


def _document_number(tokens: Cursor, at: int) -> _Read | None:
    """Read "SS1/21", "EBA/GL/2019/02", which name a document without a word before them."""
    letters = tokens.text(at)
    if not letters.isupper() or not 1 < len(letters) <= _MAX_LETTERS or not tokens.touches(at + 1):
        return None
    number = read_number(tokens, at + 1, "number/year") if letters not in _PERIODS else None
    if number and not (tokens.touches(number[1]) and tokens.kind(number[1]) in ("word", "num")):
        return letters + number[0], number[1]
    found = file_number(tokens, at)
    return found if found and _DOCUMENT.fullmatch(found[0]) else None


#: Shapes whose numbers are written in too many ways for a pattern.
_READERS: dict[str, Callable[[Cursor, int], _Read | None]] = {
    "file-number": file_number,
    "special-publication": _special_publication,
    "report": _report,
}


def _reader(shape: str) -> Callable[[Cursor, int], _Read | None]:
    return _READERS.get(shape) or partial(read_number, shape=shape)


@dataclass(frozen=True, slots=True)
class _Word:
    words: frozenset[str]
    cited: bool = True

    def read(self, tokens: Cursor, at: int, refs: list[str]) -> int:
        return at + self.cited if tokens.low(at) in self.words or tokens.text(at) in self.words else 0


@dataclass(frozen=True, slots=True)
class _Optional:
    elements: tuple[_Element, ...]

    def read(self, tokens: Cursor, at: int, refs: list[str]) -> int:
        own: list[str] = []
        end = _match(self.elements, tokens, at, own)
        if end:
            refs.extend(own)
        return end or at


@dataclass(frozen=True, slots=True)
class _Ref:
    """An instrument's name before its number, and the number's shape, None for an instrument without one."""

    before: str
    number: Callable[[Cursor, int], _Read | None] | None
    many: bool

    def read(self, tokens: Cursor, at: int, refs: list[str]) -> int:
        if self.number is None:
            refs.append(self.before)
            return at
        found = self.number(tokens, at)
        end = 0
        while found is not None:
            refs.append(self.before + found[0])
            end = found[1]
            following = tokens.separator(tokens.past_title(end)) if self.many else end
            counted = tokens.is_counted(following + 1)
            found = self.number(tokens, following) if following > end and not counted else None
        return end


_Element = _Word | _Optional | _Ref


def _match(elements: tuple[_Element, ...], tokens: Cursor, at: int, refs: list[str]) -> int:
    """Read these elements: the next index, or 0 if they are not there."""
    for element in elements:
        at = element.read(tokens, at, refs)
        if not at:
            return 0
    return at


_WRITTEN = re.compile(r"<([^{>]*)(?:\{([a-z/ -]+)\})?>(\+?)|([\[\]])|([^\s\[\]<]+)")


def _elements(written: Iterator[re.Match[str]]) -> tuple[_Element, ...]:
    found: list[_Element] = []
    for match in written:
        if match[4] == "]":
            break
        if match[4]:
            found.append(_Optional(_elements(written)))
        elif match[5]:
            found.append(_Word(frozenset(match[5].removeprefix("=").split("|")), match[5][0] != "="))
        else:
            found.append(_Ref(match[1], _reader(match[2]) if match[2] else None, bool(match[3])))
    return tuple(found)


@cache
def _forms() -> dict[str, list[tuple[str, tuple[_Element, ...]]]]:
    """Return, by first word in small letters, the kind and elements of each form, in the order of the rows."""
    forms: dict[str, list[tuple[str, tuple[_Element, ...]]]] = {}
    for row in instruments().series:
        for elements in (_elements(_WRITTEN.finditer(f"{name} {form}")) for name in row.names for form in row.forms):
            assert isinstance(elements[0], _Word)
            for word in elements[0].words:
                forms.setdefault(word.lower(), []).append((row.kind, elements))
    return forms


def read_named(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read the instruments that are named from a token on, and the next index."""
    for kind, elements in _forms().get(tokens.low(at), ()):
        refs: list[str] = []
        if end := _match(elements, tokens, at, refs):
            return [Act("named", kind, ref) for ref in refs], end
    if numbered := _document_number(tokens, at):
        return [Act("named", "guideline", numbered[0])], numbered[1]
    coded = tokens.low(at + 1) == "-" and tokens.low(at - 1) in _BEFORE_CODE
    # "see IC-1": elsewhere "pump SA-2" is anything.
    modules = tokens.several(at, read_number, "module") if coded else None
    return ([Act("named", "module", ref) for ref in modules[0]], modules[1]) if modules and modules[0] else None


#: Words, in small letters, with which a citation of a series may start; one by its number alone starts with capitals.
STARTS = _forms().keys()
