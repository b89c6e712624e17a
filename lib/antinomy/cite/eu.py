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
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from antinomy.cite.acts import COMMUNITIES, KINDS, TREATIES, celex
from antinomy.cite.model import Act, Path, Reference, Step, Token
from antinomy.cite.names import Names

#: Word → level; plural forms too.
LEVELS = {
    "annex": "annex", "annexes": "annex", "part": "part", "parts": "part", "title": "title", "titles": "title",
    "chapter": "chapter", "chapters": "chapter", "section": "section", "sections": "section",
    "article": "article", "articles": "article", "art": "article", "arts": "article",
    "recital": "recital", "recitals": "recital",
    "paragraph": "paragraph", "paragraphs": "paragraph", "para": "paragraph", "paras": "paragraph",
    "subparagraph": "subparagraph", "subparagraphs": "subparagraph",
    "point": "point", "points": "point", "indent": "indent", "indents": "indent",
    "sentence": "sentence", "sentences": "sentence",
}  # fmt: skip
_CAPITAL = {"annex", "part", "title", "chapter", "section"}
_ORDINALS = {
    w: str(n)
    for n, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
} | {"last": "last", "final": "last"}
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
_SMALL_ROMAN = re.compile(r"[ivx]+$")
_MAX_STEPS = 8
_MAX_ORDINALS = 12
# After the second number of "paragraph 4 and 5" there must be no noun that the number counts.
_AFTER_BARE = {"of", "and", "or", "shall", "may", "is", "are", "apply", "applies", "respectively", "thereof", "to"}


def number_class(value: str) -> str:
    """Tell digits, letters and small Roman numerals apart: ``digit``, ``letter`` or ``roman``."""
    if value[:1].isdigit():
        return "digit"
    return "roman" if _SMALL_ROMAN.match(value) and len(value) > 1 else "letter"


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


class EuGrammar:
    """Reads the citations out of one text's tokens."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        self._tokens = tokens
        self._names = names

    # -- looking at tokens

    def _low(self, at: int) -> str:
        return self._tokens[at].low if at < len(self._tokens) else ""

    def _kind(self, at: int) -> str:
        return self._tokens[at].kind if at < len(self._tokens) else ""

    def _touches(self, at: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < at < len(self._tokens) and self._tokens[at].start == self._tokens[at - 1].end

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

    def _separator(self, at: int) -> int:
        """Read ",", "and", "or", ", and", "and/or", "as well as": the next index, or ``at`` if there is none."""
        following = at
        if self._low(following) == ",":
            following += 1
        word = self._low(following)
        if word in ("and", "or"):
            following += 1
            if self._low(following) == "/" and self._low(following + 1) == "or":
                following += 2
        elif word == "as" and self._low(following + 1) == "well" and self._low(following + 2) == "as":
            following += 3
        return following

    # -- values

    def _brackets(self, at: int, base: Path, spaced: bool = False) -> tuple[Path, int]:
        """Read "(1)(a)(ii)" behind a number; the first may stand off where ``spaced``."""
        path = base
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
        wanted = number_class(value)
        cut = 0
        for index in range(len(before) - 1, -1, -1):
            step = before[index]
            if step.level in ("article", "annex", "section", "chapter", "title", "part"):
                break
            if number_class(step.value or "1") == wanted or (
                wanted == "letter" and number_class(step.value) == "roman" and _SMALL_ROMAN.match(value)
            ):
                cut = index
                break
        if cut == 0 and not (before and number_class(before[0].value or "1") == wanted and before[0].level != "article"):
            # Nothing of its kind: "(5)" after "Article 7" is its paragraph, "(b)" is a point of what stands there.
            return None
        return self._brackets(at + 1, (*before[:cut], replace(before[cut], value=value, upto="")))

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
                paths[-1] = (*before[:-1], replace(before[-1], upto=path[-1].value))
            else:
                paths.append(path)

    def _bare(self, found: tuple[Path, int], at: int, following: int) -> bool:
        """Whether a second number may belong to a keyword in the singular ("paragraph 4 and 5 of this Article")."""
        if self._low(at) == "," or self._kind(following) == "word":
            return False
        after = self._tokens[found[1]] if found[1] < len(self._tokens) else None
        return after is None or after.kind in ("mark", "paren") or after.low in _AFTER_BARE

    # -- components and chains

    def _ordinals(self, at: int) -> tuple[list[Path], int] | None:
        """Read "first and third subparagraphs", "second to fourth indents", "last sentence"."""
        values: list[tuple[str, str]] = []
        while len(values) < _MAX_ORDINALS and self._low(at) in _ORDINALS:
            values.append((_ORDINALS[self._low(at)], ""))
            at += 1
            if self._low(at) in ("to", "-") and self._low(at + 1) in _ORDINALS:
                values[-1] = (values[-1][0], _ORDINALS[self._low(at + 1)])
                at += 2
            following = self._separator(at)
            if following > at and self._low(following) == "the":
                following += 1
            if following > at and self._low(following) in _ORDINALS:
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
        if word in _ORDINALS:
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
            kinds = number_class(outer.value), number_class(inner.value)
            return kinds[0] != kinds[1] or (inner.value == "i" and outer.value != "h")
        return True

    def _chain(self, at: int) -> tuple[_Chain, int] | None:
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
            chain.outer = [outer + inner for outer in paths for inner in (chain.outer or [()])][:64]
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
            return outer.how == "this" or number_class(outer.value) != number_class(inner.value)
        return inner.how not in ("this", "that") and inner.level in INSIDE[outer.level]

    def _respectively(self, chain: _Chain) -> int:
        at = chain.end + (self._low(chain.end) == ",")
        if self._low(at) == "respectively":
            chain.paired = True
        return chain.end

    # -- acts

    def _names_act(self, at: int) -> tuple[list[Act], int] | None:
        """Read a treaty's or a known document's name: "TFEU", "Treaty on European Union", an alias."""
        for words, ref in TREATIES:
            if self._low(at) == words[0] and all(self._low(at + n) == w for n, w in enumerate(words)):
                return [Act("named", "treaty", ref)], at + len(words)
        found = self._names.alias(self._tokens, at)
        return ([Act("named", "act", found[0])], found[1]) if found else None

    def _acts(self, at: int) -> tuple[list[Act], int] | None:
        """Read the acts behind "of": this, that, numbered, a treaty, an alias."""
        word = self._low(at)
        if word in ("this", "that", "those", "these"):
            named = KINDS.get(self._low(at + 1))
            treaty = self._low(at + 1) in ("treaty", "charter")
            if (named is None and not treaty) or not self._tokens[at + 1].text[0].isupper():
                return None
            if self._item(at + 2, "regulation") is not None:
                return None
            how = {"these": "this", "this": "this", "that": "that", "those": "those"}[word]
            return [Act(how, named[0] if named else "treaty")], at + 2
        definite = word in ("the", "a")
        following = at + 1 if definite else at
        found = self.act_phrase(following) or self._names_act(following)
        if found is not None:
            return found
        kind = KINDS.get(self._low(following))
        if definite and kind and self._tokens[following].text[0].isupper():
            # An act that is described and not numbered ("the Regulation on markets in crypto-assets").
            return [Act("named" if self._low(following + 1) in ("on", "of") else "the", kind[0])], following + 1
        return None

    def _item(self, at: int, kind: str, framework: bool = False) -> tuple[str, int] | None:
        """Read "(EU) No 1093/2010", "2009/110/EC", "No 716/2009/EC"."""
        if self._kind(at) == "paren" and self._tokens[at].low in COMMUNITIES:
            at += 1
        elif self._low(at) == "(" and self._low(at + 1) in COMMUNITIES:
            while at < len(self._tokens) and self._low(at) != ")" and (self._low(at) in COMMUNITIES | {"(", ","}):
                at += 1
            if self._low(at) != ")":
                return None
            at += 1
        marked = self._low(at) in ("no", "nos", "nr")
        if marked:
            at += 1
            if self._low(at) == ".":
                at += 1
        if self._kind(at) != "act":
            return None
        ref = celex(kind, self._tokens[at].text, marked, framework)
        return (ref, at + 1) if ref else None

    def act_phrase(self, at: int) -> tuple[list[Act], int] | None:
        """Read numbered acts: "Council Directives 78/660/EEC and 83/349/EEC"."""
        framework = False
        for _ in range(4):
            if self._low(at) in ("council", "commission", "delegated", "implementing", "framework"):
                framework = framework or self._low(at) == "framework"
                at += 1
        kind = KINDS.get(self._low(at))
        if kind is None or not self._tokens[at].text[0].isupper():
            return None
        at += 1
        acts: list[Act] = []
        following = at
        while True:
            found = self._item(following, kind[0], framework)
            if found is None:
                break
            acts.append(Act("named", kind[0], found[0]))
            at = found[1]
            following = self._separator(at)
            if following == at:
                break
        return (acts, at) if acts else None

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
        while True:
            following = self._separator(end)
            if following == end:
                break
            if self._low(following) == "the":
                following += 1
            more = self._chain(following)
            if more is None:
                break
            chains.append(more[0])
            end = more[1]
        return [self._reference(group) for group in self._share(chains)], end

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
