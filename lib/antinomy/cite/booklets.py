"""The IT Handbook's citations by name: booklets, headings, the Information Security Standards, joint statements.

booklets  = quoted { sep quoted } "booklet" [ "," place ]          quoted = '"' name '"'
headings  = quoted { sep quoted } "section" [ "of" holder ]
"""

from __future__ import annotations

from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.handbook import MAX_NAME, STANDARDS, HandbookPlaces, Holders, Quoted, booklet_act
from antinomy.cite.model import Act, Path, Step

_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}


class QuotedNames:
    """Reads booklets and headings whose names stand in quotation marks."""

    starts = ('"',)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._quoted = Quoted(tokens)
        self._holders = Holders(tokens)
        self._places = HandbookPlaces(tokens)

    def read(self, at: int) -> Found | None:
        """Read the names from a token on, if the word after them says what they name."""
        tokens = self._tokens
        names, end = self._quoted.several(at)
        word = tokens.low(end)
        if not names:
            return None
        if word in ("booklet", "booklets"):
            return self._booklets(at, names, end + 1)
        if all(name.endswith(" Booklet") for name in names):
            return self._booklets(at, names, end)
        if word in ("section", "sections"):
            holder = self._holders.read(end + 1)
            acts, after = holder if holder else ([], end + 1)
            paths: list[Path] = [(Step("heading", name),) for name in names]
            rule = "heading of" if holder else "heading"
            return [tokens.reference(at, after, acts, paths, rule, "heading")], after
        return None

    def _booklets(self, start: int, names: list[str], end: int) -> Found:
        tokens = self._tokens
        acts = [booklet_act(tokens, name) for name in names]
        if len(acts) == 1:
            following = end + 1 if tokens.low(end) == "," else end
            if tokens.low(following) == "'" and tokens.low(following + 1) == "s":
                following += 2
            place = self._places.read_of(following, start, acts)
            if place is not None:
                return place
            heading, after = self._quoted.several(following)
            if len(heading) == 1 and tokens.low(after) == "section":
                path: Path = (Step("heading", heading[0]),)
                return [tokens.reference(start, after + 1, acts, [path], "heading of", "heading")], after + 1
        return [tokens.reference(start, end, acts, [()], "booklet", "booklet")], end


class PlainBooklets:
    """Reads a booklet's name without quotation marks: "the Outsourcing Technology Services booklet"."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self.starts = tokens.names.booklet_starts | {"handbook"}

    def read(self, at: int) -> Found | None:
        """Read a known booklet's name, or one after the word "Handbook"."""
        tokens = self._tokens
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


class ThisBooklet:
    """Reads "this booklet"."""

    starts = ("this",)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens

    def read(self, at: int) -> Found | None:
        """Read the two words."""
        end = self._tokens.words(at, "this booklet")
        if not end:
            return None
        return [self._tokens.reference(at, end, [Act("this", "booklet")], [()], "this", "booklet")], end


class Guidelines:
    """Reads the Information Security Standards, with a section of them."""

    starts = ("interagency", "information")

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._holders = Holders(tokens)
        self._places = HandbookPlaces(tokens)

    def read(self, at: int) -> Found | None:
        """Read the standards' name and the sections after it."""
        tokens = self._tokens
        end = self._holders.standards(at)
        if not end:
            return None
        acts = [Act("named", "cfr", STANDARDS)]
        following = end + 1 if tokens.low(end) == "," else end
        if tokens.low(following) in ("section", "sections"):
            place = self._places.read_of(following, at, acts)
            if place is not None:
                return place
        return [tokens.reference(at, end, acts, [()], "standards", "cfr")], end


class Statements:
    """Reads "the FFIEC's joint statement on Cloud Computing", "FFIEC Joint Statement: \\"…\\""."""

    starts = ("ffiec",)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._quoted = Quoted(tokens)

    def read(self, at: int) -> Found | None:
        """Read a statement by its subject."""
        tokens = self._tokens
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
        quoted = self._quoted.one(end + 1)
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
