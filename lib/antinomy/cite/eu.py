"""European citations: a recursive-descent grammar over tokens.

    phrase    = chain { sep chain }                       a suffix is shared by chains of one level before it
    chain     = component { [","] component } [ suffix ]  outer to inner: "Article 5(2), points (a) to (d)"
    suffix    = { [","] "of" chain } [ [","] "of" acts ]  inner to outer: "points (a) to (d) of Article 5(2)"

A failed attempt looks at a bounded number of tokens, so a text is read in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from antinomy.cite.act_names import ActNames
from antinomy.cite.acts import KINDS
from antinomy.cite.cursor import Cursor
from antinomy.cite.eu_steps import INSIDE, LEVELS, MAX_STEPS, ORDINALS, Steps, nests, spanned
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act, Path, Reference, Step

# Places that only a whole instrument has.
_OWN_PLACES = {"annex", "part", "title", "chapter", "section", "article", "recital"}
_MAX_SHARED = 64
_STARTS = (
    frozenset(LEVELS)
    | frozenset(ORDINALS)
    | frozenset(KINDS)
    | frozenset(words[0] for words, _ in instruments().treaties)
    | instruments().authors
    | {"this", "that", "these", "those", "sub"}
)


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


class EuPhrases:
    """Reads the citations of European acts and of places in them."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._acts = ActNames(tokens)
        self._steps = Steps(tokens)
        self.starts = _STARTS | tokens.names.alias_starts

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
        if implied and self._tokens.kind(at) == "num":
            values = self._steps.values(at, implied, True)
            found = (*values, "provision") if values else None
        elif not implied:
            found = self._steps.read(at)
        if found is None:
            return None
        paths, following, rule = found
        chain = _Chain(at, following, paths, rule=rule)
        while len(chain.paths[-1]) < MAX_STEPS:
            inner = following
            if self._tokens.low(inner) == ",":
                inner += 1
            if self._tokens.low(inner) == "the":
                inner += 1
            if self._tokens.low(inner) in ("this", "that", "those", "these"):
                break
            found = self._steps.read(inner)
            if found is None or not self._fits(chain.paths[-1][-1], found[0][0][0]):
                break
            last = chain.paths.pop()
            chain.paths.extend(last + path for path in found[0])
            following = found[1]
            chain.rule = "descending"
        chain.end = following
        return chain, self._suffix(chain)

    def _suffix(self, chain: _Chain) -> int:
        """Read "of …" after a chain, from the inside out, then the act; return the next index."""
        at = chain.end
        if self._tokens.low(at) == "respectively" or (
            self._tokens.low(at) == "," and self._tokens.low(at + 1) == "respectively"
        ):
            chain.paired = True
            at += 1 if self._tokens.low(at) == "respectively" else 2
        depth = 0
        while depth < MAX_STEPS:
            following = at + 1 if self._tokens.low(at) == "," else at
            if self._tokens.low(following) == "thereof":
                chain.acts, chain.end = [Act("that", "")], following + 1
                return chain.end
            link = self._tokens.low(following)
            if link not in ("of", "to", "in") or (link == "to" and chain.level != "annex"):
                break
            named = self._acts.behind_of(following + 1) if link != "in" else None
            if named is not None:
                chain.acts, chain.end = named
                return self._respectively(chain)
            following += 1
            if self._tokens.low(following) == "the":
                following += 1
            component = self._steps.read(following)
            innermost = (chain.outer or chain.paths)[0][0]
            if component is None or not self._wraps(component[0][-1][-1], innermost, link):
                if component is None and link == "of" and innermost.level in _OWN_PLACES:
                    chain.acts = self._acts.unnumbered(following)
                break
            paths, at = component[0], component[1]
            # The wrapper may itself run on: "point (a) of Article 5(2), first subparagraph".
            while len(paths[-1]) < MAX_STEPS and self._tokens.low(at) == ",":
                more = self._steps.read(at + 1)
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
            named = self._acts.named(chain.end)
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
        at = chain.end + (self._tokens.low(chain.end) == ",")
        if self._tokens.low(at) == "respectively":
            chain.paired = True
        return chain.end

    # -- phrases

    def read(self, at: int) -> tuple[list[Reference], int] | None:
        """Read the phrase that starts at a token.

        Returns:
            Its references and the index of the first token after it; None if none starts here.
        """
        found = self._chain(at)
        if found is None:
            return self._act_only(at)
        chains = [found[0]]
        end = found[1]
        named = self._steps.level(at)
        implied = named[0] if named and named[1] and chains[0].rule == "descending" else ""
        while True:
            following = self._tokens.separator(end)
            if following == end:
                if not self._reaches(chains[-1], end):
                    break
                following = end + 1
            if self._tokens.low(following) == "the":
                following += 1
            last = chains[-1]
            more = self._chain(following)
            if more is None and not (last.outer or last.acts):
                more = self._chain(following, implied)
                if more is not None:
                    chains[-1] = replace(more[0], start=last.start, paths=last.paths + more[0].paths)
            elif more is not None and self._tokens.low(following - 1) == "to":
                span = spanned(last.paths[0], more[0].paths[0])
                chains[-1] = replace(more[0], start=last.start, paths=[span])
            elif more is not None:
                chains.append(more[0])
            if more is None:
                break
            end = more[1]
        return [self._reference(group) for group in self._share(chains)], end

    def _reaches(self, chain: _Chain, at: int) -> bool:
        """Whether "to Article 7" goes on from "Article 5", so that both are the ends of a range."""
        named = self._steps.level(at + 1) if self._tokens.low(at) == "to" else None
        if named is None or chain.outer or chain.acts or len(chain.paths) != 1 or len(chain.paths[0]) != 1:
            return False
        step = chain.paths[0][0]
        value = self._steps.value(named[2], named[0])
        return step.level == named[0] and step.how == "number" and value is not None and len(value[0]) == 1

    def _share(self, chains: list[_Chain]) -> list[list[_Chain]]:
        """Share the suffix of the last chain with those of its level before it; chains that share it are one group."""
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
        word = self._tokens.low(at)
        if word in ("this", "that", "those", "these"):
            found = self._acts.behind_of(at)
        else:
            found = self._acts.numbered(at) or self._acts.named(at)
        rule = "act"
        if (
            found is None
            and word in KINDS
            and self._tokens.low(at - 1) in ("the", "a")
            and self._tokens.low(at + 1) in ("on", "of")
        ):
            # No row of its own, but a later "that Regulation" means this one.
            found = self._acts.behind_of(at - 1)
            rule = "described act"
        if found is None:
            return None
        acts, end = found
        if acts[0].how != "named":
            rule = acts[0].how
        return [Reference(self._tokens[at].start, self._tokens[end - 1].end, [()], acts, rule=rule)], end
