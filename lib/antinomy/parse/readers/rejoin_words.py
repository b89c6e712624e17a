"""Words that a PDF has torn, put together again by the document's own vocabulary.

Kerning tears them ("st rategy"), and so does a text that was broken into other lines before: the hyphens of those are
left inside the new ones ("informa-tion").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from antinomy.parse.model import Line

_WORD = re.compile(r"\w+(?:[’'/.-]\w+)*")
_PAIR = re.compile(r"(?<![\w’'-])([A-Za-z]+) (?=([a-z]+)(?![\w’'-]))")
#: A hyphen torn from one of its words; "short- and long-term" is no such.
_HYPHEN = re.compile(r"(?<=\w) -(?=\w)|(?<=\w)- (?!and |or |to )(?=[a-z])")
_PLAIN = re.compile(r"[a-z]+")
_HYPHENED = re.compile(r"(?<![\w’'-])([A-Za-z]{2,})-([a-z]{2,})(?![\w-])")
#: So many torn words show that the file tears words; fewer may be two ways to spell one ("back up").
_ENOUGH = 6


def mend(lines: Sequence[Line]) -> list[Line]:
    """Join the pieces of torn words.

    Two words are one if the document has it whole at least three times and ten times as often as one of
    the two.

    Args:
        lines: of the whole document.

    Returns:
        The same lines; as they were if the file tears no words.
    """
    counts = Counter(word for line in lines for word in _WORD.findall(line.text.lower()))

    def torn(pair: re.Match[str]) -> bool:
        first, second = pair[1].lower(), pair[2]
        whole = counts[first + second]
        return whole >= 3 and 10 * min(counts[first], counts[second]) <= whole

    suspects = [k for k, line in enumerate(lines) if any(torn(pair) for pair in _PAIR.finditer(line.text))]
    if len(suspects) < _ENOUGH:
        return list(lines)
    mended = list(lines)
    for k, line in enumerate(lines):
        text = _PAIR.sub(lambda pair: pair[1] if torn(pair) else pair[0], line.text)
        text = _HYPHEN.sub("-", text)
        if text != line.text:
            mended[k] = replace(line, text=text, stops=())
    return mended


def without_old_hyphens(lines: Sequence[Line]) -> list[Line]:
    """Take the hyphens of former line ends out of the words that they stand in.

    Such a word is hyphenated once only, is printed whole at least three times, and its second piece is no word of
    the document; so "co-operation" and "risk-based" stay.

    Args:
        lines: of the whole document.
    """
    hyphened = Counter(pair[0].lower() for line in lines if "-" in line.text for pair in _HYPHENED.finditer(line.text))
    once = [pair for pair, count in hyphened.items() if count == 1]
    if not once:
        return list(lines)
    counts = Counter(word for line in lines for word in _PLAIN.findall(_HYPHENED.sub(" ", line.text.lower())))
    old = {pair for pair in once if counts[pair.replace("-", "")] >= 3 and not counts[pair.partition("-")[2]]}
    return [
        replace(line, text=text, stops=())
        if "-" in line.text and (text := _HYPHENED.sub(lambda pair: _joined(pair, old), line.text)) != line.text
        else line
        for line in lines
    ]


def _joined(pair: re.Match[str], old: set[str]) -> str:
    return pair[1] + pair[2] if pair[0].lower() in old else pair[0]
