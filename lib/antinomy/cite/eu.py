"""European citations: a recursive-descent grammar over tokens.

    phrase    = chain { sep chain }                       a suffix is shared by chains of one level before it
    chain     = component { [","] component } [ suffix ]  outer to inner: "Article 5(2), points (a) to (d)"
    suffix    = { [","] "of" chain } [ [","] "of" acts ]  inner to outer: "points (a) to (d) of Article 5(2)"

A failed attempt looks at a bounded number of tokens, so a text is read in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from antinomy.cite import eu_acts, eu_steps, instrument_names
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.eu_acts import KINDS
from antinomy.cite.eu_steps import MAX_STEPS, ORDINALS, nests, spanned
from antinomy.cite.instruments import instruments
from antinomy.cite.levels import EUROPEAN, read_level
from antinomy.cite.model import Act, Path, Reference, Step
from antinomy.cite.values import read_value, read_values

# Places that only a whole instrument has.
_OWN_PLACES = {"annex", "part", "title", "chapter", "section", "article", "recital"}
_MAX_SHARED = 64
STARTS = (
    frozenset(EUROPEAN.levels)
    | {f"{word}s" for word in EUROPEAN.levels}
    | frozenset(ORDINALS)
    | frozenset(KINDS)
    | frozenset(words.split()[0] for words in instruments().treaties)
    | instruments().authors
    | {"this", "that", "these", "those", "sub", "annexes"}
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
    #: "and" or "or" stands before it.
    joined: bool = False
    #: The act comes behind a later one: "Article 4 of, and Annex II to, Regulation …".
    parted: bool = False

    @property
    def level(self) -> str:
        return self.paths[0][0].level


def _fits(tokens: Cursor, outer: Step, inner: Step) -> bool:
    """Whether a component may follow another and be inside it, rather than beside it."""
    if inner.level not in EUROPEAN.inside[outer.level] or inner.how in ("this", "that"):
        return False
    if outer.level == inner.level == "point":
        return nests(outer.value, inner.value) and (outer.value, inner.value) != ("h", "i")
    return True


def _read_chain(tokens: Cursor, at: int, implied: str = "") -> tuple[_Chain, int] | None:
    """Read a chain; ``implied``: the level of "5(2)" in "Articles 4(1), point (a), and 5(2)"."""
    found: tuple[list[Path], int, str] | None = None
    if implied and tokens.kind(at) == "num":
        values = read_values(tokens, at, implied, True, EUROPEAN)
        found = (*values, "provision") if values else None
    elif not implied:
        found = eu_steps.read_component(tokens, at)
    if found is None:
        return None
    paths, following, rule = found
    chain = _Chain(at, following, paths, rule=rule)
    while len(chain.paths[-1]) < MAX_STEPS:
        inner = following
        if tokens.low(inner) == ",":
            inner += 1
        if tokens.low(inner) == "the":
            inner += 1
        found = eu_steps.read_component(tokens, inner)
        if found is None or not _fits(tokens, chain.paths[-1][-1], found[0][0][0]):
            break
        last = chain.paths.pop()
        chain.paths.extend(last + path for path in found[0])
        following = found[1]
        chain.rule = "descending"
    chain.end = following
    return chain, _read_suffix(tokens, chain)


def _read_suffix(tokens: Cursor, chain: _Chain) -> int:
    """Read "of …" after a chain, from the inside out, then the act; return the next index."""
    at = chain.end
    if tokens.low(at) == "respectively" or (tokens.low(at) == "," and tokens.low(at + 1) == "respectively"):
        chain.paired = True
        at += 1 if tokens.low(at) == "respectively" else 2
    depth = 0
    while depth < MAX_STEPS:
        following = at + 1 if tokens.low(at) == "," else at
        if tokens.low(following) == "thereof":
            chain.acts, chain.end = [Act("that", "")], following + 1
            return chain.end
        link = tokens.low(following)
        innermost = (chain.outer or chain.paths)[0][0]
        if link not in ("of", "to", "in") or (link == "to" and innermost.level != "annex"):
            break
        parted = tokens.low(following + 1) == ","
        named = eu_acts.read_behind_of(tokens, following + 1 + parted) if link != "in" else None
        if named is None and parted:
            chain.parted = True
            return following + 1
        if named is None and link == "of":
            # "of the guidelines EBA/GL/2021/05"
            named = instrument_names.read(tokens, following + 1)
        if named is not None:
            chain.acts, chain.end = named
            return _respectively(tokens, chain)
        definite = tokens.low(following + 1) == "the"
        component = eu_steps.read_component(tokens, following + 1 + definite)
        if component is None or not _wraps(component[0][-1][-1], innermost):
            if component is None and link == "of" and definite and innermost.level in _OWN_PLACES:
                # "Chapter 2 of the report"
                chain.acts = [Act("named", "act")]
            break
        paths, at = component[0], component[1]
        # The wrapper may itself run on: "point (a) of Article 5(2), first subparagraph".
        while len(paths[-1]) < MAX_STEPS and tokens.low(at) == ",":
            more = eu_steps.read_component(tokens, at + 1)
            if more is None or not _fits(tokens, paths[-1][-1], more[0][0][0]):
                break
            paths = paths[:-1] + [paths[-1] + path for path in more[0]]
            at = more[1]
        if len(paths) * len(chain.outer) > _MAX_SHARED:
            break
        chain.outer = [outer + inner for outer in paths for inner in (chain.outer or [()])]
        chain.end = at
        chain.rule = "ascending"
        depth += 1
        at = _respectively(tokens, chain)
    if depth == 0:
        named = eu_acts.read_known(tokens, chain.end)
        if named is not None:
            chain.acts, chain.end = named
    return chain.end


def _wraps(outer: Step, inner: Step) -> bool:
    if outer.level == inner.level == "point":
        return outer.how in ("this", "that") or nests(outer.value, inner.value)
    return inner.how not in ("this", "that") and inner.level in EUROPEAN.inside[outer.level]


def _respectively(tokens: Cursor, chain: _Chain) -> int:
    at = chain.end + (tokens.low(chain.end) == ",")
    if tokens.low(at) == "respectively":
        chain.paired = True
    return chain.end


# -- phrases


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the phrase that starts at a token.

    Returns:
        Its references and the index of the first token after it; None if none starts here.
    """
    found = _read_chain(tokens, at)
    if found is None:
        return _read_act(tokens, at)
    chains = [found[0]]
    end = found[1]
    named = read_level(tokens, at, EUROPEAN)
    implied = named[0] if named and named[1] and chains[0].rule == "descending" else ""
    while True:
        following = tokens.separator(end)
        if following == end:
            if not _reaches(tokens, chains[-1], end):
                break
            following = end + 1
        if tokens.low(following) == "the":
            following += 1
        last = chains[-1]
        more = _read_chain(tokens, following)
        if more is None and not (last.outer or last.acts):
            more = _read_chain(tokens, following, implied)
            if more is not None:
                chains[-1] = replace(more[0], start=last.start, paths=last.paths + more[0].paths)
        elif more is not None and tokens.low(following - 1) == "to":
            span = spanned(last.paths[0], more[0].paths[0])
            chains[-1] = replace(more[0], start=last.start, paths=[span])
        elif more is not None:
            joined = tokens.low(following - 1) != "," or len(chains) > 1
            chains.append(replace(more[0], joined=joined))
        if more is None:
            break
        end = more[1]
    return [_reference(tokens, group) for group in _shared(tokens, chains)], end


def _reaches(tokens: Cursor, chain: _Chain, at: int) -> bool:
    """Whether "to Article 7" goes on from "Article 5", so that both are the ends of a range."""
    named = read_level(tokens, at + 1, EUROPEAN) if tokens.low(at) == "to" else None
    if named is None or chain.outer or chain.acts or len(chain.paths) != 1 or len(chain.paths[0]) != 1:
        return False
    step = chain.paths[0][0]
    value = read_value(tokens, named[2], named[0], style=EUROPEAN)
    return step.level == named[0] and step.how == "number" and value is not None and len(value[0]) == 1


def _shared(tokens: Cursor, chains: list[_Chain]) -> list[list[_Chain]]:
    """Share the suffix of the last chain with those of its level before it; chains that share it are one group."""
    groups = [[chains[-1]]]
    for chain in reversed(chains[:-1]):
        last = groups[0][0]
        own = bool(chain.outer or chain.acts) or chain.paths[0][0].how in ("this", "that")
        if not own and (chain.level == last.level or chain.parted) and (last.outer or last.acts) and chains[-1].joined:
            chain.outer, chain.acts = list(last.outer), list(last.acts)
            groups[0].insert(0, chain)
        else:
            groups.insert(0, [chain])
    return groups


def _reference(tokens: Cursor, group: list[_Chain]) -> Reference:
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
        tokens[group[0].start].start,
        tokens[last.end - 1].end,
        paths,
        last.acts,
        rule=last.rule if len(group) == 1 else "shared suffix",
        paired=paired and len(paths) == len(last.acts) > 1,
        confidence=1.0 if len(group) == 1 else 0.9,
    )


def _read_act(tokens: Cursor, at: int) -> Found | None:
    found = eu_acts.read_behind_of(tokens, at)
    rule = "act"
    if (
        found is None
        and tokens.low(at) in KINDS
        and tokens.low(at - 1) in ("the", "a")
        and tokens.low(at + 1) in ("on", "of")
    ):
        # No row of its own, but a later "that Regulation" means this one.
        found = eu_acts.read_behind_of(tokens, at - 1)
        rule = "described act"
    if found is None:
        return None
    acts, end = found
    if acts[0].how != "named":
        rule = acts[0].how
    return [Reference(tokens[at].start, tokens[end - 1].end, [()], acts, rule=rule)], end


def read_with_act(tokens: Cursor, at: int) -> Found | None:
    """Read a phrase's citations that name their act: a handbook's "section", "part" and "title" are its own."""
    found = read(tokens, at) if at >= tokens.read_to else None
    if found is None:
        return None
    kept = [reference for reference in found[0] if reference.names_act]
    # What names no act is left to the handbook's parts.
    tokens.read_to = found[1]
    return (kept, found[1]) if kept else None
