"""What the files of the American printing office write for signs that they do not have.

Their headings stand behind a blank line and have ``_`` for a dash, and ``Sec.`` for the sign of a section, also before
an appendix; a part's title ends in the name of its list of contents:

    PART 31_LAMPS OF HARBORS--Table of Contents
    Sec. Appendix A to Part 31_Forms

A note and its mark have a number between strokes, ``\\1\\``. Above the text a file states what it is, one value a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from antinomy.parse.named_labels import ANNEXES, DIVISIONS

_NAMES = "|".join(sorted({*DIVISIONS, *ANNEXES, "table", "supplement", "figure"}, key=len, reverse=True))
#: "Subpart A_General": a name, a number and a dash.
_DASH = re.compile(
    rf"^(\s*(?i:{_NAMES})\s(?:[^_]{{0,80}}[\s(])?(?:[A-Z]{{1,7}}|\d[\w.()-]*?|[a-z]{{1,5}}\)))_(?=[A-Z\[\"])"
)
_SIGN = re.compile(r"^(\s*)Sec\. (?=Sec\. |App)")
#: The mark of a note, and no folder: "C:\1\lamps".
_MARK = re.compile(r"\\(\d{1,3})\\(?![\w\\])")
_DAY, _TRUTH = re.compile(r"\d{4}-\d\d-\d\d"), ("true", "false")
#: What a file states of itself stands on its first lines.
_FIRST_LINES = 60
_CONTENTS = re.compile(r"(.*\S)--(Table of Contents)\s*", re.IGNORECASE)


def with_signs(printed: Sequence[str]) -> list[str]:
    """Print the headings of a text file as the pages that it comes from have them, lists of contents below theirs."""
    kept: list[str] = []
    first = True
    for raw in _without_record(printed):
        heading = _DASH.sub(r"\1—", _SIGN.sub(r"\1", raw, count=1), count=1) if first else raw
        heading = _MARK.sub(r"[^\1]", heading)
        listed = _CONTENTS.fullmatch(heading)
        kept += [listed[1], "", listed[2]] if listed else [heading]
        first = not raw.strip()
    return kept


def _without_record(printed: Sequence[str]) -> list[str]:
    """Leave out the block of values that a file states of itself: two days and whether something is true among them."""
    texts = [raw.strip() for raw in printed[:_FIRST_LINES]]
    for at, words in enumerate(zip(texts, texts[1:], texts[2:], strict=False)):
        if words[2] in _TRUTH and all(map(_DAY.fullmatch, words[:2])):
            first = next((k + 1 for k in range(at, -1, -1) if not texts[k]), 0)
            end = next((k for k in range(at, len(texts)) if not texts[k]), len(texts))
            return [*printed[:first], *printed[end:]]
    return list(printed)
