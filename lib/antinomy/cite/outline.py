"""Citations in laws and rulebooks that are numbered through: sections, rules, paragraphs, parts, schedules.

    phrase = place { "," place } [ holder ]          "Schedule 2, paragraph 3(a)"
    place  = WORD value { sep value }                "section 900.3(b) and (c)", "§§ 30.1 through 30.4"
           | ("this" | "that") WORD
    value  = NUMBER { "(" MARK ")" } | "(" MARK ")" { "(" MARK ")" }
    holder = ("of" | "to" | "in") ( place | act )    "of this section", "to part 30", "of the Gramm-Leach-Bliley Act"

What the words mean in a document (a "rule" may be a section of its tree) is for ``outline_places`` to find out. What is
of US or European instruments is read by their grammars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.cite.codes import Found
from antinomy.cite.cursor import Cursor
from antinomy.cite.eu import EuGrammar
from antinomy.cite.model import Act, Path, Reference, Step, Token
from antinomy.cite.names import Names
from antinomy.cite.statutes import Statutes

#: Word → level. Singular and plural; "regulation" and "article" only in small letters or beside a number.
LEVELS = {
    "section": "section", "sec": "section", "§": "section", "rule": "rule", "article": "article", "art": "article",
    "paragraph": "paragraph", "para": "paragraph", "subsection": "paragraph", "subparagraph": "paragraph",
    "clause": "paragraph", "subclause": "paragraph", "subrule": "paragraph", "point": "paragraph", "item": "paragraph",
    "part": "part", "subpart": "subpart", "chapter": "chapter", "schedule": "schedule", "annex": "annex",
    "appendix": "appendix", "regulation": "rule",
}  # fmt: skip
_PLURALS = {"appendices": "appendix", "annexes": "annex", "clauses": "clause", "§§": "§"}
#: Levels whose numbers may be letters or Roman numbers.
_LETTERED = frozenset({"part", "subpart", "chapter", "schedule", "annex", "appendix"})
_PARAGRAPH = frozenset({"paragraph"})
#: Level → levels that may follow it, outer to inner: "Part 2, section 5".
_INSIDE = {
    "part": frozenset({"subpart", "chapter", "section", "rule", "article", "paragraph"}),
    "chapter": frozenset({"section", "rule", "article", "paragraph"}),
    "subpart": frozenset({"section", "paragraph"}),
    **dict.fromkeys(("schedule", "annex", "appendix"), frozenset({"part", "section", "paragraph"})),
}
#: What "this …" may mean: the document as a whole.
_WHOLE = frozenset({
    "act", "regulation", "regulations", "rule", "rules", "rulebook", "notice", "order", "code", "circular", "directive",
    "guideline", "guidelines", "law", "ordinance", "instrument", "handbook", "document", "standard", "policy",
})  # fmt: skip
_MARK = re.compile(r"[0-9]{1,3}[a-z]?$|([a-z])\1?$|([A-Z])\2?$|[ivxl]{1,6}$|[IVXL]{1,6}$")
_ROMAN = re.compile(r"[IVXLC]{1,7}$")
_SUFFIX = frozenset("RGED")
_RANGE = ("to", "through", "-")
#: Of these, the ones that are also written small.
_SMALL_WHOLE = frozenset({"act", "regulations", "rules", "rulebook", "notice", "handbook"})
#: A number before one of these counts something.
_COUNTED = frozenset({
    "days", "day", "hours", "hour", "months", "month", "years", "year", "weeks", "business", "calendar", "percent",
    "million", "billion", "%", "thousand", "cfr", "usc", "u", "c",
})  # fmt: skip
_MAX_STEPS = 8
_MAX_NAME = 14
_SMALL_WORDS = frozenset({"of", "and", "the", "for", "to", "in", "on"})
#: Last words of the names of instruments.
_INSTRUMENTS = frozenset({
    "act", "regulations", "rules", "order", "code", "law", "ordinance", "directive", "handbook", "manual", "rulebook",
    "agreement", "convention", "constitution", "statute", "scheme", "notice", "guidelines", "standards", "circular",
})  # fmt: skip
_MAX_VALUES = 40


class OutlineGrammar:
    """Reads the citations out of one text's tokens: its own places, and by others' grammars what is not its own."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        """Read these tokens, with these names for documents."""
        self._places = _Places(tokens, names)
        self._us = Statutes(tokens, names)
        self._eu = EuGrammar(tokens, names)

    def phrase(self, at: int) -> Found | None:
        """Read the citation that starts at a token; see ``Instruments.phrase``."""
        if self._us.starts(at) and (found := self._us.phrase(at)):
            return found
        return self._places.phrase(at, self._us, self._eu)

    def act(self, at: int) -> Found | None:
        """Read the name of a European act, or of another document, that starts at a token, with a place behind it."""
        found = self._eu.phrase(at)
        if found is not None and len(found[0]) == 1 and found[0][0].paths == [()]:
            return self._places.of_act(at, *found) or found
        return found


class _Places(Cursor):
    """Reads places by the numbers that are printed before them."""

    def phrase(self, at: int, us: Statutes, eu: EuGrammar) -> Found | None:
        """Read a place with what holds it; ``us`` and ``eu`` read the names of instruments."""
        if self._low(at) in ("this", "that", "these", "those"):
            return self._demonstrative(at, us, eu)
        read = self._place(at) or self._rule_number(at)
        if read is not None:
            return self._held(at, *read, us, eu)
        if self._is_book(at) and (read := self._rule_number(at + 1) or self._known_book(at)) is not None:
            paths, end = read
            return [self._reference(at, end, paths, [self._book(at)])], end
        return None

    def of_act(self, start: int, references: list[Reference], end: int) -> Found | None:
        """Read the place behind an act's name: "Harbours Act 2040, section 5(1)"."""
        place = self._place(end + 1) if self._low(end) == "," else None
        if place is None or self._low(place[1]) == "of":
            return None
        return [self._reference(start, place[1], place[0], references[0].acts)], place[1]

    def _demonstrative(self, at: int, us: Statutes, eu: EuGrammar) -> Found | None:
        how = "this" if self._low(at) in ("this", "these") else "that"
        level = self._level(at + 1)
        sure = level is None or self._text(at + 1)[:1].isupper() or self._low(at) == "these"
        if how == "this" and sure and self._whole(at + 1):
            return [self._reference(at, at + 2, [()], [Act("this", "act")])], at + 2
        if level is None or self._kind(level[2]) in ("num", "paren"):
            return None
        path: Path = (Step(level[0], how=how),)
        return self._held(at, [path], level[2], us, eu)

    def _held(self, start: int, paths: list[Path], end: int, us: Statutes, eu: EuGrammar) -> Found | None:
        """Read what holds the places: more places, inside out, then an act."""
        acts: list[Act] = []
        for _ in range(_MAX_STEPS):
            following = end + 1 if self._low(end) == "," else end
            if self._low(following) not in ("of", "to", "in", "under") or self._touches(following):
                break
            after = following + 1
            if self._low(after) == "the":
                after += 1
            named = self._title(after) or eu.act_behind(following + 1) or us.statute_of(following)
            named = named or self._instrument(after)
            if named is not None:
                acts, end = named
                paths = list(map(_in_statute, paths)) if acts[0].kind == "statute" else paths
                break
            if self._low(after) in ("this", "these") and self._whole(after + 1):
                acts, end = [Act("this", "act")], after + 2
                break
            holder = self._holder(after)
            if holder is None or not self._wraps(holder[0], paths[0][0], self._low(following)):
                break
            paths = [holder[0] + path for path in paths]
            end = holder[1]
        return [self._reference(start, end, paths, acts)], end

    def _whole(self, at: int) -> bool:
        """Tell whether a word means the document as a whole: "Notice", "these rules"; a small "rule" is a provision."""
        return self._low(at) in _WHOLE and (self._text(at)[:1].isupper() or self._low(at) in _SMALL_WHOLE)

    def _instrument(self, at: int) -> tuple[list[Act], int] | None:
        """Read the name of an instrument that has no number: "Harbours (Fees) Regulations 2031"."""
        words: list[str] = []
        end = named = at
        while len(words) < _MAX_NAME and (self._text(end)[:1].isupper() or (words and self._low(end) in _SMALL_WORDS)):
            words.append(f"({self._text(end)})" if self._kind(end) == "paren" else self._text(end))
            end += 1
            if self._low(end - 1) in _INSTRUMENTS and len(words) > 1:
                named = end
        if named == at:
            return None
        del words[named - at :]
        if self._kind(named) == "num" and len(self._text(named)) == 4:
            words.append(self._text(named))
            named += 1
        return [Act("named", "instrument", " ".join(words))], named

    def _title(self, at: int) -> tuple[list[Act], int] | None:
        """Read "title 12, United States Code" and "title 12 of the Code of Federal Regulations"."""
        if self._low(at) != "title" or self._kind(at + 1) != "num":
            return None
        end = at + 2
        following = end + 1 if self._low(end) in (",", "of") else end
        if self._low(following) == "the":
            following += 1
        for words, code in (("united states code", "USC"), ("code of federal regulations", "CFR")):
            if behind := self._words(following, words):
                return [Act("named", code.lower(), f"{self._text(at + 1)} {code}")], behind
        return [Act("named", "title", f"title {self._text(at + 1)}")], end

    def _holder(self, at: int) -> tuple[Path, int] | None:
        if self._low(at) in ("this", "that"):
            level = self._level(at + 1)
            if level is None:
                return None
            how = self._low(at)
            return (Step(level[0], how=how),), level[2]
        read = self._place(at)
        return (read[0][0], read[1]) if read is not None and len(read[0]) == 1 else None

    def _wraps(self, outer: Path, inner: Step, link: str) -> bool:
        """Tell whether a place may hold another; "to" holds an appendix only: "Appendix A to part 30"."""
        if link == "to":
            return inner.level in ("appendix", "annex", "schedule")
        if link == "under":
            return False
        return inner.how == "number" and (outer[-1].level != inner.level or inner.level in ("point", "part"))

    # -- places

    def _level(self, at: int) -> tuple[str, bool, int] | None:
        """Read a level's word: (level, plural, next)."""
        word = self._low(at)
        if word == "sub" and self._low(at + 1) == "-":
            word, at = "sub" + self._low(at + 2), at + 2
        single = _PLURALS.get(word) or (word if word in LEVELS else word.removesuffix("s"))
        level = LEVELS.get(single)
        if level is None or (single == "regulation" and self._text(at)[:1].isupper()):
            return None
        following = at + 1
        if word == "§" and self._low(following) == "§":
            return level, True, following + 1
        if single in ("sec", "art", "para") and self._low(following) == ".":
            following += 1
        return level, word != single, following

    def _place(self, at: int) -> tuple[list[Path], int] | None:
        named = self._level(at)
        if named is None:
            return None
        level, _, following = named
        found = self._values(following, level)
        if found is None:
            sole = level in ("schedule", "annex", "appendix") and self._text(at)[:1].isupper()
            if not sole or self._low(at - 1) not in ("the", "this", "that"):
                return None
            return [(Step(level),)], following
        paths, end = found
        # Outer to inner: "Schedule 2, paragraph 3(a)".
        inner_at = end + 1 if self._low(end) == "," else end
        inner = self._level(inner_at)
        if len(paths) == 1 and inner is not None and inner[0] in _INSIDE.get(level, _PARAGRAPH):
            more = self._place(inner_at)
            marked = more is not None and all(path[0].level == "point" for path in more[0])
            held = more is not None and self._low(more[1]) in ("of", "to")
            if more is not None and (level in _LETTERED or (marked and not held)):
                return [paths[0] + path for path in more[0]], more[1]
        return paths, end

    def _values(self, at: int, level: str) -> tuple[list[Path], int] | None:
        first = self._value(at, level)
        if first is None:
            return None
        paths, end = [first[0]], first[1]
        while len(paths) < _MAX_VALUES:
            ranged = self._low(end) in _RANGE
            following = end + 1 if ranged else self._separator(end)
            if following == end:
                break
            if self._low(following) == "§":
                following += 1
            more = self._marks(following)
            if more[0]:
                path = _carried(paths[-1], more[0])
                after = more[1]
            else:
                value = self._value(following, level)
                if value is None or self._low(value[1]) in _COUNTED:
                    break
                path, after = value
            if ranged and len(path) == len(paths[-1]) and not paths[-1][-1].upto:
                paths[-1] = (*path[:-1], replace(paths[-1][-1], upto=path[-1].value))
            elif ranged:
                break
            else:
                paths.append(path)
            end = after
        return paths, end

    def _value(self, at: int, level: str) -> tuple[Path, int] | None:
        """Read one number with its marks, or marks alone."""
        number, end = self._number(at, level)
        if number:
            letters, end = self._letters(end) if number.isalpha() else ([], end)
            marks, end = self._marks(end)
            marks = letters + marks
            return (Step(level, number), *(Step("point", mark) for mark in marks)), end
        if level != "paragraph":
            return None
        marks, end = self._marks(at)
        return (tuple(Step("point", mark) for mark in marks), end) if marks else None

    def _number(self, at: int, level: str) -> tuple[str, int]:
        """Read "900.3", "2.3.4R", "5A", for a part or schedule also "IV" and "A-1"; "" if none stands there."""
        if self._kind(at) == "num":
            number, at = self._text(at), at + 1
            while (
                self._low(at) in (".", "-")
                and self._touches(at)
                and self._kind(at + 1) == "num"
                and self._touches(at + 1)
                and len(number) < 30
            ):
                number, at = f"{number}{self._text(at)}{self._text(at + 1)}", at + 2
            suffix = self._text(at)
            if self._kind(at) == "word" and len(suffix) == 1 and suffix.isupper():
                apart = not self._touches(at)
                if not apart or ("." in number and suffix in _SUFFIX):
                    number, at = number + suffix, at + 1
            return number, at
        text = self._text(at)
        roman = level in _LETTERED | {"section"} and _ROMAN.match(text)
        letter = len(text) == 1 and text.isupper() and (level in _LETTERED or (level == "paragraph" and text != "I"))
        if self._kind(at) == "word" and (roman or letter):
            at += 1
            if self._low(at) == "-" and self._touches(at) and self._kind(at + 1) == "num" and self._touches(at + 1):
                return f"{text}-{self._text(at + 1)}", at + 2
            return text, at
        return "", at

    def _letters(self, at: int) -> tuple[list[str], int]:
        """Read what follows a Roman number: "II.C.1"."""
        found: list[str] = []
        while self._low(at) == "." and self._touches(at) and self._touches(at + 1) and len(found) < _MAX_STEPS:
            if self._kind(at + 1) != "num" and len(self._text(at + 1)) != 1:
                break
            found.append(self._text(at + 1))
            at += 2
        return found, at

    def _marks(self, at: int) -> tuple[list[str], int]:
        marks: list[str] = []
        while self._kind(at) == "paren" and _MARK.match(self._text(at)) and len(marks) < _MAX_STEPS:
            marks.append(self._text(at))
            at += 1
        return marks, at

    def _rule_number(self, at: int) -> tuple[list[Path], int] | None:
        """Read a rule by its number alone: "2.3.4R", "2.3.4 G(2)"."""
        if self._kind(at) != "num":
            return None
        number = self._number(at, "rule")[0]
        if number.count(".") < 1 or number[-1] not in _SUFFIX:
            return None
        return self._values(at, "rule")

    def _is_book(self, at: int) -> bool:
        """Tell whether a word can be a module's name before a rule's number: "HARB 2.3.4R"."""
        return self._kind(at) == "word" and self._text(at).isupper() and 3 <= len(self._text(at)) <= 8

    def _known_book(self, at: int) -> tuple[list[Path], int] | None:
        """Read "HARB 2.3": only behind a known name, for "USD 2.3" is none."""
        known = self._names.alias(self._tokens, at)
        return self._values(at + 1, "rule") if known is not None and known[1] == at + 1 else None

    def _book(self, at: int) -> Act:
        known = self._names.alias(self._tokens, at)
        return Act("named", "book", known[0] if known else self._text(at))

    def _reference(self, start: int, end: int, paths: list[Path], acts: list[Act]) -> Reference:
        kind = paths[0][-1].level if paths[0] else "act"
        return Reference(self._tokens[start].start, self._tokens[end - 1].end, paths, acts, rule="outline", kind=kind)


def _in_statute(path: Path) -> Path:
    """Write a statute's section with its marks in one, as the other grammars do."""
    return (replace(path[0], value=path[0].value + "".join(f"({step.value})" for step in path[1:])),)


def _carried(before: Path, marks: Sequence[str]) -> Path:
    """Let marks alone go on from the value before them: "(2)" behind "(a)(1)" is "(a)(2)"."""
    steps = tuple(Step("point", mark) for mark in marks)
    for at in range(len(before) - 1, -1, -1):
        if before[at].level == "point" and _alike(before[at].value, marks[0]):
            return (*before[:at], *steps)
    return (*before, *steps)


def _alike(one: str, other: str) -> bool:
    """Tell whether two marks can be numbers of one list."""
    if one[:1].isdigit() or other[:1].isdigit():
        return one[:1].isdigit() and other[:1].isdigit()
    if one.isupper() != other.isupper():
        return False
    if (len(one) > 1) != (len(other) > 1):
        return all(char in "ivxlIVXL" for char in one + other)
    return True
