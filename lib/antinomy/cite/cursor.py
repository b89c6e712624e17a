"""A cursor over a text's tokens, and the protocol of a grammar's parts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar, TypeVarTuple, cast

from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act, Path, Reference, Token
from antinomy.cite.names import Names

#: References, and the index of the first token after them.
Found = tuple[list[Reference], int]
_Item = TypeVar("_Item")
_Read = TypeVar("_Read")
_Asked = TypeVarTuple("_Asked")

#: Words between commas inside a list.
_INSERTED = ("if applicable ,", "where applicable ,", "as applicable ,", "as the case may be ,")
#: A number before one of these counts something.
_COUNTED = frozenset({
    "days", "day", "hours", "hour", "months", "month", "years", "year", "weeks", "business", "calendar", "percent",
    "million", "billion", "%", "thousand",
})  # fmt: skip
#: A number before one of these is the title's of a code or the volume's of reports.
_CODES = instruments().codes_by_first_word
#: The number of a rule, behind the volume and the name of its code; it may end with the chapter of another code.
_RULE = re.compile(
    r"(?:[0-9]{1,3} [A-Z]{2,5} (?:[0-9]{1,3} (?=[.])|§ ?)?)?"
    r"(?P<number>[.]?[0-9A-Z]+(?:(?:[.:-]|-[.])[0-9]+[A-Z]?)*)(?![0-9A-Z])"
)
#: The same behind the short name of an agency: Ban 3601.02, DFI-Bkg 84.
_RULE_OF_AGENCY = re.compile(
    r"(?P<number>[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)? [0-9]+[A-Z]?(?:[.][0-9]+[A-Z]?)?)(?![0-9A-Za-z])"
)
_RULE_IN_FULL = re.compile(r"(?P<number>[0-9]+-[0-9.]+\([0-9]+[A-Z]?\))")
_MAX_TITLE = 60
_MAX_HEADING = 14
_MAX_LIST = 40
_MAX_MATCH = 10


class Cursor:
    """Tokens of one text and the names of the documents that it may cite.

    Outside the text every token is empty, so that a part need not check for the end.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        names: Names,
        rulebook: bool = False,
        codes: Collection[str] = (),
        books: Collection[str] = (),
        rule_numbers: Mapping[str, str] | None = None,
        terms: Collection[str] = (),
        rule_levels: Mapping[str, str] | None = None,
    ) -> None:
        """Look at the tokens of a text.

        Args:
            tokens: of the text.
            names: of the documents that it may cite.
            rulebook: whether it is of a rulebook.
            codes: of the requirements in its own document, see ``Tree.codes``.
            books: the names before numbers of its own document, see ``Tree.books``.
            rule_numbers: of its own document, see ``Tree.rule_numbers``.
            terms: that its own document defines, see ``Tree.terms``.
            rule_levels: of its own document, see ``Tree.rule_levels``.
        """
        self._tokens = tokens
        self.names = names
        self.rulebook = rulebook
        self.codes = codes
        self.books = books
        self.terms = terms
        self._rule_numbers = rule_numbers or {}
        self.rule_levels = rule_levels or {}
        #: Whether agencies print the marks of the innermost lists with a stop: "(3) (a) 1.", "(1)a."
        self.stopped = any(" " in number for number in self._rule_numbers)
        self._name_ends: list[int] | None = None
        self._once: dict[tuple[Hashable, ...], object] = {}
        #: Up to here a phrase was read that cites nothing in this grammar.
        self.read_to = 0

    def low(self, at: int) -> str:
        """Return a token in small letters, "" outside the text."""
        return self._tokens[at].low if 0 <= at < len(self._tokens) else ""

    def text(self, at: int) -> str:
        """Return a token as written, "" outside the text."""
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def kind(self, at: int) -> str:
        """Return a token's kind, "" outside the text."""
        return self._tokens[at].kind if 0 <= at < len(self._tokens) else ""

    def touches(self, at: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < at < len(self._tokens) and self._tokens[at].start == self._tokens[at - 1].end

    def joins(self, at: int, *marks: str) -> bool:
        """Whether a token is one of these marks and joins the tokens around it without a space."""
        return self.low(at) in marks and self.touches(at) and self.touches(at + 1)

    def is_counted(self, at: int) -> bool:
        """Whether a word makes the number before it an amount, or the number of a code's title or a volume."""
        codes = _CODES.get(self.low(at), ())
        return self.low(at) in _COUNTED or any(self.words(at, name) for name in codes)

    def words(self, at: int, words: str) -> int:
        """Read these words: the next index, or 0 if they are not there."""
        for word in words.split():
            if self.low(at) != word:
                return 0
            at += 1
        return at

    def match(self, at: int, pattern: re.Pattern[str]) -> tuple[re.Match[str], int] | None:
        """Match a pattern with the text as printed from a token on: the match, and the next index.

        None if it does not match or ends inside a token.
        """
        written, ends = "", {}
        for n in range(at, min(at + _MAX_MATCH, len(self._tokens))):
            text = f"({self.text(n)})" if self.kind(n) == "paren" else self.text(n)
            written += text if n == at or self.touches(n) else f" {text}"
            ends[len(written)] = n + 1
        found = pattern.match(written)
        return (found, ends[found.end()]) if found and found.end() in ends else None

    def rule_number(self, at: int) -> tuple[str, int] | None:
        """Read a number of the document's own rules, 240-12.010 or 4 CSR 240-12.010: as in the tree; the next index."""
        for pattern in (_RULE_IN_FULL, _RULE_OF_AGENCY, _RULE) if self._rule_numbers else ():
            found = self.match(at, pattern)
            if found and (number := self._rule_numbers.get(found[0]["number"])) is not None:
                return number, found[1]
        return None

    def ends_name(self, at: int, within: int) -> bool:
        """Whether one of so many tokens can be the last word of an instrument's name."""
        if self._name_ends is None:
            last_words = instruments().named_by_last_word
            self._name_ends = [n for n, token in enumerate(self._tokens) if token.low in last_words]
        following = bisect_left(self._name_ends, at)
        return following < len(self._name_ends) and self._name_ends[following] < at + within

    def separator(self, at: int) -> int:
        """Read ",", "and", ", or", "and/or", "as well as": the next index, or ``at`` if there is none."""
        following = at
        if self.low(following) == ",":
            following += 1
        word = self.low(following)
        if word in ("and", "or", "nor", "&"):
            following += 1
            if self.low(following) == "/" and self.low(following + 1) == "or":
                following += 2
            elif self.low(following) == ",":
                inserted = (self.words(following + 1, words) for words in _INSERTED)
                following = next((end for end in inserted if end), following)
        elif word == "as" and self.low(following + 1) == "well" and self.low(following + 2) == "as":
            following += 3
        return following

    def once(self, read: Callable[[Cursor, *_Asked], _Read], *asked: *_Asked) -> _Read:
        """Return what a function reads at a place, read once: a list is read again from each of its members on."""
        key = (read, *asked)
        if key not in self._once:
            self._once[key] = read(self, *asked)
        return cast("_Read", self._once[key])

    def several(
        self, at: int, read: Callable[[Cursor, int, *_Asked], tuple[_Item, int] | None], *asked: *_Asked
    ) -> tuple[list[_Item], int]:
        """Read a list of what ``read`` reads: its members, [] if there are none, and the next index."""
        found: list[_Item] = []
        following, end = at, at
        while len(found) < _MAX_LIST and (one := self.once(read, following, *asked)):
            found.append(one[0])
            end = one[1]
            following = self.separator(end)
            if following == end and self.low(end) != '"':
                # The comma of a list of quoted names stands inside the marks.
                break
        return found, end

    def joined(self, start: int, end: int) -> str:
        """Put tokens together again as printed, without an abbreviation in brackets."""
        words: list[str] = []
        for at in range(start, end):
            if self.kind(at) != "paren":
                words.append(("" if self.touches(at) or not words else " ") + self.text(at))
            elif not self.text(at).isupper():
                words.append(f" ({self.text(at)})")
        return re.sub(r"(?<! )- ", "-", "".join(words))

    def alias(self, at: int) -> tuple[str, int] | None:
        """Read a name of a document of the corpus: its doc_id and the next index."""
        return self.names.alias(self._tokens, at)

    def booklet(self, at: int) -> tuple[str, int] | None:
        """Read a booklet's name without marks, and the word "booklet": its doc_id and the next index."""
        return self.names.booklet_at(self._tokens, at)

    def reference(
        self, start: int, end: int, acts: list[Act], paths: list[Path], rule: str, kind: str = "", title: str = ""
    ) -> Reference:
        """Make a reference of these tokens, without ``end``."""
        first, last = self._tokens[start].start, self._tokens[end - 1].end
        return Reference(first, last, paths, acts, rule=rule, kind=kind, title=title)

    def placed(self, start: int, end: int, paths: list[Path], acts: list[Act]) -> Found:
        """Make a citation of places; of the text's own document where there are no acts."""
        kind = paths[0][-1].level if paths[0] else "act"
        return [self.reference(start, end, acts, paths, "outline", kind)], end

    def instrument(self, start: int, end: int, kind: str, refs: list[str], paths: list[Path] | None = None) -> Found:
        """Make a citation of instruments, and step over a quoted title after it, which names nothing else."""
        acts = [Act("named", kind, ref) for ref in dict.fromkeys(refs)]
        return [self.reference(start, end, acts, paths or [()], kind, kind)], self.past_title(end)

    def past_title(self, at: int) -> int:
        """Step over a quoted title, with the comma before it or in brackets; ``at`` if there is none."""
        bracketed = self.low(at) == "("
        following = at + 1 if bracketed or self.low(at) in (",", ":") else at
        if self.low(following) != '"':
            return at
        for closing in range(following + 1, following + _MAX_TITLE):
            if self.low(closing) == '"':
                return closing + 1 + (bracketed and self.low(closing + 1) == ")")
        return at

    def past_heading(self, at: int) -> int:
        """Step over a heading in brackets, "Schedule 1 (fees and charges)"; ``at`` if there is none.

        Brackets with a number in them may be a citation, and are no heading. Marks like "(a)" are read before.
        """
        if self.kind(at) == "paren" and self.text(at).isalpha():
            return at + 1
        if self.low(at) != "(":
            return at
        for closing in range(at + 1, at + _MAX_HEADING):
            if self.low(closing) == ")":
                return closing + 1
            if self.kind(closing) != "word" and self.low(closing) not in (",", "-", "'"):
                return at
        return at
