"""Facts read in provisions by grammar and words, without a model: who must do what, when, by when."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from antinomy.ask.stated import is_statement, printed_term, stated_norms
from antinomy.judge.evidence import verbatim
from antinomy.norms import Measure, Norm
from antinomy.norms.model import Word
from antinomy.text.characters import truncate

_LONGEST = 200
_FORCE = {"must": "must", "must_not": "must not", "may": "may", "need_not": "need not", "defines": "means"}


def facts_of_unit(unit: Mapping[str, Any], in_present: bool = False) -> list[dict[str, Any]]:
    """Return the facts that a unit's norms state: one for each norm, and one for each measure in it.

    Args:
        unit: a row of ``units``.
        in_present: whether its document states its duties in the present tense, see ``ask.stated.stated_norms``.

    Returns:
        Rows of ``facts``, in reading order.
    """
    text = unit["unit_text"]
    place = {name: unit[name] for name in ("section_id", "unit_id", "doc_id", "regime")}
    made = []
    for norm in stated_norms(text, unit.get("binds") or "", unit.get("demands") or "", in_present):
        made += [_row(place, text, fact) for fact in _facts(norm, text)]
    return made


def _facts(norm: Norm, text: str) -> Iterator[dict[str, Any]]:
    who = _phrase(norm.agent, text) or norm.addressee or "anyone"
    action = text[norm.action.start : norm.action.end] if norm.action else ""
    deed = _in_short(text[norm.cue[1] : norm.end])
    if norm.modality == "defines":
        who, deed = printed_term(norm, text), _in_short(text[norm.start : norm.end])
    elif (norm.action is not None and norm.action.start < norm.cue[0]) or not deed:
        deed = _in_short(text[norm.start : norm.end])
    if is_statement(norm):
        action = deed
    conditions = [_in_short(text[condition.start : condition.end]) for condition in norm.conditions]
    whole = {
        "start": norm.start, "end": norm.end, "confidence": norm.strength, "modality": norm.modality,
        "condition": "; ".join(condition for condition in conditions if condition not in ("", deed)),
    }  # fmt: skip
    yield {
        **whole, "subject": who, "subject_type": norm.addressee or ("term" if norm.term else ""),
        "predicate": _FORCE[norm.modality], "object": deed, "object_type": "definition" if norm.term else "deed",
    }  # fmt: skip
    for measure in norm.measures:
        yield {
            **whole, "subject": f"{who}: {action}".strip(": "), "subject_type": "deed",
            "predicate": f"{measure.role} ({measure.bound})", "object": _in_short(text[measure.start : measure.end]),
            "object_type": measure.dimension, "role": measure.role, "bound": measure.bound,
            "dimension": measure.dimension, **_bounds(measure),
        }  # fmt: skip


def _bounds(measure: Measure) -> dict[str, float]:
    return {"low": measure.low, "high": measure.high}


def _phrase(words: tuple[Word, ...], text: str) -> str:
    """Return the text from the first of some words to the last, where they stand together."""
    return _in_short(text[words[0].start : words[-1].end]) if words else ""


def _in_short(text: str) -> str:
    """Return a text in one line, without the punctuation around it; a long one is cut."""
    return truncate(" ".join(text.split()).strip(" .;,:"), _LONGEST)


def _row(place: Mapping[str, Any], text: str, fact: dict[str, Any]) -> dict[str, Any]:
    row = {
        "origin": "norms", "model": "", "prompt_sha256": "", "role": "", "bound": "", "dimension": "", "low": None,
        "high": None, **place, **fact,
    }  # fmt: skip
    # Without the punctuation around it.
    clause = text[row["start"] : row["end"]]
    row["quote"] = verbatim(clause, clause)
    row["start"] += clause.find(row["quote"])
    row["end"] = row["start"] + len(row["quote"])
    return row | {"fact_id": fact_id(row)}


def fact_id(row: Mapping[str, Any]) -> str:
    """Return the id of a fact: what it says, where, and who says so."""
    parts = [row["unit_id"], row["origin"], row["subject"], row["predicate"], row["object"], str(row["start"])]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
