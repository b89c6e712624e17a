"""Words that a PDF's kerning has torn ("st rategy"), put together again by the document's own vocabulary."""

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
