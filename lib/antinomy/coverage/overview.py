"""All sides at once: who sets the strictest rule on a topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from antinomy.embed.units import nearest_heading
from antinomy.findings import graph
from antinomy.store.rows import CounterpartRow, CoverageRow
from antinomy.vocabulary import Relation


@dataclass(frozen=True)
class Rule:
    """What one provision sets on a topic.

    Attributes:
        side, section_id, label: of the provision.
        value: what it sets, normalised; None where no value can be read.
        strictest: no other rule of the topic demands more.
    """

    side: str
    section_id: str
    label: str
    value: str | None
    strictest: bool


@dataclass(frozen=True)
class Topic:
    """Rules of several sides on one thing.

    Attributes:
        name: innermost heading of its strictest rule; of the first rule if no single one is strictest.
        kind: of the verdicts: deadline, frequency, retention …
        rules: in the order of the sides; one for each provision.
        governs: the side whose rule satisfies all others; None if it is open.
    """

    name: str
    kind: str
    rules: tuple[Rule, ...]
    governs: str | None


def strictest(coverage: Sequence[CoverageRow], counterparts: Iterable[CounterpartRow]) -> list[Topic]:
    """Gather the stricter rules into topics and find who demands most on each.

    A topic is a connected set of pairs of one kind: A is stricter than B and B than C, so A governs all three. A rule
    is the strictest if no pair says that another one governs it; a topic has a governing side if its strictest rules
    are of one side.

    Args:
        coverage, counterparts: rows of the tables.

    Returns:
        Topics, those of most sides first.
    """
    places = {row["section_id"]: (number, row) for number, row in enumerate(coverage)}
    pairs = [row for row in counterparts if row["relation"] == Relation.STRICTER and row["governs"]]
    edges = [(_node(row, "section_id"), _node(row, "counterpart_id")) for row in pairs]
    group = graph.components(edges)
    members: dict[str, set[str]] = defaultdict(set)
    outdone: dict[str, set[str]] = defaultdict(set)
    said: dict[str, dict[str, str]] = defaultdict(dict)
    kinds: dict[str, str] = {}
    for row, (node, _) in zip(pairs, edges, strict=True):
        topic = group[node]
        members[topic] |= {row["section_id"], row["counterpart_id"]}
        kinds[topic] = row["kind"] or "other"
        outdone[topic].add(row["section_id"] if row["governs"] == "there" else row["counterpart_id"])
        for name, value in ((row["section_id"], row["value"]), (row["counterpart_id"], row["counterpart_value"])):
            if value:
                said[topic].setdefault(name, value)
    found = []
    for topic, names in members.items():
        ordered = sorted((name for name in names if name in places), key=lambda name: places[name][0])
        rules = tuple(
            Rule(
                side=places[name][1]["side"],
                section_id=name,
                label=places[name][1]["label"],
                value=said[topic].get(name),
                strictest=name not in outdone[topic],
            )
            for name in ordered
        )
        best = [rule for rule in rules if rule.strictest]
        sides = {rule.side for rule in best}
        named = places[(best or rules)[0].section_id][1]
        name = nearest_heading(named["path"] or "") or named["label"]
        found.append(Topic(name, kinds[topic], rules, next(iter(sides)) if len(sides) == 1 else None))
    return sorted(found, key=lambda topic: (-len({rule.side for rule in topic.rules}), topic.kind, topic.name))


def _node(row: CounterpartRow, column: Literal["section_id", "counterpart_id"]) -> str:
    # Two provisions may differ both in a deadline and in a retention period: two topics.
    return f"{row['kind'] or 'other'}\n{row[column]}"
