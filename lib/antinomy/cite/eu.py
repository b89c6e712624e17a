"""European citations: a recursive-descent grammar over tokens.

    phrase    = chain { sep chain }                       a suffix is shared by chains of one level before it
    chain     = component { [","] component } [ suffix ]  outer to inner: "Article 5(2), points (a) to (d)"
    suffix    = { [","] "of" chain } [ [","] "of" acts ]  inner to outer: "points (a) to (d) of Article 5(2)"

A suffix of places needs no "of" where all are written with capitals: "Point b Clause 1 Article 6".

A failed attempt looks at a bounded number of tokens, so a text is read in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from antinomy.cite import eu_acts, instrument_names
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.eu_acts import KINDS
from antinomy.cite.instruments import instruments
from antinomy.cite.levels import EUROPEAN, INNER_WORDS
from antinomy.cite.model import Act, Path, Reference, Step
from antinomy.cite.places import ADJACENT, MAX_STEPS, ORDINAL_WORDS, POINTING, holds, may_end, read_nested
from antinomy.cite.values import join

# Places that only a whole instrument has.
_OWN_PLACES = {"annex", "appendix", "part", "title", "chapter", "section", "article", "recital"}
_MAX_SHARED = 64
STARTS = (
    (EUROPEAN.levels.keys() - INNER_WORDS)
    | {f"{word}s" for word in EUROPEAN.levels.keys() - INNER_WORDS}
    | ORDINAL_WORDS.keys()
    | frozenset(KINDS)
    | frozenset(words.split()[0] for words in instruments().treaties)
    | instruments().authors
    | POINTING.keys()
    | ADJACENT
    | {"sub", "annexes", "appendices"}
)


@dataclass(slots=True)
class _Chain:
    start: int
    end: int
    paths: list[Path]
    rule: str
    outer: list[Path] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    paired: bool = False
    #: "and" or "or" stands before it.
    joined: bool = False
    #: Index after the "of" whose act comes behind a later chain, else 0: "Article 4 of, and Annex II to, Regulation …".
    parted: int = 0

    @property
    def level(self) -> str:
        return self.paths[0][0].level


def _read_chain(tokens: Cursor, at: int) -> _Chain | None:
    """Read places, the "of …" behind them from the inside out, and the act."""
    found = read_nested(tokens, at, EUROPEAN)
    if found is None:
        return None
    chain = _Chain(at, found[1], found[0], found[2])
    for _ in range(MAX_STEPS):
        at = _past_respectively(tokens, chain)
        following = at + (tokens.low(at) == ",")
        link = tokens.low(following)
        if link == "thereof":
            chain.acts, chain.end = [Act("that", "")], following + 1
            return chain
        innermost = (chain.outer or chain.paths)[0][0]
        if beside := _read_beside(tokens, chain, following, innermost):
            chain.outer = [beside[0][0] + inner for inner in (chain.outer or [()])]
            chain.end, chain.rule = beside[1], "ascending"
            continue
        if link not in ("of", "to", "in") or (link == "to" and innermost.level not in ("annex", "appendix")):
            break
        parted = tokens.low(following + 1) == ","
        named = eu_acts.read_behind_of(tokens, following + 1 + parted) if link != "in" else None
        if named is None and parted:
            chain.parted = following + 1
            return chain
        if named is None and link == "of":
            # "of the guidelines EBA/GL/2021/05"
            named = instrument_names.read(tokens, following + 1)
        if named is not None:
            chain.acts, chain.end = named
            _past_respectively(tokens, chain)
            return chain
        definite = tokens.low(following + 1) == "the"
        outer = read_nested(tokens, following + 1 + definite, EUROPEAN)
        if outer is None and link == "of" and definite and innermost.level in _OWN_PLACES:
            # "Chapter 2 of the report"
            chain.acts = [Act("named", "act")]
        if (
            outer is None
            or not holds(outer[0][-1], innermost, EUROPEAN)
            or len(outer[0]) * len(chain.outer) > _MAX_SHARED
        ):
            break
        chain.outer = [above + inner for above in outer[0] for inner in (chain.outer or [()])]
        chain.end, chain.rule = outer[1], "ascending"
    if not chain.outer and (known := eu_acts.read_known(tokens, chain.end)):
        chain.acts, chain.end = known
    elif chain.level == "article" and chain.paths[0][0].how == "number" and not tokens.text(chain.start).isupper():
        chain.acts, chain.end = instrument_names.read_shortened(tokens, chain.end)
    return chain


def _read_beside(tokens: Cursor, chain: _Chain, at: int, inner: Step) -> tuple[list[Path], int] | None:
    """Read what holds a place behind it, as Vietnamese texts print it: "Point a, Clause 1 Article 6"."""
    word = tokens.text(at + (tokens.low(at) == "this"))
    if not (tokens.text(chain.start)[:1].isupper() and word[:1].isupper()):
        return None
    if at > chain.end and inner.level not in ("paragraph", "point"):
        # "Section 2, Chapter 4" may be a list.
        return None
    outer = read_nested(tokens, at, EUROPEAN)
    held = outer is not None and len(outer[0]) == 1 and holds(outer[0][0], inner, EUROPEAN)
    return outer[:2] if outer and held else None


def _past_respectively(tokens: Cursor, chain: _Chain) -> int:
    """Read "respectively" behind a chain, which pairs its places: the next index."""
    at = chain.end + (tokens.low(chain.end) == ",")
    if tokens.low(at) != "respectively":
        return chain.end
    chain.paired = True
    return at + 1


# -- phrases


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the phrase that starts at a token.

    Returns:
        Its references and the index of the first token after it; None if none starts here.
    """
    chain = _read_chain(tokens, at)
    if chain is None:
        return _read_act(tokens, at)
    chains = [chain]
    while True:
        last = chains[-1]
        end = last.parted or last.end
        ranged = tokens.low(end) == "to"
        following = end + 1 if ranged else tokens.separator(end)
        more = _read_chain(tokens, following + (tokens.low(following) == "the")) if following > end else None
        if more is None or (ranged and not _reaches(last, more)):
            break
        if ranged:
            chains[-1] = replace(more, start=last.start, paths=join(last.paths, more.paths, True))
        else:
            more.joined = tokens.low(following - 1) != "," or len(chains) > 1
            chains.append(more)
    return [_reference(tokens, group) for group in _shared(chains)], end


def read_letter(tokens: Cursor, at: int) -> Found | None:
    """Read "letter a" behind no other place: "as defined in letter a", not "in letter a customer"."""
    found = read(tokens, at)
    return found if found is not None and may_end(tokens, found[1]) else None


def _reaches(first: _Chain, last: _Chain) -> bool:
    """Whether two chains are the ends of a range, "Article 5 to Article 7"."""
    steps = [path[0] for chain in (first, last) for path in chain.paths if len(path) == 1 and path[0].how == "number"]
    alike = len(steps) == len(first.paths) + len(last.paths) == 2 and steps[0].level == steps[1].level
    return alike and not (first.outer or first.acts)


def _shared(chains: list[_Chain]) -> list[list[_Chain]]:
    """Share the suffix of the last chain with those of its level before it; chains that share it are one group."""
    groups = [[chains[-1]]]
    for chain in reversed(chains[:-1]):
        last = groups[0][0]
        own = bool(chain.outer or chain.acts) or chain.paths[0][0].how in ("this", "that", "previous")
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
    alone = len(group) == 1
    whole = tokens.reference(group[0].start, last.end, last.acts, paths, last.rule if alone else "shared suffix")
    return replace(whole, paired=paired and len(paths) == len(last.acts) > 1, confidence=1.0 if alone else 0.9)


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
    return [tokens.reference(at, end, acts, [()], rule)], end


def read_with_act(tokens: Cursor, at: int) -> Found | None:
    """Read a phrase's citations that name their act: a handbook's "section", "part" and "title" are its own."""
    found = read(tokens, at) if at >= tokens.read_to else None
    if found is None:
        return None
    kept = [reference for reference in found[0] if reference.names_act]
    # What names no act is left to the handbook's parts.
    tokens.read_to = found[1]
    return (kept, found[1]) if kept else None
