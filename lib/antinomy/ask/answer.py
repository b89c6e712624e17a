"""From a question to an answer: route, context, citations; every quote is verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from antinomy.ask.corpus import Corpus
from antinomy.ask.forms import Forms
from antinomy.ask.grammar import Grammar
from antinomy.ask.model import ABSENT, Answer, Found, Quantities, Query, Quote
from antinomy.ask.quantities import QuantityForms
from antinomy.ask.retrieve import Encode, Hit, Search
from antinomy.judge.evidence import locate
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.prompt import clean
from antinomy.norms.render import norm_phrase
from antinomy.text.characters import one_line

if TYPE_CHECKING:
    from antinomy.ask.served import Server
    from antinomy.judge.served.client import Spent

#: Longest question that is read, in characters.
MAX_CHARS = 1000
#: Passages that answer an implicit question.
PASSAGES = 6
#: A passage supports an answer if it covers this share of the question's words, by weight …
SUPPORTED = 0.45
#: … or is this near in meaning; half of both is enough together.
NEAR = 0.56


class Asker:
    """Answers questions about one run.

    Args:
        corpus: the run.
        encode: the model that made the run's vectors.
        count_tokens: counts the tokens of a text.
        mode: see ``retrieve.MODES``.
        budget: tokens of context at most.
        server: a served model that chooses forms and writes sentences, None without one.

    Attributes:
        corpus, search, grammar: what it asks.
        count_tokens: counts the tokens of a text.
    """

    def __init__(
        self,
        corpus: Corpus,
        encode: Encode,
        count_tokens: Callable[[str], int],
        mode: str,
        budget: int,
        server: Server | None = None,
    ) -> None:
        self.corpus = corpus
        self.search = Search(corpus, encode)
        self.grammar = Grammar(corpus)
        self._forms = Forms(corpus)
        self._quantities = QuantityForms(corpus, self.search)
        self.count_tokens = count_tokens
        self._mode = mode
        self._budget = budget
        self._server = server

    def ask(self, question: str) -> Answer:
        """Answer a question.

        If a served model fails or cannot be reached, the answer is the one without it; ``error`` says so.
        """
        question = clean_question(question)
        if not question:
            return Answer(question="", route="none", status="not_understood", text="There is no question.")
        return self._answer_by_server(question, self._server) if self._server else self._answer_alone(question)

    def _answer_by_server(self, question: str, server: Server) -> Answer:
        from antinomy.judge.served.client import Spent

        spent = Spent()
        try:
            query = server.choose(question, self.corpus, spent)
            made = self.answer_query(question, query) if query else self._write_sentences(question, server, spent)
        except CallFailed as failure:
            made = self._answer_alone(question).model_copy(update={"error": str(failure)})
        return made.model_copy(update={"input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens})

    def _write_sentences(self, question: str, server: Server, spent: Spent) -> Answer:
        extract = self.answer_by_search(question)
        if extract.status != "answered":
            return extract
        said = server.write(question, extract.quotes, spent)
        if not said.quotes:
            # None of its sentences has a verified quote.
            empty = {"status": "absent", "text": ABSENT, "quotes": [], "sections": [], "rows": []}
            return extract.model_copy(update={**empty, "kind": "sentences", "unverified": said.unverified})
        sections = list(dict.fromkeys(quote.section_id for quote in said.quotes))
        return extract.model_copy(
            update={
                "kind": "sentences", "text": said.text, "quotes": said.quotes, "sections": sections, "rows": [],
                "unverified": said.unverified,
            }
        )  # fmt: skip

    def _answer_alone(self, question: str) -> Answer:
        reading = self.grammar.read(question)
        if reading.query:
            return self.answer_query(question, reading.query)
        if reading.not_understood:
            text = f"Not understood: {reading.not_understood}. See docs/ask.md for what can be counted and looked up."
            return Answer(question=question, route="explicit", status="not_understood", text=text)
        return self.answer_by_search(question)

    def answer_query(self, question: str, query: Query) -> Answer:
        """Answer by a form."""
        found = self._quantities.compute(query) if isinstance(query, Quantities) else self._forms.compute(query)
        made = Answer(
            question=question,
            route="explicit",
            status="answered",
            query=query.model_dump(exclude_defaults=True) | {"form": query.form},
        )
        if found.absent:
            return made.model_copy(update={"status": "absent", "text": f"{ABSENT} {found.absent}"})
        quotes = self._quotes(found)
        return made.model_copy(
            update={
                "text": found.text, "value": found.value, "sections": found.sections, "quotes": quotes,
                "rows": found.rows, "tokens": sum(self.count_tokens(quote.text) for quote in quotes),
            }
        )  # fmt: skip

    def hits(self, question: str) -> list[Hit]:
        """Return the passages on the question's topic, the best first; [] if there are none."""
        regimes = self.grammar.regimes(question)
        among = regimes if len(regimes) == 1 else []
        ranked = self.search.rank(self.grammar.topic_words(question), self._mode, among)[:PASSAGES]
        return ranked if ranked and self._supported(ranked) else []

    def _supported(self, ranked: list[Hit]) -> bool:
        coverage = max(hit.coverage for hit in ranked)
        if self._mode == "graph":
            return coverage >= SUPPORTED
        return coverage / SUPPORTED + max(hit.cosine for hit in ranked) / NEAR >= 2.0

    def answer_by_search(self, question: str) -> Answer:
        """Answer by passages: an extractive answer."""
        hits = self.hits(question)
        if not hits:
            return Answer(question=question, route="implicit", status="absent", kind="extract", text=ABSENT)
        quotes = self.context(hits)
        sections = [hit.section_id for hit in hits]
        lead = self.corpus.sections[sections[0]]
        return Answer(
            question=question, route="implicit", status="answered", kind="extract",
            text=f"Extract, not written out: {len(sections)} passages, the best in {lead.label} ({lead.regime}).",
            sections=sections, quotes=quotes, rows=self.norms(hits),
            tokens=sum(self.count_tokens(quote.text) for quote in quotes),
        )  # fmt: skip

    def context(self, hits: list[Hit]) -> list[Quote]:
        """Return passages with what the graph adds (what they cite, the terms they use), within the budget."""
        quotes: list[Quote] = []
        left = self._budget
        wanted = [(hit.section_id, hit.score, hit.because) for hit in hits]
        wanted += [(name, 0.0, why) for hit in hits[:2] for name, why in self._linked_sections(hit.section_id)]
        for name, score, why in wanted:
            if any(quote.section_id == name for quote in quotes):
                continue
            quote = self._quote(name, None, score, why)
            cost = self.count_tokens(quote.text) if quote else 0
            if quote and cost <= left:
                quotes.append(quote)
                left -= cost
                quotes += (below := self._list_items(name, left))
                left -= sum(self.count_tokens(one.text) for one in below)
        return quotes

    def _list_items(self, name: str, left: int) -> list[Quote]:
        """Return as many of a provision's list items as fit."""
        made = []
        for child in self.corpus.subtree(name)[1:]:
            if self.corpus.sections[child].type not in ("point", "item"):
                break
            quote = self._quote(child, None, 0.0, "list item")
            if quote and (left := left - self.count_tokens(quote.text)) >= 0:
                made.append(quote)
        return made

    def _linked_sections(self, name: str) -> list[tuple[str, str]]:
        """Return a section's neighbours in the graph: what it cites, and the definitions of terms that it uses."""
        label = self.corpus.sections[name].label
        cited = [
            (row["target_section_id"], f"cited by {label}")
            for row in self.corpus.citations
            if row["src_section_id"] == name and row["target_section_id"]
        ]
        low = self.corpus.sections[name].text.lower()
        regime = self.corpus.sections[name].regime
        defined = [
            (section.section_id, f"defines a term of {label}")
            for section in self.corpus.definitions
            if section.regime == regime and section.term.lower() in low
        ]
        return cited + defined

    def norms(self, hits: list[Hit]) -> list[dict[str, Any]]:
        """Return the norms read out of passages, as a table."""
        rows = []
        for hit in hits:
            section = self.corpus.sections[hit.section_id]
            for norm in self.corpus.norms(hit.unit):
                phrase = norm_phrase(norm, hit.unit.unit_text)
                rows.append({"section": f"{section.label} ({section.regime})", "norm": phrase})
        return rows

    def _quotes(self, found: Found) -> list[Quote]:
        made = (self._quote(name, span, 0.0, "looked up") for name, span in found.passages.items())
        return [quote for quote in made if quote]

    def _quote(self, name: str, span: tuple[int, int] | None, score: float, because: str) -> Quote | None:
        """Return a passage of a section; None if it has no words or is not in the text."""
        section = self.corpus.sections[name]
        start, end = span or (0, len(section.text))
        text = section.text[start:end]
        if locate(text, section.text) is None:
            return None
        return Quote(
            section_id=name, doc_id=section.doc_id, regime=section.regime, label=section.label, text=text,
            start=start, end=end, score=round(score, 4), because=because,
        )  # fmt: skip


def clean_question(question: str) -> str:
    """Return a question cleaned: one line, no invisible characters, no control tokens of a chat template."""
    return one_line(clean(question[:MAX_CHARS]))
