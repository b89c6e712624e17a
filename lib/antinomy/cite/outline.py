"""Citations in laws and rulebooks with continuous numbers: sections, rules, paragraphs, parts, schedules.

    phrase = place { "," place } [ holder ]          "Schedule 2, paragraph 3(a)"
    place  = WORD value { sep value }                see outline_numbers
           | ("this" | "that") WORD
    holder = ("of" | "to" | "in") ( place | act )    "of this section", "to part 30", "of the Gramm-Leach-Bliley Act"

``outline_places`` finds out what the words mean in a document, where a "rule" may be a section of its tree. Citations
of US and European instruments are read by the grammar parts for those.
"""

from __future__ import annotations

import re
from dataclasses import replace

from antinomy.cite.act_names import ActNames
from antinomy.cite.cursor import CAPITALS, MARK, NUMBER, Cursor, Found
from antinomy.cite.eu import EuPhrases
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act, Path, Reference, Step
from antinomy.cite.outline_numbers import GOES_ON, LEVEL_WORDS, OutlineNumbers
from antinomy.cite.rule_sets import RuleSets
from antinomy.cite.series import Series, code, year_serial
from antinomy.cite.statutes import Statutes

#: What "this …" may mean: the document as a whole.
_WHOLE = frozenset({
    "act", "regulation", "regulations", "rule", "rules", "rulebook", "notice", "order", "code", "circular", "directive",
    "guideline", "guidelines", "law", "ordinance", "instrument", "handbook", "document", "standard", "policy",
    "direction", "directions", "guide", "module", "manual", "statement",
})  # fmt: skip
#: Those of them that are also written in lower case.
_SMALL_WHOLE = frozenset({
    "act", "regulations", "rules", "rulebook", "notice", "handbook", "circular", "directions", "guideline", "module",
    "document",
})  # fmt: skip
#: A law's short name, as printed after an article's number: "BankO", "FSMA".
_SHORTENED = re.compile(r"(?=.{2,9}$)[A-Z][A-Za-z]*[A-Z]$")
_POINTING = {"this": "this", "these": "this", "that": "that", "those": "that"}
#: Places cited as "of this title" of a code; an appendix "of this title" is the document's own.
_OF_TITLE = frozenset({"chapter", "part", "subpart", "section"})
_MAX_STEPS = 8
_MAX_NAME = 14
_MAX_LIST = 20
#: Digits of a module's chapter: a longer number after its name is an amount or a year.
_MAX_CHAPTER = 2
#: The kind of a document has no more words than this: "this Prudential Practice Guide".
_MAX_KIND = 3
_SMALL_WORDS = frozenset({"of", "and", "the", "for", "to", "in", "on"})


class OutlinePlaces:
    """Reads a document's own places, and places of the instruments named after them."""

    starts = (*LEVEL_WORDS, *_POINTING, NUMBER, CAPITALS, MARK)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._numbers = OutlineNumbers(tokens)
        self._acts = ActNames(tokens)
        self._statutes = Statutes(tokens)
        self._series = Series(tokens)
        self._rule_sets = RuleSets(tokens)

    def read(self, at: int) -> Found | None:
        """Read a place with its holder, or a rule by its number alone."""
        if self._tokens.low(at) in _POINTING:
            return self._demonstrative(at)
        read = self._numbers.place(at) or self._numbers.rule_number(at)
        if read is not None:
            return self._listed(at, *read) or self._held(at, *read)
        if self._is_book(at) and (read := self._numbers.rule_number(at + 1) or self._known_book(at)) is not None:
            paths, end = read
            acts = [self._book(at)]
            if self._tokens.low(end) == "to" and self._tokens.text(end + 1) == self._tokens.text(at):
                # "HARB 2.3.1R to HARB 2.3.3R"
                more = self._numbers.rule_number(end + 2) or self._known_book(end + 1)
                longer = self._numbers.joined(paths, more[0], True) if more else paths
                if more and longer is not paths:
                    paths, end = longer, more[1]
            return [self._reference(at, end, paths, acts)], end
        bare = self._numbers.bare(at)
        if bare is not None and self._tokens.low(bare[1]) == "of":
            return self._held(at, *bare)
        if bare is not None:
            reference = self._reference(at, bare[1], bare[0], [])
            return [replace(reference, rule="bare number")], bare[1]
        return None

    def behind(self, start: int, references: list[Reference], end: int) -> Found | None:
        """Read the place after an act's name: "Harbours Act 2040, section 5(1)", "Beacon Part 5.1"."""
        place = self._numbers.place(end + 1) if self._tokens.low(end) == "," else self._numbers.dotted(end)
        if place is None or self._tokens.low(place[1]) == "of":
            return None
        return [self._reference(start, place[1], place[0], references[0].acts)], place[1]

    def _demonstrative(self, at: int) -> Found | None:
        how = _POINTING[self._tokens.low(at)]
        level = self._numbers.level(at + 1)
        sure = level is None or self._tokens.text(at + 1)[:1].isupper() or self._tokens.low(at) == "these"
        whole = self._whole(at + 1) if how == "this" and sure else 0
        if whole:
            return [self._reference(at, whole, [()], [Act("this", "act")])], whole
        if level is None or self._tokens.kind(level[2]) in ("num", "paren"):
            return None
        path: Path = (Step(level[0], how=how),)
        return self._held(at, [path], level[2])

    def _listed(self, start: int, paths: list[Path], end: int) -> Found | None:
        """Read places that each have their word, with an act behind the last: "section 3 and section 9 of FSMA".

        None where no act is named behind them: then each is a citation of its own.
        """
        level = paths[0][0].level
        if level not in ("section", "article") or "." in paths[0][0].value:
            return None
        paths = list(paths)
        first = len(paths)
        while len(paths) < _MAX_LIST:
            following = self._tokens.separator(end)
            more = self._numbers.place(following) if following > end else None
            if more is None or any(path[0].level != level or "." in path[0].value for path in more[0]):
                break
            paths, end = paths + more[0], more[1]
        if len(paths) == first:
            return None
        found = self._held(start, paths, end)
        named = found is not None and found[0][0].acts and found[0][0].acts[0].how == "named"
        return found if named else None

    def _held(self, start: int, paths: list[Path], end: int) -> Found | None:
        """Read the holders of the places: further places, inside out, then an act."""
        acts: list[Act] = []
        for _ in range(_MAX_STEPS):
            following = end + 1 if self._tokens.low(end) == "," else end
            if self._tokens.low(following) not in ("of", "to", "in", "under") or self._tokens.touches(following):
                break
            after = following + 1
            if self._tokens.low(after) == "the":
                after += 1
            named = (
                self._title(after) or self._acts.named_behind_of(following + 1) or self._statutes.behind_of(following)
            )
            named = named or self._series.acts(after) or self._instrument(after) or self._abbreviation(after)
            named = named or (self._rule_set(after) if after > following + 1 else None)
            if named is not None:
                acts, end = named
                paths = list(map(_in_statute, paths)) if acts[0].kind == "statute" else paths
                break
            how = _POINTING.get(self._tokens.low(after), "")
            whole = self._whole(after + 1) if how else 0
            if whole:
                acts, end = [Act(how, "act" if how == "this" else "law")], whole
                break
            holder = self._holder(after)
            if holder is None or not self._wraps(holder[0], paths[0][0], self._tokens.low(following)):
                break
            paths = [holder[0] + path for path in paths]
            end = holder[1]
        if not acts and paths[0][0].level in ("article", "section") and paths[0][0].how == "number":
            start, acts, end = self._beside(start, end)
            paths = list(map(_in_statute, paths)) if acts and acts[0].kind == "statute" else paths
        return [self._reference(start, end, paths, acts)], end

    def _beside(self, start: int, end: int) -> tuple[int, list[Act], int]:
        """Read the law printed beside its section without "of": "Companies Act 2006, s. 5", "Art. 5 BankO"."""
        before = self._statutes.before(start)
        if before is not None:
            return before[1], [Act("named", "statute", before[0])], end
        text = self._tokens.text(end)
        shortened = self._tokens.kind(end) == "word" and _SHORTENED.match(text) and not self._tokens.touches(end)
        return (start, [Act("named", "instrument", text)], end + 1) if shortened else (start, [], end)

    def _whole(self, at: int) -> int:
        """Read a name of the document as a whole: "Notice", "these rules", "Prudential Standard"; the next index.

        0 if there is none; in lower case "rule" is a provision.
        """
        if self._tokens.low(at) == "policy" and self._tokens.text(at + 1).islower():
            at += 1
        if self._tokens.low(at) in _SMALL_WHOLE:
            return at + 1
        for end in range(at, at + _MAX_KIND):
            if not self._tokens.text(end)[:1].isupper() or self._tokens.kind(end) != "word":
                return 0
            if self._tokens.low(end) in _WHOLE:
                return end + 1
        return 0

    def _instrument(self, at: int) -> tuple[list[Act], int] | None:
        """Read the name of an instrument that has no number: "Harbours (Fees) Regulations 2031"."""
        words: list[str] = []
        end = named = at
        kept = 0
        while len(words) < _MAX_NAME and (
            self._tokens.text(end)[:1].isupper() or (words and self._tokens.low(end) in (*_SMALL_WORDS, "("))
        ):
            if self._tokens.low(end) == "(":
                # "Harbour Dues (Exemption of Boats) Order"
                closed = next((n for n in range(end + 1, end + _MAX_NAME) if self._tokens.low(n) == ")"), end)
                if not self._tokens.text(end + 1)[:1].isupper() or closed == end:
                    break
                words += self._tokens.joined(end, closed + 1).split()
                end = closed + 1
                continue
            words.append(f"({self._tokens.text(end)})" if self._tokens.kind(end) == "paren" else self._tokens.text(end))
            end += 1
            if self._tokens.low(end - 1) in instruments().named_by_last_word and len(words) > 1:
                named, kept = end, len(words)
        if named == at:
            return None
        del words[kept:]
        number = self._serial(named) if self._tokens.low(named - 1) in instruments().numbered else None
        if number is not None:
            words.append(number[0])
            named = number[1]
        elif self._tokens.kind(named) == "num" and len(self._tokens.text(named)) == 4:
            words.append(self._tokens.text(named))
            named += 1
        return [Act("named", "instrument", " ".join(words))], named

    def _rule_set(self, at: int) -> tuple[list[Act], int] | None:
        """Read the name of a rulebook's Part, "Outsourcing Part" after "rule 2.1 of the"."""
        named = self._rule_sets.named(at)
        if named is None or not named[2] or self._tokens.kind(named[1]) in ("num", "paren"):
            return None
        return [Act("named", "rule set", named[0])], named[1]

    def _serial(self, at: int) -> tuple[str, int] | None:
        """Read "655", "No. 12", "LPS 1", "2018/3" after "Notice", "Circular", "Prudential Standard"."""
        if self._tokens.low(at) == "no":
            at += 2 if self._tokens.low(at + 1) == "." else 1
        letters = self._tokens.text(at)
        if letters.isupper() and letters.isalpha() and self._tokens.kind(at + 1) == "num":
            return f"{letters} {self._tokens.text(at + 1)}", at + 2
        return code(self._tokens, at) or year_serial(self._tokens, at)

    def _abbreviation(self, at: int) -> tuple[list[Act], int] | None:
        """Read "CPG 234", "OR-2", "FSMA"; without a number it may be any noun: the sentence has to go on after it."""
        text = self._tokens.text(at)
        if self._tokens.kind(at) != "word" or len(text) > 8 or not text.isupper():
            return None
        if joined := code(self._tokens, at):
            return [Act("named", "instrument", joined[0])], joined[1]
        if numbered := code(self._tokens, at + 1):
            return [Act("named", "instrument", f"{text} {numbered[0]}")], numbered[1]
        if len(text) < 3:
            return None
        following = self._tokens[at + 1] if at + 1 < len(self._tokens) else None
        if following is not None and following.kind != "mark" and following.low not in GOES_ON:
            return None
        return [Act("named", "instrument", text)], at + 1

    def _title(self, at: int) -> tuple[list[Act], int] | None:
        """Read "title 12, United States Code" and "title 12 of the Code of Federal Regulations"."""
        if self._tokens.low(at) != "title" or self._tokens.kind(at + 1) != "num":
            return None
        end = at + 2
        following = end + 1 if self._tokens.low(end) in (",", "of") else end
        if self._tokens.low(following) == "the":
            following += 1
        for words, name in (("united states code", "USC"), ("code of federal regulations", "CFR")):
            if behind := self._tokens.words(following, words):
                return [Act("named", name.lower(), f"{self._tokens.text(at + 1)} {name}")], behind
        return [Act("named", "title", f"title {self._tokens.text(at + 1)}")], end

    def _holder(self, at: int) -> tuple[Path, int] | None:
        if self._tokens.low(at) in ("this", "that"):
            if self._tokens.low(at + 1) == "title":
                # A title of a code holds the document.
                return (Step("title", how="this"),), at + 2
            level = self._numbers.level(at + 1)
            if level is None:
                return None
            how = self._tokens.low(at)
            return (Step(level[0], how=how),), level[2]
        read = self._numbers.place(at)
        return (read[0][0], read[1]) if read is not None and len(read[0]) == 1 else None

    def _wraps(self, outer: Path, inner: Step, link: str) -> bool:
        """Tell whether a place may hold another; with "to" only an appendix is held: "Appendix A to part 30"."""
        if link == "to":
            return inner.level in ("appendix", "annex", "schedule")
        if link == "under":
            return False
        if outer[-1].level == "title":
            return inner.level in _OF_TITLE
        return inner.how == "number" and (outer[-1].level != inner.level or inner.level in ("point", "part"))

    def _is_book(self, at: int) -> bool:
        """Tell whether a word can be a module's name before a rule's number: "HARB 2.3.4R"."""
        return (
            self._tokens.kind(at) == "word" and self._tokens.text(at).isupper() and 3 <= len(self._tokens.text(at)) <= 8
        )

    def _known_book(self, at: int) -> tuple[list[Path], int] | None:
        """Read "HARB 2.3", only after a known name: "USD 2.3" is no place."""
        known = self._tokens.alias(at)
        listed = self._tokens.text(at) in instruments().books and len(self._tokens.text(at + 1)) <= _MAX_CHAPTER
        if not listed and (known is None or known[1] != at + 1):
            return None
        # A number without a point is a chapter's: "HARB 2".
        return self._numbers.dotted(at + 1) or self._numbers.values(at + 1, "chapter")

    def _book(self, at: int) -> Act:
        known = self._tokens.alias(at)
        return Act("named", "book", known[0] if known else self._tokens.text(at))

    def _reference(self, start: int, end: int, paths: list[Path], acts: list[Act]) -> Reference:
        return self._tokens.reference(start, end, acts, paths, "outline", paths[0][-1].level if paths[0] else "act")


def _in_statute(path: Path) -> Path:
    """Join a statute's section and its marks, as the other grammars do."""
    level = "section" if path[0].level == "paragraph" and path[0].value[:1].isdigit() else path[0].level
    return (replace(path[0], level=level, value=path[0].value + "".join(f"({step.value})" for step in path[1:])),)


class PlacesOfSeries:
    """Reads places after an instrument that has a number: "CPS 234, paragraph 20"."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._series = Series(tokens)
        self._numbers = OutlineNumbers(tokens)
        self.starts = self._series.starts

    def read(self, at: int) -> Found | None:
        """Read the instruments and the places; None if there are only the instruments."""
        found = self._series.acts(at)
        if found is None:
            return None
        acts, end = found[0], self._tokens.past_title(found[1])
        place = self._numbers.place(end + 1 if self._tokens.low(end) == "," else end)
        if place is None or self._tokens.low(place[1]) == "of":
            return None
        return [self._tokens.reference(at, place[1], acts, place[0], "outline", place[0][0][-1].level)], place[1]


class NamedDocuments:
    """Reads the names of European acts and of other documents, with the places after them."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._phrases = EuPhrases(tokens)
        self._places = OutlinePlaces(tokens)
        self.starts = self._phrases.starts

    def read(self, at: int) -> Found | None:
        """Read the documents named from a token on; None if a place among them belongs to none."""
        found = self._phrases.read(at)
        if found is not None and len(found[0]) == 1 and found[0][0].paths == [()]:
            found = self._places.behind(at, *found) or found
        return found if found is not None and all(reference.names_act for reference in found[0]) else None
