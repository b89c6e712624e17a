"""Characters that do not belong in a text that people or models read: invisible and control characters."""

from __future__ import annotations

import re

#: Characters that nobody sees: soft hyphens, zero-width and direction marks, tags. PDF texts and hostile ones
#: hold them.
INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
#: Control characters besides tab and line feed, and lone surrogates, which no encoder takes.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return a foreign text as one line of visible characters, fit for a log, a table or a page."""
    return " ".join(CONTROL.sub(" ", INVISIBLE.sub("", text)).split())


def truncate(text: str, most: int) -> str:
    """Return a text of at most ``most`` characters: a longer one is cut between words and ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
