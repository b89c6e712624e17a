"""The box of ``notebooks/ask.ipynb``: a question, its answer, and the graph around the sections that answer it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

import ipywidgets as w
import networkx as nx
from matplotlib.figure import Figure

from antinomy.ask.answer import Asker
from antinomy.ask.corpus import Corpus
from antinomy.ask.model import Answer
from antinomy.text.characters import one_line

#: Sections that a picture shows, and neighbours of each.
_SHOWN, _AROUND = 5, 3
_EDGES = {"CITES": "#1f3f66", "SIMILAR_TO": "#8a93a0", "CONTAINS": "#d9b36a"}
_ANSWERS, _BESIDE = "#a01f1b", "#c9d6e6"


@dataclass(frozen=True)
class QuestionBox:
    """Where a question is typed; ``whole`` is what a notebook displays.

    Attributes:
        question: type here, enter asks.
        answer: its text, passages and table.
        picture: the graph around it.
        whole: all of these.
    """

    question: Any
    answer: Any
    picture: Any
    whole: Any


def question_box(asker: Asker, question: str = "") -> QuestionBox:
    """Make the box; a question given is asked at once."""
    asked = w.Text(
        value=question, placeholder="What is the longest retention period, and whose?", description="Question",
        continuous_update=False, layout=w.Layout(width="90%"),
    )  # fmt: skip
    # An Output widget would do for the picture, but nbclient can hang while it fills one (jupyter/nbclient#312).
    answer, picture = w.HTML(), w.Image(format="png")

    def show(_: Any = None) -> None:
        if not asked.value.strip():
            return
        given = asker.ask(asked.value)
        answer.value = html(given)
        picture.value = _png(graph(given, asker.corpus))

    asked.observe(show, "value")
    show()
    return QuestionBox(asked, answer, picture, w.VBox([asked, answer, picture]))


def _png(figure: Figure) -> bytes:
    drawn = BytesIO()
    figure.savefig(drawn, format="png", bbox_inches="tight")
    return drawn.getvalue()


def html(answer: Answer) -> str:
    """Return an answer as HTML; everything from documents and questions is escaped."""
    parts = [f"<p><b>{escape(one_line(answer.text))}</b></p>"]
    if answer.rows:
        columns = [name for name in answer.rows[0] if name not in ("dimension", "low", "high")]
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        lines = (
            "".join(f"<td>{escape(one_line(str(row.get(name) or '')))}</td>" for name in columns)
            for row in answer.rows[:20]
        )
        parts.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
    for quote in answer.quotes[:8]:
        parts.append(f"<p><i>{escape(quote.label)} ({escape(quote.regime)})</i><br>{escape(one_line(quote.text))}</p>")
    return "".join(parts)


def graph(answer: Answer, corpus: Corpus) -> Figure:
    """Draw the sections that answer (dark) with what they cite, what cites them and what is similar to them."""
    network: Any = nx.DiGraph()
    wanted = answer.sections[:_SHOWN]
    cited = [(row["src_section_id"], row["target_section_id"]) for row in corpus.citations if row["target_section_id"]]
    for name in wanted:
        network.add_node(name)
        near = sorted(corpus.similar.get(name, {}).items(), key=lambda item: -item[1])[:_AROUND]
        beside = [(edge, "CITES") for edge in cited if name in edge][: 2 * _AROUND]
        beside += [((name, other), "SIMILAR_TO") for other, _ in near]
        parent = corpus.sections[name].parent_id
        beside += [((parent, name), "CONTAINS")] if parent in corpus.sections else []
        for (source, target), relation in beside:
            network.add_edge(source, target, relation=relation)
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    if not wanted:
        axes.set_title("No section answers this question")
        return figure
    spots = nx.spring_layout(network, seed=7, iterations=200)
    labels = {name: _label(name, corpus) for name in network}
    nx.draw_networkx(
        network, spots, ax=axes, labels=labels, font_size=8, verticalalignment="bottom", node_size=90,
        node_color=[_ANSWERS if name in wanted else _BESIDE for name in network],
        edge_color=[_EDGES[relation] for _, _, relation in network.edges(data="relation")],
    )  # fmt: skip
    for relation, colour in _EDGES.items():
        axes.plot([], [], color=colour, label=relation)
    axes.legend(loc="lower right", fontsize=8)
    axes.margins(0.15)
    return figure


def _label(name: str, corpus: Corpus) -> str:
    section = corpus.sections[name]
    title = str(corpus.documents[section.doc_id]["title"] or "")
    return f"{section.label.removeprefix(title).lstrip(' ,')} ({section.regime})"
