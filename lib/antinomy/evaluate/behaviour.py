"""Does a judge deserve belief on these documents? Cases made of the user's own provisions that need no label.

Method: Ribeiro, Wu, Guestrin and Singh, "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList" (ACL 2020).
"""

from __future__ import annotations

import logging
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from antinomy.embed import units
from antinomy.embed.addressee import Addressee, find_addressees
from antinomy.errors import AntinomyError, DocumentError
from antinomy.evaluate import pairs, perturb, stats
from antinomy.evaluate.display import verdict_text
from antinomy.parse import isolate
from antinomy.store import records
from antinomy.vocabulary import Relation, VerdictStatus

if TYPE_CHECKING:
    from antinomy.judge.protocol import Judge
    from antinomy.settings import Settings

log = logging.getLogger("antinomy")

#: Of these lengths in characters are provisions that a verdict can be expected on.
_SHORTEST, _LONGEST = 60, 1500
#: A word in more than this share of the provisions says nothing about their subject.
_COMMON = 0.05
_WORD = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class Text:
    """A provision that demands something of a firm; ``side`` is its regime, or its document where all have one."""

    text: str
    doc_id: str
    side: str


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One kind of case.

    Attributes:
        what: the right side beside the left, in words.
        relation: the verdict that is right.
        governs: the side that governs, for ``stricter``.
        change: makes the right side, "" where it cannot.
    """

    what: str
    relation: str
    governs: str | None
    change: Callable[[str, random.Random], str]


def _unchanged(text: str, _: random.Random) -> str:
    return text


#: What is tried on provisions one by one. ``padded`` and ``random`` take a second provision.
BEHAVIOURS = {
    "self": Behaviour("the same text", "overlap", None, _unchanged),
    "shuffled": Behaviour("list items in another order", "overlap", None, perturb.shuffled),
    "renumbered": Behaviour("other numbers of articles", "overlap", None, perturb.renumbered),
    "converted": Behaviour("a quantity said otherwise", "overlap", None, perturb.converted),
    "ban": Behaviour("“not” behind its only verb of duty", "conflict", None, perturb.negated),
    "permission": Behaviour("“may” for its only duty", "stricter", "left", perturb.permitted),
    "later": Behaviour("a longer deadline", "stricter", "left", perturb.later),
    "sooner": Behaviour("a shorter deadline", "stricter", "right", perturb.sooner),
    "oftener": Behaviour("monthly for yearly", "stricter", "right", perturb.more_often),
    "rarer": Behaviour("every five years for yearly", "stricter", "left", perturb.less_often),
    "kept longer": Behaviour("a longer least retention", "stricter", "right", perturb.kept_longer),
    "kept shorter": Behaviour("a shorter least retention", "stricter", "left", perturb.kept_shorter),
    "more": Behaviour("a higher least amount", "stricter", "right", perturb.higher_minimum),
    "lower cap": Behaviour("a lower greatest amount", "stricter", "right", perturb.capped_lower),
    "higher cap": Behaviour("a higher greatest amount", "stricter", "left", perturb.capped_higher),
    "authority": Behaviour("duty of supervisors instead", "none", None, perturb.for_authority),
}
_PADDED, _RANDOM = "padded", "random"
_WHAT = {name: behaviour.what for name, behaviour in BEHAVIOURS.items()} | {
    _PADDED: "plus an unrelated provision",
    _RANDOM: "an unrelated provision",
}


def behaviour(
    judge: Judge,
    settings: Settings | None = None,
    source: str = "",
    each: int = 40,
    seed: int = 0,
    output: str = "",
) -> dict[str, Any]:
    """Judge cases whose answer is certain and tell which share the judge gets right.

    Every case is judged in both orders; a case is right if its own order is.

    Args:
        judge: the judge to measure.
        settings: whose documents the cases are made of, where no ``source`` is given.
        source: JSON lines of ready cases {left, right, relation, id?, behaviour?, governs?}; the behaviour of a case
            without one is its id up to the last dash.
        each: cases of each behaviour at most.
        seed: of the choice of provisions.
        output: where to write the judged cases as JSON lines; "" for nowhere.

    Returns:
        behaviours: per name ``what``, ``relation``, ``governs``, ``n``, ``right`` (a share with Wilson's interval)
        and ``wrong`` (verdict → how often); ``both_orders``: share of the cases that have the same verdict both ways,
        the governing side exchanged; ``documents``: doc_id → cases of its provisions, {} for ready cases that name
        none; provisions, n, errors, judge.

    Raises:
        AntinomyError: if no case can be made, or a file is not as described.
        JudgeError: if the judge cannot work at all.
    """
    if source:
        cases, provisions = _sample(pairs.read_labelled(source), each), None
    elif settings:
        found = read_provisions(settings)
        cases, provisions = make_cases(found, each, seed), len(found)
    else:
        raise AntinomyError("give a settings file, whose documents the cases are made of, or ready cases")
    first = pairs.judged(cases, judge)
    second = pairs.judged([pairs.swapped(row) for row in cases], judge)
    if output:
        records.write(output, first)
    by_name: dict[str, list[dict[str, Any]]] = {}
    for row in first:
        by_name.setdefault(_name(row), []).append(row)
    agree = [_mirrored(a) == (b["predicted"], b["predicted_governs"]) for a, b in zip(first, second, strict=True)]
    return {
        "behaviours": {name: _measure(name, rows) for name, rows in by_name.items()},
        "both_orders": stats.wilson_share(sum(agree), len(agree)),
        "provisions": provisions,
        "documents": dict(Counter(row["document"] for row in first if "document" in row)),
        "n": len(first),
        "errors": sum(row["status"] == VerdictStatus.ERROR for row in first),
        "judge": {"name": judge.name, "model": judge.model, "prompt_sha256": judge.prompt_sha256},
    }


def _name(row: dict[str, Any]) -> str:
    return str(row.get("behaviour") or row["id"].rpartition("-")[0] or "cases")


def _sample(rows: list[dict[str, Any]], each: int) -> list[dict[str, Any]]:
    counts: Counter[str] = Counter()
    kept = []
    for row in rows:
        counts[_name(row)] += 1
        if not each or counts[_name(row)] <= each:
            kept.append(row)
    return kept


def _is_right(row: dict[str, Any]) -> bool:
    same = row["predicted"] == row["relation"]
    return same and (
        row["relation"] != Relation.STRICTER or not row.get("governs") or row["predicted_governs"] == row["governs"]
    )


def _mirrored(row: dict[str, Any]) -> tuple[str | None, str | None]:
    return row["predicted"], {"left": "right", "right": "left"}.get(row["predicted_governs"])


def _measure(name: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    wrong: Counter[str] = Counter()
    for row in rows:
        if not _is_right(row):
            wrong[verdict_text(row["predicted"] or row["status"], row["predicted_governs"])] += 1
    relations = {(row["relation"], row.get("governs")) for row in rows}
    relation, governs = next(iter(relations)) if len(relations) == 1 else ("as labelled", None)
    return {
        "what": _WHAT.get(name, ""),
        "relation": relation,
        "governs": governs,
        "n": len(rows),
        "right": stats.wilson_share(sum(map(_is_right, rows)), len(rows)),
        "wrong": dict(wrong.most_common()),
    }


def read_provisions(settings: Settings) -> list[Text]:
    """Parse the documents of a settings file and return the provisions that demand something of a firm.

    A document that cannot be read is named in a warning and left out.

    Raises:
        DocumentError: if none can be read.
    """
    found: list[Text] = []
    faults = []
    sources = settings.sources()
    one_regime = len({source.regime for source in sources}) == 1
    for source in sources:
        try:
            nodes = isolate.parse(source, isolate.read_bytes(source.uri), settings.parse).sections
        except DocumentError as error:
            log.warning("%s is left out: %s", source.doc_id, error)
            faults.append(f"{source.doc_id}: {error}")
            continue
        types = {node.eid: node.type for node in nodes}
        provisions = units.provisions(nodes)
        for provision, demand in zip(provisions, find_addressees(provisions, types), strict=True):
            text = "\n".join(part.text for part in provision.parts)
            if _SHORTEST <= len(text) <= _LONGEST and demand == Addressee("firm", "duty"):
                found.append(Text(text, source.doc_id, source.doc_id if one_regime else source.regime))
    if len(faults) == len(sources):
        raise DocumentError("none of the documents can be read: " + "; ".join(faults))
    return found


def make_cases(provisions: Sequence[Text], each: int, seed: int = 0) -> list[dict[str, Any]]:
    """Make cases of provisions: of every behaviour as many as can be, ``each`` at most (0: no bound).

    Returns:
        id, behaviour, document (of the left text), left, right, relation, governs per case.

    Raises:
        AntinomyError: if not one provision is there.
    """
    if not provisions:
        raise AntinomyError("no provision of these documents demands anything of a firm: there is nothing to try on")
    # Equal texts (boilerplate) are tried once.
    distinct = sorted({provision.text: provision for provision in provisions}.values(), key=lambda p: (p.text, p.side))
    subject = _Subjects(distinct)
    cases: list[dict[str, Any]] = []
    for name in _WHAT:
        rng = random.Random(f"{seed} {name}")
        made = _make_cases(name, rng.sample(distinct, len(distinct)), subject, rng)
        for number, case in enumerate(made, start=1):
            cases.append({"id": f"{name.replace(' ', '_')}-{number:04d}", "behaviour": name, **case})
            if number == each:
                break
    return cases


def _make_cases(
    name: str, provisions: Sequence[Text], subject: _Subjects, rng: random.Random
) -> Iterator[dict[str, Any]]:
    for provision in provisions:
        if name in BEHAVIOURS:
            kind = BEHAVIOURS[name]
            relation, governs, right = kind.relation, kind.governs, kind.change(provision.text, rng)
        else:
            other = subject.unrelated(provision, rng)
            relation, governs, right = "none", None, other
            if name == _PADDED:
                relation, right = "overlap", f"{provision.text}\n{other}" if other else ""
        if right:
            yield {
                "document": provision.doc_id,
                "left": provision.text,
                "right": right,
                "relation": relation,
                "governs": governs,
            }


class _Subjects:
    """What provisions are about: their words that few others have."""

    def __init__(self, provisions: Sequence[Text]) -> None:
        self._provisions = provisions
        words = [set(_WORD.findall(p.text.lower())) for p in provisions]
        common = Counter(word for found in words for word in found)
        most = max(2, _COMMON * len(provisions))
        self._rare = [{word[:6] for word in found if common[word] <= most} for found in words]
        self._place = {provision: place for place, provision in enumerate(provisions)}

    def unrelated(self, provision: Text, rng: random.Random) -> str:
        """Return a provision of another side that shares no word of subject with this one, "" if none is found."""
        own_words = self._rare[self._place[provision]]
        for place in rng.sample(range(len(self._provisions)), len(self._provisions)):
            other = self._provisions[place]
            if other.side != provision.side and not own_words & self._rare[place]:
                return other.text
        return ""
