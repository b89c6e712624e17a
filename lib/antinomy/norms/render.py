"""Norms as text, for an analyst and for a model's prompt."""

from __future__ import annotations

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract

_MODALITIES = {"must": "must", "must_not": "must not", "may": "may", "need_not": "need not", "defines": "defines"}


def measure_phrase(measure: Measure) -> str:
    """Return a measure in a fixed form: ``deadline (max): within 24 hours``."""
    return f"{measure.role} ({measure.bound}): {' '.join(measure.text.split())}"


def norm_phrase(norm: Norm, text: str, limit: int = 160) -> str:
    """Return a norm in one line: addressee, modality, action with its object; cut to ``limit`` characters."""
    who = norm.addressee or "(anyone)"
    if norm.modality == "defines":
        sentence = " ".join(text[norm.start : norm.end].split()).rstrip(" .;,")
        return sentence if len(sentence) <= limit else sentence[: limit - 1].rsplit(" ", 1)[0] + "…"
    action = " ".join(text[norm.cue[1] : norm.end].split()).rstrip(" .;,")
    if (norm.action is not None and norm.action.start < norm.cue[0]) or not action:
        action = " ".join(text[norm.start : norm.end].split()).rstrip(" .;,")
    if len(action) > limit:
        action = action[: limit - 1].rsplit(" ", 1)[0] + "…"
    only = " only" if norm.exclusive else ""
    return f"{who} {_MODALITIES[norm.modality]}{only}: {action}"


def norms_as_lines(text: str) -> str:
    """Return the norms of a provision, one per line with measures and conditions, for a prompt or an analyst."""
    lines = []
    for norm in extract(text):
        parts = [norm_phrase(norm, text, 120)]
        parts += [measure_phrase(m) for m in norm.measures]
        for condition in norm.conditions:
            words = " ".join(text[condition.start : condition.end].split())
            if words:
                parts.append(f"{condition.kind}: {words[:100]}")
        if norm.promptness:
            parts.append(norm.promptness)
        lines.append("- " + " | ".join(parts))
    return "\n".join(lines)
