"""Norms as text: for an analyst's rationale and for a model's prompt."""

from __future__ import annotations

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract

_FORCE = {"must": "must", "must_not": "must not", "may": "may", "need_not": "need not", "defines": "defines"}


def measure_phrase(measure: Measure) -> str:
    """Return a measure in a fixed form: ``deadline max 24 hours``."""
    return f"{measure.role} ({measure.bound}): {' '.join(measure.text.split())}"


def norm_phrase(norm: Norm, text: str, limit: int = 160) -> str:
    """Return a norm in one line: who, force, action with object, measures."""
    who = norm.addressee or "(anyone)"
    if norm.modality == "defines":
        sentence = " ".join(text[norm.start : norm.end].split()).rstrip(" .;,")
        return sentence if len(sentence) <= limit else sentence[: limit - 1].rsplit(" ", 1)[0] + "…"
    act = " ".join(text[norm.cue[1] : norm.end].split()).rstrip(" .;,")
    if (norm.action is not None and norm.action.start < norm.cue[0]) or not act:
        act = " ".join(text[norm.start : norm.end].split()).rstrip(" .;,")
    if len(act) > limit:
        act = act[: limit - 1].rsplit(" ", 1)[0] + "…"
    only = " only" if norm.exclusive else ""
    return f"{who} {_FORCE[norm.modality]}{only}: {act}"


def facts(text: str) -> str:
    """Return the norms of a provision, one compact line each, for a prompt or an analyst."""
    lines = []
    for norm in extract(text):
        parts = [norm_phrase(norm, text, 120)]
        parts += [measure_phrase(m) for m in norm.measures]
        for segment in norm.segments:
            condition = " ".join(text[segment.start : segment.end].split())
            if condition:
                parts.append(f"{segment.kind}: {condition[:100]}")
        if norm.promptness:
            parts.append(norm.promptness)
        lines.append("- " + " | ".join(parts))
    return "\n".join(lines)
