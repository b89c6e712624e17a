"""Summary of coverage: how many duties of each side have a counterpart on the other, in figures and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from antinomy.findings.document_names import full_titles
from antinomy.report.titles import by_regime
from antinomy.report.words import thousands
from antinomy.store.rows import CoverageRow, DocumentRow

#: What the states of the table ``coverage`` come to where they are counted; ``left_out`` is counted apart.
STANDING = {
    "covered": "covered", "stricter_here": "covered", "stricter_there": "covered", "conflict": "covered",
    "partly": "partly", "gap": "gap", "not_decidable": "open",
}  # fmt: skip
#: From this probability on a conflict is called likely, below it possible.
LIKELY = 0.5
#: Two sides, each seen against the other.
_TWO = 2


@dataclass
class View:
    """One side seen against another.

    Attributes:
        side, other: names of the groups as in the table.
        states: state → provisions, the left-out ones included.
        chapters: (doc_id, chapter) → what the states come to (``covered``, ``partly``, ``gap``, ``open``) →
            provisions, in the order of the table.
        left_out: why provisions were left out → provisions.
    """

    side: str
    other: str
    states: Counter[str] = field(default_factory=Counter)
    chapters: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def duties(self) -> int:
        """Provisions that demand something of a firm."""
        return self.states.total() - self.states["left_out"]

    @property
    def documents(self) -> dict[str, Counter[str]]:
        """doc_id → provisions by what their states come to, in the order of the table."""
        counted: dict[str, Counter[str]] = {}
        for (doc, _), counts in self.chapters.items():
            counted.setdefault(doc, Counter()).update(counts)
        return counted

    @property
    def counts_by_standing(self) -> Counter[str]:
        """Number of provisions by coverage status."""
        counted: Counter[str] = Counter()
        for state, n in self.states.items():
            if state in STANDING:
                counted[STANDING[state]] += n
        return counted


def count_views(coverage: Iterable[CoverageRow]) -> list[View]:
    """Count the rows of ``coverage``, one view per side and other side, in the order of the table."""
    made: dict[tuple[str, str], View] = {}
    for row in coverage:
        key = (row["side"], row["other"])
        view = made.setdefault(key, View(*key))
        view.states[row["state"]] += 1
        if row["state"] == "left_out":
            view.left_out[row["reason"] or "demands nothing of a firm"] += 1
        else:
            chapter = view.chapters.setdefault((row["doc_id"], row["chapter"] or ""), Counter())
            chapter[STANDING[row["state"]]] += 1
    return list(made.values())


def side_names(documents: Sequence[DocumentRow]) -> dict[str, str]:
    """Name the sides as a sentence does: one document by its title, several of a regime together."""
    names = full_titles(documents)
    for regime, docs in by_regime(documents).items():
        names[regime] = names[docs[0]["doc_id"]] if len(docs) == 1 else f"the {len(docs)} {regime.upper()} documents"
    return names


def summary_sentences(counted: Sequence[View], names: Mapping[str, str], likely: int, possible: int) -> list[str]:
    """Summarise the coverage of two sides in sentences.

    Args:
        counted: see ``count_views``.
        names: side → how a sentence calls it.
        likely, possible: conflicts whose probability is at least ``LIKELY``, and the other ones that were found.

    Returns:
        A sentence per side of two, stricter rules and conflicts, which are the same from both, in the first; of more
        sides, which a table shows, one; without views none.
    """
    conflicts = _conflicts(likely, possible)
    if len(counted) > _TWO:
        compared = len({frozenset((view.side, view.other)) for view in counted})
        return [f"{len({view.side for view in counted})} sides were compared, in {compared} pairs; {conflicts}."]
    clauses: list[str] = []
    for view in counted:
        here, there = names.get(view.side, view.side), names.get(view.other, view.other)
        sentence = _sentence(view, here, there)
        if not clauses:
            sentence += f"{_stricter(view, here, there)}; {conflicts}"
        clauses.append(sentence[0].upper() + sentence[1:] + ".")
    return clauses


def _sentence(view: View, here: str, there: str) -> str:
    n, standing = view.duties, view.counts_by_standing
    full, partly, gaps, undecided = (standing[name] for name in ("covered", "partly", "gap", "open"))
    if not n:
        return f"no provision of {here} demands anything of a firm"
    if n == 1:
        has = (
            "has a counterpart" if full else "has a counterpart in part or perhaps" if partly else "has no counterpart"
        )
        one = f"the one duty of {here}"
        return (
            f"{one} {has} in {there}"
            if full or partly or gaps
            else f"whether {one} has a counterpart in {there} is open"
        )
    if full:
        parts = [f"{'all' if full == n else thousands(full)} {_have_or_has(full)} a counterpart in {there}"]
        parts += [f"{thousands(partly)} partly or perhaps"] * bool(partly) + [f"{thousands(gaps)} none"] * bool(gaps)
    elif partly:
        parts = [
            f"none has a full counterpart in {there}",
            f"{thousands(partly)} {_have_or_has(partly)} one in part or perhaps",
        ]
    else:
        parts = [f"none has a counterpart in {there}"]
    if undecided:
        parts.append(f"{thousands(undecided)} {'is' if undecided == 1 else 'are'} open")
    return f"of {thousands(n)} duties of {here}, {', '.join(parts)}"


def _stricter(view: View, here: str, there: str) -> str:
    clauses: list[str] = []
    for state, name in (("stricter_there", there), ("stricter_here", here)):
        if k := view.states[state]:
            verb = "" if clauses else f"{'is' if k == 1 else 'are'} stricter "
            clauses.append(f"{thousands(k)} {verb}in {name}")
    return "; " + " and ".join(clauses) if clauses else ""


def _conflicts(likely: int, possible: int) -> str:
    certain = (
        "no conflict is" if not likely else "one conflict is" if likely == 1 else f"{thousands(likely)} conflicts are"
    )
    if not possible:
        return f"{certain} likely"
    more = "one" if possible == 1 else thousands(possible)
    return f"{certain} likely, {more}{' more' if likely else ''} {'is' if possible == 1 else 'are'} possible"


def _have_or_has(n: int) -> str:
    return "has" if n == 1 else "have"
