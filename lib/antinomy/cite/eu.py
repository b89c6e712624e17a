"""European citations: a recursive-descent grammar over tokens.

    phrase    = chain { sep chain }                       a suffix is shared by chains of one level before it
    chain     = component { [","] component } [ suffix ]  outer to inner: "Article 5(2), points (a) to (d)"
    suffix    = { [","] "of" chain } [ [","] "of" acts ]  inner to outer: "points (a) to (d) of Article 5(2)"
    component = LEVEL values | ordinals LEVEL | ("this" | "that") LEVEL
    values    = value { ("," | "and" | "or" | "to") value }
    value     = NUMBER { "(" NUMBER ")" }
    acts      = ("this" | "that") ACT | ACT item { sep item } | treaty | alias

Every attempt that fails has looked at a bounded number of tokens, so a text is read in linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from antinomy.cite.act_names import ActGrammar
from antinomy.cite.acts import COMMUNITIES, KINDS
from antinomy.cite.model import Act, Path, Reference, Step

#: Word → level; plural forms too.
LEVELS = {
    "annex": "annex", "annexes": "annex", "part": "part", "parts": "part",
    "title": "title", "titles": "title",
    "chapter": "chapter", "chapters": "chapter", "section": "section", "sections": "section",
    "article": "article", "articles": "article", "art": "article", "arts": "article",
    "recital": "recital", "recitals": "recital",
    "paragraph": "paragraph", "paragraphs": "paragraph", "para": "paragraph", "paras": "paragraph",
    "subparagraph": "subparagraph", "subparagraphs": "subparagraph",
    "point": "point", "points": "point", "indent": "indent", "indents": "indent",
    "sentence": "sentence", "sentences": "sentence",
}  # fmt: skip
_CAPITAL = {"annex", "part", "title", "chapter", "section"}
ORDINALS = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "eighth": "8", "ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12",
    "last": "last", "final": "last",
}  # fmt: skip
_COUNTED = {"paragraph", "subparagraph", "indent", "sentence"}

_BELOW_POINT = {"point", "subparagraph", "indent", "sentence"}
#: What may stand inside what.
INSIDE: dict[str, set[str]] = {
    "annex": {"part", "title", "chapter", "section", "paragraph"} | _BELOW_POINT,
    "part": {"title", "chapter", "section", "article", "paragraph", "point"},
    "title": {"chapter", "section", "article"},
    "chapter": {"section", "article"},
    "section": {"article", "paragraph"} | _BELOW_POINT,
    "article": {"paragraph"} | _BELOW_POINT,
    "recital": {"subparagraph", "point", "sentence"},
    "paragraph": _BELOW_POINT,
    "subparagraph": {"point", "indent", "sentence"},
    "point": _BELOW_POINT,
    "indent": {"point", "sentence"},
    "sentence": set(),
}
_ROMAN = re.compile(r"[IVXLC]{1,7}[a-z]?$")
# Places that only a whole instrument has.
_OWN_PLACES = {"annex", "part", "title", "chapter", "section", "article", "recital"}
_SMALL_ROMAN = re.compile(r"[ivx]+$")
_MAX_STEPS = 8
_MAX_ORDINALS = 12
_MAX_SHARED = 64
# What may follow a number that stands off from its keyword: nothing that the number could count.
_AFTER_BARE = {
    "", "of", "and", "or", "shall", "may", "is", "are", "apply", "applies", "respectively", "thereof", "to",
}  # fmt: skip


def is_roman(value: str) -> bool:
    """Whether a value can be a small Roman numeral; "i" and "v" can be letters too."""
    return bool(_SMALL_ROMAN.match(value))


def nests(outer: str, inner: str) -> bool:
    """Whether a point numbered ``inner`` is a sub-point of one numbered ``outer``, and not its neighbour."""
    if number_class(outer) == "digit" or number_class(inner) == "digit":
        return number_class(outer) != number_class(inner)
    return is_roman(inner) != is_roman(outer)


def number_class(value: str) -> str:
    """Tell digits, letters and small Roman numerals apart: ``digit``, ``letter`` or ``roman``."""
    if value[:1].isdigit():
        return "digit"
    return "roman" if _SMALL_ROMAN.match(value) and len(value) > 1 else "letter"


def _spanned(first: Path, last: Path) -> Path:
    return (*first[:-1], replace(first[-1], upto=last[-1].value))


@dataclass(slots=True)
class _Chain:
    start: int
    end: int
    paths: list[Path]
    outer: list[Path] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    paired: bool = False
    rule: str = "provision"

    @property
    def level(self) -> str:
        return self.paths[0][0].level


class EuGrammar(ActGrammar):
    """Reads the citations out of one text's tokens."""

    def _level(self, at: int) -> tuple[str, bool, int] | None:
        """Read a level's name: (level, plural, next)."""
        word = self._low(at)
        if word == "sub" and self._low(at + 1) == "-" and self._low(at + 2).startswith("paragraph"):
            return "subparagraph", self._low(at + 2).endswith("s"), at + 3
        level = LEVELS.get(word)
        if level is None or (level in _CAPITAL and not self._tokens[at].text[0].isupper()):
            return None
        plural = word.endswith("s") or word == "annexes"
        following = at + 1
        if word in ("art", "arts", "para", "paras") and self._low(following) == ".":
            following += 1
        return level, plural, following

    # -- values

    def _brackets(self, at: int, base: Path) -> tuple[Path, int]:
        """Read "(1)(a)(ii)" behind a number; older acts set the first apart: "Article 6 (1), "."""
        path = base
        spaced = base[-1].level == "article" and self._stands_off(at)
        while self._kind(at) == "paren" and (self._touches(at) or spaced) and len(path) < _MAX_STEPS:
            value = self._tokens[at].text
            if number_class(value) == "digit" and path and path[-1].level == "article":
                path += (Step("paragraph", value),)
            elif value.lower() in COMMUNITIES and len(value) > 1:
                break
            else:
                path += (Step("point", value),)
            at += 1
            spaced = False
        return path, at

    def _stands_off(self, at: int) -> bool:
        if self._kind(at) != "paren" or number_class(self._text(at)) != "digit":
            return False
        return self._low(at + 1) in _AFTER_BARE or self._low(at + 1) in (",", ".", ";")

    def _value(self, at: int, level: str) -> tuple[Path, int] | None:
        kind = self._kind(at)
        if kind == "paren" and level in ("point", "paragraph", "subparagraph", "recital", "indent"):
            value = self._tokens[at].text
            if level in ("recital", "paragraph") and number_class(value) != "digit":
                return None
            if value.lower() in COMMUNITIES:
                return None
            return self._brackets(at + 1, (Step(level, value),))
        if kind == "num" and level not in ("sentence", "indent"):
            if self._low(at + 1) == "/" or len(self._tokens[at].text) > 6:
                return None
            return self._brackets(at + 1, (Step(level, self._tokens[at].text),))
        if kind == "word" and level in _CAPITAL:
            value = self._tokens[at].text
            if _ROMAN.match(value) or (len(value) == 1 and value.isupper() and level in ("annex", "part", "section")):
                return (Step(level, value),), at + 1
        return None

    def _sibling(self, at: int, before: Path) -> tuple[Path, int] | None:
        """Read a bare "(3)" or "(b)" that goes on a list: it replaces the step of its own kind."""
        if self._kind(at) != "paren":
            return None
        value = self._tokens[at].text
        if value.lower() in COMMUNITIES and len(value) > 1:
            return None
        for cut in range(len(before) - 1, -1, -1):
            step = before[cut]
            if step.level in ("article", "annex", "section", "chapter", "title", "part") or step.how == "ordinal":
                return None
            nested = cut > 0 and before[cut - 1].level == "point"
            if self._beside(step.value, value, nested):
                break
        else:
            return None
        return self._brackets(at + 1, (*before[:cut], replace(before[cut], value=value, upto="")))

    def _beside(self, before: str, value: str, nested: bool) -> bool:
        """Whether "(value)" is numbered like the step before it; ``nested``: that step is a sub-point."""
        if number_class(before) == "digit" or number_class(value) == "digit":
            return number_class(before) == number_class(value)
        if is_roman(before) and is_roman(value):
            return True
        if is_roman(before) and nested:
            return False
        return len(value) <= 2 and number_class(value) == "letter"

    def _values(self, at: int, level: str, plural: bool) -> tuple[list[Path], int] | None:
        first = self._value(at, level)
        if first is None:
            return None
        paths = [first[0]]
        at = first[1]
        while True:
            word = self._low(at)
            is_range = word in ("to", "-", "through") and not paths[-1][-1].upto
            following = at + 1 if is_range else self._separator(at)
            if following == at:
                return paths, at
            found = self._sibling(following, paths[-1])
            if found is None and self._kind(following) in ("num", "word", "paren"):
                found = self._value(following, level)
                if found and not plural and not is_range and not self._bare(found, at, following):
                    found = None
            if found is None:
                return paths, at
            path, at = found
            before = paths[-1]
            if is_range and len(path) == len(before) and path[:-1] == before[:-1]:
                paths[-1] = _spanned(before, path)
            else:
                paths.append(path)

    def _bare(self, found: tuple[Path, int], at: int, following: int) -> bool:
        """Whether a second number belongs to a singular keyword ("paragraph 4 and 5 of this Article")."""
        if self._low(at) == "," or self._kind(following) == "word":
            return False
        after = self._tokens[found[1]] if found[1] < len(self._tokens) else None
        return after is None or after.kind in ("mark", "paren") or after.low in _AFTER_BARE

    # -- components and chains

    def _ordinals(self, at: int) -> tuple[list[Path], int] | None:
        """Read "first and third subparagraphs", "second to fourth indents", "last sentence"."""
        values: list[tuple[str, str]] = []
        while len(values) < _MAX_ORDINALS and self._low(at) in ORDINALS:
            values.append((ORDINALS[self._low(at)], ""))
            at += 1
            if self._low(at) in ("to", "-") and self._low(at + 1) in ORDINALS:
                values[-1] = (values[-1][0], ORDINALS[self._low(at + 1)])
                at += 2
            following = self._separator(at)
            if following > at and self._low(following) == "the":
                following += 1
            if following > at and self._low(following) in ORDINALS:
                at = following
            else:
                break
        named = self._level(at) if values else None
        if named is None or named[0] not in _COUNTED:
            return None
        # "first paragraph 3" is a typing error, "first Article" a phrase: neither is read.
        return [(Step(named[0], value, upto, "ordinal"),) for value, upto in values], named[2]

    def _component(self, at: int) -> tuple[list[Path], int, str] | None:
        """Read one component: (paths, next, rule)."""
        word = self._low(at)
        if word in ("this", "that", "those", "these"):
            named = self._level(at + 1)
            if named is None or self._value(named[2], named[0]) is not None:
                return None
            how = "this" if word in ("this", "these") else "that"
            if named[1] != (word in ("those", "these")) and named[0] != "annex":
                return None
            return [(Step(named[0], how=how),)], named[2], how
        if word in ORDINALS:
            found = self._ordinals(at)
            return (*found, "ordinal") if found else None
        named = self._level(at)
        if named is None:
            return None
        values = self._values(named[2], named[0], named[1])
        if values is not None:
            return (*values, "provision")
        if named[0] == "annex" and self._low(at - 1) in ("the", "this") and not named[1]:
            return [(Step("annex"),)], named[2], "provision"
        return None

    def _fits(self, outer: Step, inner: Step) -> bool:
        """Whether a component may follow another and be inside it, rather than beside it."""
        if inner.level not in INSIDE[outer.level] or inner.how in ("this", "that"):
            return False
        if outer.level == inner.level == "point":
            return nests(outer.value, inner.value) and (outer.value, inner.value) != ("h", "i")
        return True

    def _chain(self, at: int, implied: str = "") -> tuple[_Chain, int] | None:
        """Read a chain; ``implied``: the level of "5(2)" in "Articles 4(1), point (a), and 5(2)"."""
        found: tuple[list[Path], int, str] | None = None
        if implied and self._kind(at) == "num":
            values = self._values(at, implied, True)
            found = (*values, "provision") if values else None
        elif not implied:
            found = self._component(at)
        if found is None:
            return None
        paths, following, rule = found
        chain = _Chain(at, following, paths, rule=rule)
        while len(chain.paths[-1]) < _MAX_STEPS:
            inner = following
            if self._low(inner) == ",":
                inner += 1
            if self._low(inner) == "the":
                inner += 1
            if self._low(inner) in ("this", "that", "those", "these"):
                break
            found = self._component(inner)
            if found is None or not self._fits(chain.paths[-1][-1], found[0][0][0]):
                break
            last = chain.paths.pop()
            chain.paths.extend(last + path for path in found[0])
            following = found[1]
            chain.rule = "descending"
        chain.end = following
        return chain, self._suffix(chain)

    def _suffix(self, chain: _Chain) -> int:
        """Read "of …" behind a chain, from the inside out, then the act; return the next index."""
        at = chain.end
        if self._low(at) == "respectively" or (self._low(at) == "," and self._low(at + 1) == "respectively"):
            chain.paired = True
            at += 1 if self._low(at) == "respectively" else 2
        depth = 0
        while depth < _MAX_STEPS:
            following = at + 1 if self._low(at) == "," else at
            if self._low(following) == "thereof":
                chain.acts, chain.end = [Act("that", "")], following + 1
                return chain.end
            link = self._low(following)
            if link not in ("of", "to", "in") or (link == "to" and chain.level != "annex"):
                break
            named = self._acts(following + 1) if link != "in" else None
            if named is not None:
                chain.acts, chain.end = named
                return self._respectively(chain)
            following += 1
            if self._low(following) == "the":
                following += 1
            component = self._component(following)
            innermost = (chain.outer or chain.paths)[0][0]
            if component is None or not self._wraps(component[0][-1][-1], innermost, link):
                if component is None and link == "of" and innermost.level in _OWN_PLACES:
                    chain.acts = self._unnumbered(following)
                break
            paths, at = component[0], component[1]
            # The wrapper may itself run on: "point (a) of Article 5(2), first subparagraph".
            while len(paths[-1]) < _MAX_STEPS and self._low(at) == ",":
                more = self._component(at + 1)
                if more is None or not self._fits(paths[-1][-1], more[0][0][0]):
                    break
                if not self._wraps(more[0][-1][-1], innermost, link):
                    break
                paths = paths[:-1] + [paths[-1] + path for path in more[0]]
                at = more[1]
            if len(paths) * len(chain.outer) > _MAX_SHARED:
                break
            chain.outer = [outer + inner for outer in paths for inner in (chain.outer or [()])]
            chain.end = at
            chain.rule = "ascending"
            depth += 1
            at = self._respectively(chain)
        if depth == 0:
            named = self._names_act(chain.end)
            if named is not None:
                chain.acts, chain.end = named
        return chain.end

    def _wraps(self, outer: Step, inner: Step, link: str) -> bool:
        if link == "in" and outer.level not in ("annex", "article", "chapter", "section"):
            return False
        if outer.level == inner.level == "point":
            return outer.how in ("this", "that") or nests(outer.value, inner.value)
        return inner.how not in ("this", "that") and inner.level in INSIDE[outer.level]

    def _respectively(self, chain: _Chain) -> int:
        at = chain.end + (self._low(chain.end) == ",")
        if self._low(at) == "respectively":
            chain.paired = True
        return chain.end

    # -- phrases

    def phrase(self, at: int) -> tuple[list[Reference], int] | None:
        """Read the phrase that starts at a token.

        Returns:
            Its references and the index of the first token after it; None if none starts here.
        """
        found = self._chain(at)
        if found is None:
            return self._act_only(at)
        chains = [found[0]]
        end = found[1]
        named = self._level(at)
        implied = named[0] if named and named[1] and chains[0].rule == "descending" else ""
        while True:
            following = self._separator(end)
            if following == end:
                if not self._reaches(chains[-1], end):
                    break
                following = end + 1
            if self._low(following) == "the":
                following += 1
            last = chains[-1]
            more = self._chain(following)
            if more is None and not (last.outer or last.acts):
                more = self._chain(following, implied)
                if more is not None:
                    chains[-1] = replace(more[0], start=last.start, paths=last.paths + more[0].paths)
            elif more is not None and self._low(following - 1) == "to":
                span = _spanned(last.paths[0], more[0].paths[0])
                chains[-1] = replace(more[0], start=last.start, paths=[span])
            elif more is not None:
                chains.append(more[0])
            if more is None:
                break
            end = more[1]
        return [self._reference(group) for group in self._share(chains)], end

    def _reaches(self, chain: _Chain, at: int) -> bool:
        """Whether "to Article 7" goes on from "Article 5", so that both are the ends of a range."""
        named = self._level(at + 1) if self._low(at) == "to" else None
        if named is None or chain.outer or chain.acts or len(chain.paths) != 1 or len(chain.paths[0]) != 1:
            return False
        step = chain.paths[0][0]
        value = self._value(named[2], named[0])
        return step.level == named[0] and step.how == "number" and value is not None and len(value[0]) == 1

    def _share(self, chains: list[_Chain]) -> list[list[_Chain]]:
        """Let chains of one level share the suffix of the last of them; chains that do are one group."""
        groups = [[chains[-1]]]
        for chain in reversed(chains[:-1]):
            last = groups[0][0]
            own = bool(chain.outer or chain.acts) or chain.paths[0][0].how in ("this", "that")
            if not own and chain.level == last.level and (last.outer or last.acts):
                chain.outer, chain.acts = list(last.outer), list(last.acts)
                groups[0].insert(0, chain)
            else:
                groups.insert(0, [chain])
        return groups

    def _reference(self, group: list[_Chain]) -> Reference:
        paths: list[Path] = []
        paired = any(chain.paired for chain in group)
        for chain in group:
            outer = chain.outer or [()]
            if paired and len(outer) == len(chain.paths) > 1:
                paths.extend(above + path for above, path in zip(outer, chain.paths, strict=True))
            else:
                paths.extend(above + path for above in outer for path in chain.paths)
        last = group[-1]
        return Reference(
            self._tokens[group[0].start].start,
            self._tokens[last.end - 1].end,
            paths,
            last.acts,
            rule=last.rule if len(group) == 1 else "shared suffix",
            paired=paired and len(paths) == len(last.acts) > 1,
            confidence=1.0 if len(group) == 1 else 0.9,
        )

    def _act_only(self, at: int) -> tuple[list[Reference], int] | None:
        word = self._low(at)
        if word in ("this", "that", "those", "these"):
            found = self._acts(at)
        else:
            found = self.act_phrase(at) or self._names_act(at)
        rule = "act"
        if found is None and word in KINDS and self._low(at - 1) in ("the", "a") and self._low(at + 1) in ("on", "of"):
            # Not a row, but "that Regulation" further on means this one.
            found = self._acts(at - 1)
            rule = "described act"
        if found is None:
            return None
        acts, end = found
        if acts[0].how != "named":
            rule = acts[0].how
        return [Reference(self._tokens[at].start, self._tokens[end - 1].end, [()], acts, rule=rule)], end
