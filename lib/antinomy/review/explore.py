"""The tables and pictures of ``notebooks/explore.ipynb``: what a run read, how alike its pairs are, what k finds."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pandas as pd
from matplotlib.figure import Figure

from antinomy.evaluate import keys
from antinomy.evaluate.against_key import KS, against_key
from antinomy.findings.document_names import full_titles
from antinomy.report.titles import provision_label
from antinomy.report.topic_graphs import MOST_PROVISIONS
from antinomy.report.words import NO_ANSWER, RELATION_WORDS
from antinomy.store import tables
from antinomy.vocabulary import FindingState

_COLOURS = {"conflict": "#a01f1b", "stricter": "#855400", "definition": "#4d3f91"}
_LINES = {"overlap": "-.", "none": "--", NO_ANSWER: ":"}
_OTHER, _LEFT, _RIGHT = "#8a93a0", "#1f3f66", "#c9d6e6"


class Run:
    """The tables of one run, read when they are needed."""

    def __init__(self, warehouse: str, run_id: str) -> None:
        """Name a run.

        Args:
            warehouse: URI of the warehouse.
            run_id: of a run that has findings.
        """
        self.warehouse, self.run_id = warehouse, run_id

    def table(self, name: str) -> pd.DataFrame:
        """Return one of the run's tables.

        Raises:
            StorageError: if the run has no such table.
        """
        found: pd.DataFrame = tables.read_arrow(self.warehouse, name, self.run_id).to_pandas()
        return found

    def documents(self) -> pd.DataFrame:
        """Return one line per document: what was read of it, and how much of its text stands in the tree."""
        columns = ["title", "regime", "status", "pages", "n_sections", "body_words", "coverage"]
        return self.table("documents").set_index("doc_id")[columns]

    def sections(self) -> pd.DataFrame:
        """Count sections by document (down) and type (across)."""
        found = self.table("sections")
        return pd.crosstab(found["doc_id"], found["type"])

    def citations(self) -> pd.DataFrame:
        """Count citations by the document that cites (down) and what became of them (across)."""
        found = self.table("citations")
        citing = found["src_section_id"].str.partition("#")[0].rename("doc_id")
        return pd.crosstab(citing, found["resolution"])

    def most_cited(self, n: int = 10) -> pd.DataFrame:
        """Return the sections that are cited most, with their documents and headings."""
        counts = self.table("citations")["target_section_id"].dropna().value_counts().rename("cited").head(n)
        places = self.table("sections").set_index("section_id")[["doc_id", "label", "heading"]]
        return counts.to_frame().join(places).reset_index(drop=True)

    def similarity(self) -> Figure:
        """Draw how alike the candidate pairs are, by what the judge says of them."""
        pairs = self.table("similar").merge(
            self.table("verdicts")[["left_id", "right_id", "relation"]], on=["left_id", "right_id"]
        )
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.add_subplot()
        relations = pairs["relation"].fillna(NO_ANSWER)
        for name, word in RELATION_WORDS.items():
            values = pairs.loc[relations == name, "own"].dropna()
            if not values.empty:
                # Cumulated: some relations have a handful of pairs, of which a histogram would show the bins.
                axes.ecdf(
                    values,
                    label=f"{word} ({len(values):,})",
                    color=_COLOURS.get(name, _OTHER),
                    linestyle=_LINES.get(name, "-"),
                    linewidth=2,
                )
        axes.set(xlabel="similarity of the two provisions (cosine)", ylabel="share of pairs up to this similarity")
        axes.set_title("Candidate pairs, by what the judge says of them")
        axes.legend()
        return figure

    def recall(self, key: str = "") -> Figure:
        """Draw which share of the conflicts is among the candidates when each provision keeps its best k.

        Args:
            key: JSON lines of known pairs; without it the run's own findings are looked for, which tells how
                few neighbours would have found the same, not what was missed.
        """
        similar = tables.read_rows(self.warehouse, "similar", self.run_id)
        if key:
            result = against_key([], similar, keys.read(key))
            wanted, points = result["n"], {int(k): share for k, share in result["candidates"]["recall_at"].items()}
            whose = f"{wanted} known conflicts"
        else:
            found = self.table("findings")
            wanted_pairs = found.loc[found["state"] != FindingState.RESOLVED, ["left_id", "right_id"]]
            ranks = pd.DataFrame(similar).merge(wanted_pairs, on=["left_id", "right_id"])
            best = ranks[["rank_left", "rank_right"]].min(axis=1)
            points = {k: float((best <= k).mean()) for k in KS}
            whose = f"{len(wanted_pairs)} findings of this run"
        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(list(points), list(points.values()), marker="o", color=_LEFT)
        axes.set(
            xticks=list(points),
            xlabel="neighbours per provision (k)",
            ylabel="share among the candidates",
            ylim=(0, 1.02),
            title=whose,
        )
        return figure

    def topic(self, place: int = 0) -> Figure:
        """Draw one topic: provisions of the left side dark, of the right side light, and the findings between them.

        Args:
            place: 0 for the topic with the most findings.
        """
        found = self.table("findings")
        found = found[(found["state"] != FindingState.RESOLVED) & found["cluster_id"].notna()]
        figure = Figure(figsize=(9, 6), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axis_off()
        sizes = found["cluster_id"].value_counts()
        if place >= len(sizes):
            axes.set_title("This run has no such topic")
            return figure
        rows = found[found["cluster_id"] == sizes.index[place]].sort_values("rank")
        documents = tables.read_rows(self.warehouse, "documents", self.run_id)
        graph = _graph(rows, full_titles(documents))
        spots = nx.spring_layout(graph, seed=7, iterations=200)
        nx.draw_networkx(
            graph,
            spots,
            ax=axes,
            labels=nx.get_node_attributes(graph, "label"),
            node_color=[_LEFT if left else _RIGHT for _, left in graph.nodes(data="left")],
            edge_color=[_COLOURS.get(relation, _OTHER) for _, _, relation in graph.edges(data="relation")],
            node_size=90,
            font_size=8,
            verticalalignment="bottom",
        )
        axes.set_title(f"{rows['topic'].iloc[0]}: {len(rows)} findings")
        return figure


def _graph(rows: pd.DataFrame, titles: dict[str, str]) -> Any:
    graph = nx.Graph()
    for row in rows.to_dict("records"):
        new = {row["left_id"], row["right_id"]} - set(graph)
        if graph.number_of_nodes() + len(new) <= MOST_PROVISIONS:
            for side in ("left", "right"):
                label = provision_label({str(name): value for name, value in row.items()}, side, titles)
                graph.add_node(row[f"{side}_id"], left=side == "left", label=label)
            graph.add_edge(row["left_id"], row["right_id"], relation=row["relation"])
    return graph
