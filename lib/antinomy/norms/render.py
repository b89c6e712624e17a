"""Norms as text, for an analyst and for a model's prompt."""

from __future__ import annotations

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract
from antinomy.text.characters import truncate

#: Longest action or definition that is shown, in characters.
_MAX_CHARS = 120
_MODALITIES = {"must": "must", "must_not": "must not", "may": "may", "need_not": "need not", "defines": "defines"}


def measure_phrase(measure: Measure) -> str:
    """Return a measure in a fixed form: ``deadline (max): within 24 hours``."""
    return f"{measure.role} ({measure.bound}): {' '.join(measure.text.split())}"


def norm_phrase(norm: Norm, text: str) -> str:
    """Return a norm in one line: addressee, modality, action with its object; a long one is cut."""
    who = norm.addressee or "(anyone)"
    if norm.modality == "defines":
        return truncate(_one_line(text[norm.start : norm.end]), _MAX_CHARS)
    action = _one_line(text[norm.cue[1] : norm.end])
    if (norm.action is not None and norm.action.start < norm.cue[0]) or not action:
        action = _one_line(text[norm.start : norm.end])
    only = " only" if norm.exclusive else ""
    return f"{who} {_MODALITIES[norm.modality]}{only}: {truncate(action, _MAX_CHARS)}"


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(" .;,")


def norms_as_lines(text: str) -> str:
    """Return the norms of a provision, one per line with measures and conditions, for a prompt or an analyst."""
    lines = []
    for norm in extract(text):
        parts = [norm_phrase(norm, text)]
        parts += [measure_phrase(m) for m in norm.measures]
        for condition in norm.conditions:
            words = " ".join(text[condition.start : condition.end].split())
            if words:
                parts.append(f"{condition.kind}: {words[:100]}")
        if norm.promptness:
            parts.append(norm.promptness)
        lines.append("- " + " | ".join(parts))
    return "\n".join(lines)
