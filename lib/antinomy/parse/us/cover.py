"""What a handbook's cover and running heads say: its name, and the month it was issued."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from antinomy.parse.content import Content
from antinomy.parse.us.layout import Layout
from antinomy.text.months import MONTHS

_DATE = re.compile(rf"\b({'|'.join(MONTHS)})\s+(\d{{4}})\b", re.IGNORECASE)
#: What stands in a running head besides the booklet's name.
_SERIES = re.compile(r"^.*\bHandbook\b\W*|\s*\bBooklet$")


def title(content: Content, layout: Layout) -> str:
    """Find the booklet's name: in its running heads, else on its cover, else in the file's metadata.

    Without pages, there are no running heads, and a sole heading of the highest level before all others is its name.
    """
    if not content.pages:
        titles = [entry for entry in content.outline if entry.level == 0]
        if len(titles) == 1 and titles == content.outline[:1]:
            return titles[0].title
        if content.title:
            return content.title
    heads: Counter[str] = Counter()
    for line in content.furniture:
        name = _SERIES.sub("", line.text)
        if not re.search(r"\d", name) and len(re.findall(r"[^\W\d_]", name)) > 3:
            heads[name] += 1
    if content.pages and heads and 3 * heads.most_common(1)[0][1] >= content.pages:
        return heads.most_common(1)[0][0]
    front = [line for line in layout.front if not _DATE.search(line.text)]
    front = front or [line for block in layout.blocks[:1] for line in block.lines]
    if front:
        size = max(line.size for line in front)
        printed = " ".join(line.text for line in front if line.size == size) if size else front[0].text
        if 5 < len(printed) < 200:
            return printed
    return content.title


def without_title(front: Sequence[str], name: str) -> list[str]:
    """Return the cover's lines without those that print the booklet's name."""
    rest = list(front)
    for start in range(len(rest)):
        for end in range(len(rest), start, -1):
            if " ".join(rest[start:end]).lower() == name.lower():
                return rest[:start] + rest[end:]
    return rest


def issued(content: Content, layout: Layout) -> str:
    """Read the month that the booklet bears on its cover or at the foot of its pages.

    Returns:
        The first of that month as an ISO date, "" if it bears none.
    """
    head = [block.raw for block in layout.blocks[:6] if len(block.raw) < 60]
    cover = [line.text for line in layout.front] or head
    for text in (*cover, *(line.text for line in content.furniture)):
        if match := _DATE.search(text):
            return f"{match[2]}-{MONTHS.index(match[1].lower()) + 1:02}-01"
    return ""
