"""The IT Handbook's citations by name: booklets, headings, the Information Security Standards, joint statements.

booklets  = quoted { sep quoted } "booklet" [ "," place ]          quoted = '"' name '"'
headings  = quoted { sep quoted } "section" [ "of" holder ]
"""

from __future__ import annotations

from antinomy.cite import handbook
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.handbook import MAX_NAME, STANDARDS, booklet_act
from antinomy.cite.model import Act, Path, Step

_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}


def read_quoted_name(tokens: Cursor, at: int) -> Found | None:
    """Read the names from a token on, if the word after them says what they name."""
    names, end = handbook.read_all_quoted(tokens, at)
    word = tokens.low(end)
    if not names:
        return None
    if word in ("booklet", "booklets"):
        return _read_booklets(tokens, at, names, end + 1)
    if all(name.endswith(" Booklet") for name in names):
        return _read_booklets(tokens, at, names, end)
    if word in ("section", "sections"):
        holder = handbook.read_holder(tokens, end + 1)
        acts, after = holder if holder else ([], end + 1)
        paths: list[Path] = [(Step("heading", name),) for name in names]
        rule = "heading of" if holder else "heading"
        return [tokens.reference(at, after, acts, paths, rule, "heading")], after
    return None


def _read_booklets(tokens: Cursor, start: int, names: list[str], end: int) -> Found:
    acts = [booklet_act(tokens, name) for name in names]
    if len(acts) == 1:
        following = end + 1 if tokens.low(end) == "," else end
        if tokens.low(following) == "'" and tokens.low(following + 1) == "s":
            following += 2
        place = handbook.read_of(tokens, following, start, acts)
        if place is not None:
            return place
        heading, after = handbook.read_all_quoted(tokens, following)
        if len(heading) == 1 and tokens.low(after) == "section":
            path: Path = (Step("heading", heading[0]),)
            return [tokens.reference(start, after + 1, acts, [path], "heading of", "heading")], after + 1
    return [tokens.reference(start, end, acts, [()], "booklet", "booklet")], end


def read_plain(tokens: Cursor, at: int) -> Found | None:
    """Read a known booklet's name, or one after the word "Handbook"."""
    if tokens.low(at) == "handbook":
        # Of a booklet that is not in the corpus: "the IT Handbook E-Banking Booklet".
        if not tokens.text(at + 1)[:1].isupper():
            return None
        for end in range(at + 2, at + MAX_NAME):
            if tokens.text(end) == "Booklet":
                acts = [booklet_act(tokens, tokens.joined(at + 1, end))]
                return [tokens.reference(at + 1, end + 1, acts, [()], "booklet", "booklet")], end + 1
            if not tokens.text(end)[:1].isupper() and tokens.low(end) not in _SMALL:
                return None
        return None
    found = tokens.booklet(at)
    if found is None:
        return None
    acts = [Act("named", "booklet", found[0])]
    return [tokens.reference(at, found[1], acts, [()], "booklet", "booklet")], found[1]


def read_this(tokens: Cursor, at: int) -> Found | None:
    """Read the two words."""
    end = tokens.words(at, "this booklet")
    if not end:
        return None
    return [tokens.reference(at, end, [Act("this", "booklet")], [()], "this", "booklet")], end


def read_guidelines(tokens: Cursor, at: int) -> Found | None:
    """Read the standards' name and the sections after it."""
    end = handbook.read_standards(tokens, at)
    if not end:
        return None
    acts = [Act("named", "cfr", STANDARDS)]
    following = end + 1 if tokens.low(end) == "," else end
    if tokens.low(following) in ("section", "sections"):
        place = handbook.read_of(tokens, following, at, acts)
        if place is not None:
            return place
    return [tokens.reference(at, end, acts, [()], "standards", "cfr")], end


def read_statement(tokens: Cursor, at: int) -> Found | None:
    """Read a statement by its subject."""
    end = at + 1
    if tokens.low(end) == "'" and tokens.low(end + 1) == "s":
        end += 2
    if tokens.low(end) == "joint":
        end += 1
    if tokens.low(end) not in ("statement", "statements"):
        return None
    end += 1
    if tokens.low(end) not in ("on", ":", ","):
        return None
    quoted = handbook.read_quoted(tokens, end + 1)
    if quoted is not None:
        return tokens.instrument(at, quoted[1], "statement", [f"FFIEC statement, {quoted[0]}"])
    words: list[str] = []
    following = end + 1
    while len(words) < MAX_NAME and (
        tokens.text(following)[:1].isupper() or (words and tokens.low(following) in _SMALL)
    ):
        words.append(tokens.text(following))
        following += 1
    while words and words[-1] in _SMALL:
        words.pop()
        following -= 1
    if len(words) < 2:
        return None
    return tokens.instrument(at, following, "statement", [f"FFIEC statement, {' '.join(words)}"])
