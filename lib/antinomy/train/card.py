"""Writes the model card: what was fitted on which data, and its figures on held-out data."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

from antinomy.evaluate.pairs import measure
from antinomy.run import base_model
from antinomy.settings.train import CrossEncoderSettings

Rows = list[dict[str, Any]]
_DEVELOPMENT = "conflicts_dev.jsonl"
_FIGURES = ("precision", "recall", "f1", "auc", "calibration_error")


def card(
    judges: Sequence[tuple[str, Rows]], provenance: dict[str, Any], settings: CrossEncoderSettings
) -> tuple[dict[str, Any], str]:
    """Return the figures of every judge and baseline, and the card as Markdown.

    Args:
        judges: names with judged pairs; the last fitted judge is ``default``.
        provenance: see ``judge.fitted.decision.Decision``.
        settings: of the cross-encoder.
    """
    figures: dict[str, Any] = {}
    for title, development in (("train topics", False), (_DEVELOPMENT, True)):
        chosen = {
            name: [row for row in rows if (row["source"] == _DEVELOPMENT) == development] for name, rows in judges
        }
        if any(chosen.values()):
            figures[title] = {name: measure(rows) for name, rows in chosen.items()}
    about = _template("packaged.md" if settings.fit == "packaged" else "fitted.md").rstrip()
    reader = about.format(base=base_model.REVISION, settings=settings.model_dump_json(exclude={"fit"}))
    parts = [_template("card.md").format(**provenance, cross_encoder=reader, files=_files(provenance["data"]))]
    for title, found in figures.items():
        n = next(iter(found.values()))["n"]
        parts.append(f"\n## {title} ({n} pairs, out of fold)\n\n" + _table_of_judges(found))
        parts += [table(found["default"]) for table in (_table_of_relations, _table_of_kinds, _confusion_matrix)]
        if title != _DEVELOPMENT:
            parts.append(_table_by_file(next(rows for name, rows in judges if name == "default")))
    return figures, "\n".join(parts) + "\n"


def _template(name: str) -> str:
    """Return a part of the card, with fields in braces as ``str.format`` replaces them."""
    return (resources.files("antinomy.train") / "templates" / name).read_text("utf-8")


def _files(data: dict[str, str]) -> str:
    return ", ".join(f"{name} {sha[:16]}" for name, sha in data.items())


def _cell(figure: dict[str, Any] | None) -> str:
    if not figure or figure["value"] is None:
        return "–"
    interval = f" ({figure['low']:.2f}–{figure['high']:.2f})" if figure.get("low") is not None else ""
    return f"{figure['value']:.2f}{interval}"


def _table_of_judges(found: dict[str, Any]) -> str:
    heads = ("conflict against the rest", *_FIGURES, "decided", "relation right")
    rows = [f"| {' | '.join(heads)} |".replace("_", " "), "|---" * len(heads) + "|"]
    for name, figures in found.items():
        fitted = name == "default"
        cells = [_cell(figures[key]) for key in _FIGURES] + [_cell({**figures["coverage"], "low": None})]
        right = sum(row[i] for i, row in enumerate(figures["confusion"]["matrix"])) / figures["n"]
        cells.append(f"{right:.2f}" if fitted else "–")
        rows.append(f"| {f'`{name}`' if fitted else name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _table_of_relations(found: dict[str, Any]) -> str:
    rows = ["`default` by relation:\n", "| relation | precision | recall | F1 | pairs |", "|---|---|---|---|---|"]
    for relation, f in found["per_relation"].items():
        values = " | ".join("–" if f[k] is None else f"{f[k]:.2f}" for k in ("precision", "recall", "f1"))
        rows.append(f"| {relation} | {values} | {f['n']} |")
    return "\n".join(rows) + f"\n\nWho governs, of the stricter pairs found: {_cell(found['governs_accuracy'])}.\n"


def _table_of_kinds(found: dict[str, Any]) -> str:
    rows = ["`default` on conflicts by kind:\n", "| kind | recall | precision | pairs |", "|---|---|---|---|"]
    for kind, f in found["per_kind"].items():
        rows.append(f"| {kind} | {_cell(f['recall'])} | {_cell(f['precision'])} | {f['n']} |")
    return "\n".join(rows) + "\n"


def _table_by_file(rows: Rows) -> str:
    lines = ["`default` by file:\n", "| file | F1 | auc | relation right | pairs |", "|---|---|---|---|---|"]
    for source in sorted({row["source"] for row in rows} - {_DEVELOPMENT}):
        own = [row for row in rows if row["source"] == source]
        f = measure(own)
        right = sum(row["relation"] == row["predicted"] for row in own) / len(own)
        name = source.removesuffix(".jsonl")
        lines.append(f"| {name} | {_cell(f['f1'])} | {_cell(f['auc'])} | {right:.2f} | {len(own)} |")
    return "\n".join(lines) + "\n"


def _confusion_matrix(found: dict[str, Any]) -> str:
    table = found["confusion"]
    names = [n for n in table["predicted"] if n != "error"]
    rows = ["`default`: labelled (rows) against said (columns):\n", f"| | {' | '.join(names)} |"]
    rows.append("|---" * (len(names) + 1) + "|")
    for name, counts in zip(table["actual"], table["matrix"], strict=True):
        rows.append(f"| {name} | " + " | ".join(str(c) for c in counts[: len(names)]) + " |")
    return "\n".join(rows) + "\n"
