"""Results of an evaluation for people: a table, a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from antinomy.errors import EnvironmentFault

#: Parts of a result that are data for a picture or a list to read, not figures.
_NO_FIGURES = frozenset({"curve", "reliability", "confusion", "false", "missed", "thresholds"})


def table(result: Mapping[str, Any], title: str = "") -> Table:
    """Return a result of any evaluation as a table: figure, value, 95 % interval."""
    shown = Table(title=title or None, title_justify="left")
    shown.add_column("figure")
    shown.add_column("value", justify="right")
    shown.add_column("95 % interval", justify="right")
    for name, value in _flatten(result):
        if isinstance(value, Mapping):
            interval = "" if value["low"] is None else f"{value['low']:.3f} – {value['high']:.3f}"
            shown.add_row(name, _text(value["value"]), interval)
        else:
            shown.add_row(name, _text(value), "")
    return shown


def behaviours(result: Mapping[str, Any]) -> Table:
    """Return a result of ``behaviour`` as a table: one line per behaviour."""
    shown = Table(box=box.SIMPLE_HEAD, caption=_cases(result), caption_justify="left", collapse_padding=True)
    # In a narrow terminal the first two are wrapped: 80 columns suffice.
    shown.add_column("behaviour")
    shown.add_column("verdict due")
    shown.add_column("cases", justify="right", no_wrap=True)
    shown.add_column("right (95 %)", justify="right", no_wrap=True)
    shown.add_column("said instead", no_wrap=True)
    for name, row in result["behaviours"].items():
        what = f"[bold]{name}[/bold]" + (f"\n{row['what']}" if row["what"] else "")
        wrong = "\n".join(f"{answer}: {count}" for answer, count in row["wrong"].items())
        shown.add_row(what, verdict_text(row["relation"], row["governs"]), str(row["n"]), _share(row["right"]), wrong)
    shown.add_section()
    both = "[bold]both orders[/bold]\nsides exchanged"
    shown.add_row(both, "the same", str(result["n"]), _share(result["both_orders"]), "")
    return shown


#: Figures of answers, in words.
_ANSWERS = {
    "n": "questions", "right": "right, all kinds", "route": "right route", "exact_aggregate": "aggregates exact",
    "exact_lookup": "look-ups exact", "exact": "explicit exact", "implicit_recall": "implicit: recall@5",
    "implicit_precision": "implicit: precision@5", "refused": "unanswerable refused",
    "wrongly_refused": "answerable refused", "quotes": "quotes", "unverified": "unverified quotes",
    "tokens": "implicit: tokens of context",
}  # fmt: skip


def answers(result: Mapping[str, Any]) -> Table:
    """Return a result of ``answers`` as a table: a line per figure, a column per way of searching and half."""
    columns = [
        (mode, part) for mode, parts in result["modes"].items() for part in parts if part == "all" or mode == "hybrid"
    ]
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    shown.add_column("figure")
    for mode, part in columns:
        shown.add_column(f"{mode}\n{part}", justify="right")
    for name, words in _ANSWERS.items():
        values = (result["modes"][mode][part][name] for mode, part in columns)
        shown.add_row(words, *(_number(value) for value in values))
    for mode, gap in result["against_hybrid"].items():
        test = gap["mcnemar"]
        only = f"right in hybrid only {test['only_second']}, in {mode} only {test['only_first']}"
        shown.add_section()
        shown.add_row(f"hybrid against {mode}", f"{only}, p = {test['p_value']:.3f}")
        shown.add_row("  recall@5, difference", _number(gap["recall_difference"]))
    facts = result["facts"]
    shown.add_section()
    shown.add_row("tokens as text / as facts", f"{facts['text']:,} / {facts['facts']:,}")
    shown.add_row("  facts / text", _number(facts["ratio"]))
    shown.add_row("  quantities kept in facts", _number(facts["values_kept"]))
    return shown


def _number(value: Any) -> str:
    if not isinstance(value, Mapping):
        return f"{value:,}"
    if value["value"] is None:
        return "–"
    if value["low"] is None:
        return f"{value['value']:.2f}"
    figures = 0 if value["value"] >= 10 else 2
    return f"{value['value']:.{figures}f} ({value['low']:.{figures}f}–{value['high']:.{figures}f})"


def verdict_text(relation: str, governs: str | None) -> str:
    """Return a verdict in short: its relation, and for ``stricter`` the side that governs."""
    return f"{relation} ({governs})" if governs else relation


def _share(figure: Mapping[str, float]) -> str:
    return f"{figure['value']:.2f} ({figure['low']:.2f}–{figure['high']:.2f})"


def _cases(result: Mapping[str, Any]) -> str:
    judge = f"{result['n']} cases, judge {result['judge']['name']}, {result['errors']} errors"
    made = judge if result["provisions"] is None else f"{result['provisions']} provisions, {judge}"
    documents = ", ".join(f"{name} {n}" for name, n in sorted(result["documents"].items()))
    return f"{made}\nCases by document: {documents}" if documents else made


def save_picture(result: Mapping[str, Any], path: str) -> None:
    """Draw a result into a file, see ``draw``.

    Args:
        result: as returned.
        path: where to; the ending names the format (svg, png, pdf).

    Raises:
        EnvironmentFault: if matplotlib is not installed.
    """
    figure = draw(result)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def draw(result: Mapping[str, Any]) -> Any:
    """Draw a result of ``pairs`` (precision over recall, calibration), ``retrieval`` (recall over k) or
    ``reviewed`` (precision over the threshold, calibration).

    Returns:
        A matplotlib figure.

    Raises:
        EnvironmentFault: if matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise EnvironmentFault("a plot needs matplotlib: `pip install matplotlib`") from error
    panels = _panels(result)
    figure = Figure(figsize=(5 * len(panels), 4.5), layout="constrained")
    for number, draw_panel in enumerate(panels, start=1):
        draw_panel(figure.add_subplot(1, len(panels), number))
    return figure


def _panels(result: Mapping[str, Any]) -> list[Any]:
    def at_k(axes: Any) -> None:
        for name in ("recall", "hit"):
            ks = sorted(result[name], key=int)
            figures = [result[name][k] for k in ks]
            axes.plot(ks, [f["value"] for f in figures], marker="o", label=f"{name}@k")
            axes.fill_between(ks, [f["low"] for f in figures], [f["high"] for f in figures], alpha=0.2)
        axes.set(xlabel="k", ylim=(0, 1), title=f"{result['n']} queries, 95 % intervals")
        axes.legend()

    def curve(axes: Any) -> None:
        axes.step(result["curve"]["recall"], result["curve"]["precision"], where="post")
        axes.plot(result["recall"]["value"], result["precision"]["value"] or 0, "o", label="decision")
        axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02), title="conflict")
        axes.legend()

    def thresholds(axes: Any) -> None:
        points = result["thresholds"]
        at = [p["threshold"] for p in points]
        precision = [p["precision"] for p in points]
        axes.plot(at, [f["value"] for f in precision], marker=".", label="precision")
        axes.fill_between(at, [f["low"] for f in precision], [f["high"] for f in precision], alpha=0.2)
        if points and points[0]["confirmed_kept"] is not None:
            axes.step(at, [p["confirmed_kept"] for p in points], where="pre", label="confirmed ones still listed")
        axes.set(xlabel="conflicts listed from this probability on", xlim=(0, 1), ylim=(0, 1.02))
        axes.set_title(
            f"{points[0]['listed']} decided conflicts, 95 % interval" if points else "No conflict decided yet"
        )
        axes.legend(loc="lower left")

    def calibration(axes: Any) -> None:
        points = result["reliability"]
        axes.plot([0, 1], [0, 1], linestyle=":", color="grey")
        axes.plot([p["probability"] for p in points], [p["frequency"] for p in points], marker="o")
        axes.set(xlabel="probability given", ylabel="share that is conflict", xlim=(0, 1), ylim=(0, 1))

    if "hit" in result:
        return [at_k]
    first = [thresholds] if "thresholds" in result else [curve] if "curve" in result else []
    return [*first, calibration]


def _flatten(result: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in result.items():
        if name in _NO_FIGURES or value is None:
            continue
        path = f"{prefix}{name}"
        if name.startswith("per_") or name == "relations":
            # One line per kind or relation.
            yield from ((f"{path} {key}", _line(figures)) for key, figures in value.items())
        elif isinstance(value, Mapping) and "value" not in value:
            yield from _flatten(value, f"{path} ")
        else:
            yield path, value


def _line(figures: Mapping[str, Any]) -> str:
    plain = {name: f["value"] if isinstance(f, Mapping) else f for name, f in figures.items()}
    return ", ".join(f"{name} {_text(value)}" for name, value in plain.items())


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
