"""The panels of ``notebooks/review.ipynb``: controls over a ``Review`` and over a ``CrosswalkReview``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from antinomy.findings.decisions import WORDS
from antinomy.report.words import COVERAGE_WORDS, KIND_WORDS, RELATION_WORDS, STATE_WORDS
from antinomy.review.session import OPEN, CrosswalkReview, Review, Row, Session
from antinomy.review.view import provision, side_by_side


@dataclass(frozen=True)
class Panel:
    """Filters, the row to look at, and the buttons to decide on it; ``whole`` is what a notebook displays.

    Attributes:
        filters: field of the session's filter → its control.
        buttons: ``previous``, ``next`` and the words of ``decisions.WORDS`` → buttons.
        note: why a decision is made; goes into the next one.
        place: where among the rows shown; says what was recorded, too.
        finding: both provisions side by side, or a provision beside its counterparts.
        whole: all of these.
    """

    filters: dict[str, Any]
    buttons: dict[str, Any]
    note: Any
    place: Any
    finding: Any
    whole: Any


def panel(review: Review) -> Panel:
    """Make the controls over the findings of a run; what they do is in ``Review``."""
    rows = review.findings
    filters = {
        "words": w.Text(placeholder="words in texts, labels, reasons", description="Search", continuous_update=False),
        "relation": _choice("Relation", (row["relation"] for row in rows), RELATION_WORDS),
        "kind": _choice("Kind", (row["kind"] for row in rows), KIND_WORDS),
        "document": _choice(
            "Document", (d for row in rows for d in {row["left_doc"], row["right_doc"]}), review.titles
        ),
        "state": _choice("Last run", (row["state"] for row in rows), STATE_WORDS),
        "decision": _review_filter(),
        "least": w.FloatSlider(
            description="From", min=0, max=1, step=0.05, continuous_update=False, tooltip="Probability of a conflict"
        ),
    }
    return _build_panel(review, filters, lambda row: side_by_side(row, review.titles))


def crosswalk_panel(review: CrosswalkReview) -> Panel:
    """Make the controls over the crosswalk of a run; what they do is in ``CrosswalkReview``."""
    rows = review.rows
    filters = {
        "words": w.Text(placeholder="words in text, label, headings", description="Search", continuous_update=False),
        "state": _choice("State", (row["state"] for row in rows), COVERAGE_WORDS),
        "document": _choice("Document", (row["doc_id"] for row in rows), review.titles),
        "chapter": _choice("Chapter", (row["chapter"] for row in rows), {}),
        "decision": _review_filter(),
    }
    return _build_panel(review, filters, lambda row: provision(row, review.current_counterparts, review.titles))


def _build_panel(review: Session[Row], filters: dict[str, Any], shown: Callable[[Row], str]) -> Panel:
    """Build a panel from filters, buttons and the current row.

    Args:
        review: what they work on.
        filters: field of its filter → control.
        shown: gives the HTML of a row.
    """
    buttons = {
        "previous": w.Button(description="Previous", icon="arrow-left"),
        "next": w.Button(description="Next", icon="arrow-right"),
        "confirm": w.Button(description="Confirm", button_style="primary"),
        "reject": w.Button(description="Reject"),
        "unsure": w.Button(description="Not sure"),
    }
    note = w.Textarea(placeholder="Why? (kept with the decision)", layout=w.Layout(width="100%", height="4rem"))
    place, finding = w.HTML(), w.HTML()

    def draw(done: str = "") -> None:
        here = review.current
        finding.value = shown(here) if here else f"<p>No {review.noun} passes the filters.</p>"
        at = f"{review.index + 1} of {len(review.shown)}" if here else "0"
        of_all = "" if len(review.shown) == len(review.rows) else f" (of {len(review.rows)} in all)"
        place.value = f"<b>{at}</b>{of_all}{done}"
        for name in ("confirm", "reject", "unsure"):
            buttons[name].disabled = here is None

    def filtered(change: Any) -> None:
        review.show(**{name: control.value for name, control in filters.items()})
        draw()

    def stepping(by: int) -> Callable[[Any], None]:
        def pressed(_: Any) -> None:
            review.step(by)
            draw()

        return pressed

    def deciding(word: str) -> Callable[[Any], None]:
        def pressed(_: Any) -> None:
            review.decide(word, note.value)
            note.value = ""
            draw(f" · recorded: {WORDS[word].lower()}")

        return pressed

    for control in filters.values():
        control.observe(filtered, names="value")
    buttons["previous"].on_click(stepping(-1))
    buttons["next"].on_click(stepping(1))
    for word in WORDS:
        buttons[word].on_click(deciding(word))
    draw()
    whole = w.VBox(
        [
            w.HBox(list(filters.values()), layout=w.Layout(flex_flow="row wrap")),
            w.HBox([buttons["previous"], buttons["next"], place]),
            finding,
            note,
            w.HBox([buttons[word] for word in WORDS]),
        ]
    )
    return Panel(filters, buttons, note, place, finding, whole)


def _review_filter() -> Any:
    return w.Dropdown(
        description="Review",
        options=[("all", ""), ("Not reviewed", OPEN), *((word, name) for name, word in WORDS.items())],
    )


def _choice(name: str, values: Iterable[str | None], words: dict[str, str]) -> Any:
    counted = Counter(value for value in values if value)
    options = [(f"{words.get(value, value)} ({n})", value) for value, n in counted.most_common()]
    return w.Dropdown(description=name, options=[("all", ""), *options])
