"""Turns a question into a query form, by patterns, without a model; says what it does not understand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antinomy.ask.corpus import COMMON_NOUNS, Corpus, term_keys
from antinomy.ask.model import Citations, Count, Definition, Provision, Quantities, Query
from antinomy.ask.patterns import (
    ARTICLE,
    BY,
    CITING,
    CONFLICT,
    COVERAGE,
    DECISIONS,
    DEFINITION,
    DOWN,
    FEWEST,
    FINDING,
    GREATEST,
    GROUPED,
    HOW_DEFINED,
    HOW_MANY,
    INSIDE,
    KINDS,
    LEAST,
    LISTING,
    MOST,
    NO_TOPIC,
    OUTSIDE,
    OUTSIDE_NAME,
    PARTIES,
    PASSIVE,
    QUANTITY_NOUN,
    ROLES,
    SAYS,
    STATISTIC,
    STRICTER,
    TYPE,
    TYPES,
    UNCOUNTED,
    UNRESOLVED,
)
from antinomy.ask.places import NamedPlace, Places
from antinomy.norms.words import fold, phrase_key


@dataclass(frozen=True)
class ParsedQuestion:
    """How a question was understood.

    Attributes:
        query: the form; None if passages are to answer the question, or it is not understood.
        not_understood: words that are not understood, in a question that only a table could answer.
    """

    query: Query | None
    not_understood: str = ""


@dataclass(frozen=True)
class _Question:
    """A question as the rules read it.

    Attributes:
        text: as asked.
        low: folded, without the punctuation around it.
        plain: ``low`` with the names of regimes blanked out; offsets are the same.
        regime: that it names, "" for none or several.
        places: that it names, in its order.
    """

    text: str
    low: str
    plain: str
    regime: str
    places: list[NamedPlace]


class Grammar:
    """Reads questions about a corpus.

    Args:
        corpus: whose regimes, terms and places may be named.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)
        names = sorted(corpus.names, key=len, reverse=True)
        # Initials and titles of one word are names only as written, "us" least of all.
        self._name = re.compile(
            r"(?<![\w.])(?:the\s+)?(?P<name>" + "|".join(map(re.escape, names)) + r")(?:['’]s)?(?![\w])"
        ) if names else None  # fmt: skip
        self._terms = {key: section.term for section in corpus.definitions for key in term_keys(section.term)}

    def regimes(self, question: str) -> list[str]:
        """Return the regimes that a question names, in its order."""
        return list(dict.fromkeys(regime for regime, _, _ in self._named_regimes(question)))

    def _named_regimes(self, question: str) -> list[tuple[str, int, int]]:
        if self._name is None:
            return []
        found = []
        elsewhere = [match.span() for match in OUTSIDE_NAME.finditer(question)]
        for match in self._name.finditer(fold(question)):
            name = match["name"]
            if any(start <= match.start("name") < end for start, end in elsewhere):
                continue  # "Directive (EU) 2022/2555"
            wording = question[match.start("name") : match.end("name")]
            if name == "us" and wording != "US":  # the pronoun
                continue
            if name.removesuffix("s") in COMMON_NOUNS and not wording[0].isupper():  # "a notice" is no document
                continue
            found.append((self._corpus.names[name], match.start(), match.end()))
        return found

    def topic_words(self, question: str) -> str:
        """Return a question without the names of regimes, which say whose rules are searched, not for what."""
        plain = _blank_out(question, [(start, end) for _, start, end in self._named_regimes(question)])
        return " ".join(plain.split())

    def read(self, question: str) -> ParsedQuestion:
        """Return the form that a question asks for."""
        named = self._named_regimes(question)
        regimes = list(dict.fromkeys(regime for regime, _, _ in named))
        low = fold(question).strip(" ?!.")
        asked = _Question(
            text=question,
            low=low,
            plain=_blank_out(low, [(start, end) for _, start, end in named]),
            regime=regimes[0] if len(regimes) == 1 else "",
            places=self._places.find(question),
        )
        for rule in (self._citations, self._counted, self._superlative, self._defined, self._looked_up, self._quantity):
            reading = rule(asked)
            if reading:
                return reading
        return ParsedQuestion(None)

    # Citations -------------------------------------------------------------------------------------------------

    def _citations(self, question: _Question) -> ParsedQuestion | None:
        low, places, regime = question.low, question.places, question.regime
        verb = CITING.search(low)
        if not verb:
            return None
        most, fewest = MOST.search(low), FEWEST.search(low)
        kind = re.search(rf"\b{TYPE}\b", question.plain)
        if (most or fewest) and not places:
            by: Any = "cited" if PASSIVE.search(low) or re.search(r"\bmost[- ](?:often )?cited\b", low) else "citing"
            level = _type(kind["type"]) if kind else ""
            pick: Any = "most" if most else "fewest"
            resolution: Any = "external" if OUTSIDE.search(low) else ""
            count = Count(of="citations", by=by, level=level, pick=pick, regime=regime, resolution=resolution)
            return ParsedQuestion(count)
        how_many = bool(HOW_MANY.search(low))
        outside = _outside_name(question.text) if not places else ""
        if not places and not outside:
            return None
        place = places[-1] if places else None
        wording = place.wording if place else outside
        before = place is not None and place.start < verb.start()
        passive = bool(PASSIVE.search(low))
        # "What does Article 17 cite?", "cited by Article 17": from; "what cites Article 9", "is Article 9 cited": to.
        direction: Any = "from" if before != passive else "to"
        if len(places) > 1 and places[0].start < verb.start() < places[-1].start:
            # "Which part of the Annex does Article 9(2) refer to?" has its subject right before the verb.
            inner = [one for one in places if one.start < verb.start()]
            place, direction = inner[-1], "to" if passive else "from"
            wording = place.wording
        elif len(places) > 1 and places[-1].start < verb.start():
            direction = "from"
        level = _type(kind["type"]) if how_many and kind and kind.start() < verb.start() and not (
            place and place.start <= kind.start() < place.end) else ""  # fmt: skip
        regime = regime if outside or not place else ""
        citations = Citations(direction=direction, place=wording, regime=regime, count=how_many, level=level)
        return ParsedQuestion(citations)

    # Counts ----------------------------------------------------------------------------------------------------

    def _counted(self, question: _Question) -> ParsedQuestion | None:
        low, plain, regime = question.low, question.plain, question.regime
        if STATISTIC.search(low):
            return ParsedQuestion(None, "a statistic other than a count, a least or a greatest value")
        how_many = HOW_MANY.search(plain)
        grouped = GROUPED.search(low)
        down = DOWN.search(low)
        ranked = re.search(
            r"\bwhich (?P<by>kind|topic|relation|type|document|regime)s?\b.*\b(?P<pick>most|fewest|least)\b", low
        )
        listing = LISTING.match(low)
        about = FINDING.search(low)
        listed_state = listing and _coverage_state(low)
        asks = how_many or (grouped and about) or down or (ranked and about) or (listing and about) or listed_state
        if how_many is None and grouped and not about and (listing or down or low.startswith(("number", "count"))):
            asks = grouped
        if not asks:
            return None
        by = BY[_singular(ranked["by"] if ranked else grouped["by"])] if ranked or grouped else ""  # type: ignore[index]
        pick: Any = "all"
        if ranked:
            pick = "most" if ranked["pick"] == "most" else "fewest"
        rest = how_many["rest"] if how_many else plain
        quantity = QUANTITY_NOUN.search(rest)
        listed = not how_many and not by
        common: dict[str, Any] = {"by": by, "pick": pick, "listed": listed}
        if state := _coverage_state(low):
            # "Which of our provisions have no counterpart in the handbook": their regime is named first.
            whose = self.regimes(question.text)[:1]
            return ParsedQuestion(Count(of="coverage", state=state, regime=whose[0] if whose else "", **common))
        if about and (uncounted := UNCOUNTED.search(low)):
            return ParsedQuestion(None, f"“{uncounted[0]}”, by which findings are not counted")
        if about and (how_many or by or down or listing):
            return ParsedQuestion(self._of_findings(low, about, regime, common))
        if quantity and how_many and quantity.start() < 20:
            role = next(name for name, pattern in ROLES if pattern.search(quantity["noun"]))
            topic = rest[quantity.end() :]
            return ParsedQuestion(Quantities(role=role, topic=_topic(topic), regime=regime, count=True))  # type: ignore[arg-type]
        head = rest[:60]
        if how_many and re.search(r"\b(?:provisions?|duties|obligations|permissions|rules|requirements)\b", head):
            counted = self._of_provisions(low, head, regime, common)
            return ParsedQuestion(counted, "" if counted else "which provisions to count")
        if content := self._of_content(low, head, regime, common):
            return ParsedQuestion(content)
        if how_many and re.match(r"(?:hours|days|months|minutes|weeks|years|kilomet|miles|times)", head):
            return None
        # What is left may be a number that a provision sets ("how many attempts").
        return ParsedQuestion(Quantities(role="count", topic=_topic(rest), regime=regime)) if how_many else None

    def _of_findings(self, low: str, about: re.Match[str], regime: str, common: dict[str, Any]) -> Count:
        relation: Any = "conflict" if re.search(rf"\b{CONFLICT}\b", low) else ""
        of: Any = "verdicts" if re.search(r"\b(?:pairs?|verdicts?|judge?ments?|judged)\b", low) else "findings"
        if re.search(r"\boverlap\w*\b", low):
            relation, of = "overlap", "verdicts"
        stricter = ""
        if STRICTER.search(low):
            relation, stricter, regime = "stricter", regime, ""
        if not relation and re.search(r"\bdefinitions?\b", low) and of == "findings":
            relation = "definition"
        if of == "verdicts" and re.search(r"\b(?:no relation|unrelated|none)\b", low):
            relation = "none"
        kind = next((name for name in KINDS if re.search(rf"\b{name}s?\b|\b{name[:-1]}ies\b", low)), "")
        if kind == "definition":
            kind = ""
        decision = next((word for name, word in DECISIONS.items() if name in low), "")
        return Count(of=of, relation=relation, kind=kind, stricter=stricter, decision=decision, regime=regime, **common)

    def _of_provisions(self, low: str, head: str, regime: str, common: dict[str, Any]) -> Count | None:
        """Return which provisions to count, None if the question does not say."""
        before = r"\b(?:bind|on|for|of|address\w*)\s+(?:the\s+)?"
        party = next((name for word, name in PARTIES.items() if re.search(rf"{before}{word}\b", low)), "")
        kind = "duty" if re.search(r"\b(?:dut(?:y|ies)|obligations?)\b", head) else ""
        kind = "permission" if "permission" in head else kind
        if not party and not kind and not common["by"]:
            return None
        return Count(of="provisions", party=party, type=kind, regime=regime, **common)

    def _of_content(self, low: str, head: str, regime: str, common: dict[str, Any]) -> Count | None:
        """Return what of the documents' content to count, None if it is something else."""
        if re.match(r"(?:\w+\s+){0,3}?(?:definitions?|defined terms?|terms?)\b", head):
            return Count(of="definitions", regime=regime, **common)
        if re.match(r"(?:\w+\s+){0,3}?(?:citations?|references|cross-references)\b", head):
            which: Any = "external" if OUTSIDE.search(low) else "unresolved" if UNRESOLVED.search(low) else ""
            which = which or ("internal" if INSIDE.search(low) else "")
            return Count(of="citations", resolution=which, regime=regime, **common)
        if kind := re.match(rf"(?:\w+\s+){{0,2}}?{TYPE}\b", head):
            return Count(of="sections", type=_type(kind["type"]), regime=regime, **common)
        return Count(of="documents", regime=regime, **common) if re.match(r"(?:\w+\s+)?documents?\b", head) else None

    # Superlatives ----------------------------------------------------------------------------------------------

    def _superlative(self, question: _Question) -> ParsedQuestion | None:
        greatest, least = GREATEST.search(question.low), LEAST.search(question.low)
        if not greatest and not least:
            return None
        role = _role(question.low)
        if not role:
            return None
        pick: Any = "greatest" if greatest else "least"
        topic = _topic(question.plain)
        return ParsedQuestion(Quantities(role=role, topic=topic, pick=pick, regime=question.regime))  # type: ignore[arg-type]

    # Definitions -----------------------------------------------------------------------------------------------

    def _defined(self, question: _Question) -> ParsedQuestion | None:
        if question.places:
            return None
        explicit = bool(HOW_DEFINED.search(question.low))
        term = self._known_term(question.plain)
        if explicit:
            if term:
                return ParsedQuestion(Definition(term=term, regime=question.regime))
            asked = _term_in_question(question.plain)
            return ParsedQuestion(Definition(term=asked, regime=question.regime)) if asked else None
        match = re.match(r"(?:what|who)(?: exactly)? (?:is|are|counts as|qualifies as)\s+(?P<term>.+)", question.plain)
        if match and term and phrase_key(ARTICLE.sub("", _topic(match["term"]))) in term_keys(term):
            return ParsedQuestion(Definition(term=term, regime=question.regime))
        return None

    def _known_term(self, low: str) -> str:
        stems = f" {phrase_key(low)} "
        fitting = [key for key in self._terms if f" {key} " in stems]
        return self._terms[max(fitting, key=len)] if fitting else ""

    # Places and quantities -------------------------------------------------------------------------------------

    def _looked_up(self, question: _Question) -> ParsedQuestion | None:
        if len(question.places) != 1:
            return None
        place = question.places[0]
        rest = _blank_out(question.plain, [(place.start, place.end)])
        left = _topic(rest).split()
        if len(left) <= (2 if SAYS.search(question.low) else 1):
            return ParsedQuestion(Provision(place=place.wording, regime=question.regime))
        return None

    def _quantity(self, question: _Question) -> ParsedQuestion | None:
        role = _role(question.low)
        asked = re.match(
            r"(?:and |so |but )?(?:how|what|which|by when|when|within|for how|until|at what|after how"
            r"|give|list|show|name)\b",
            question.low,
        )
        if not role or not (asked or question.low.startswith(("deadline", "retention", "frequency", "notice"))):
            return None
        topic = _topic(question.plain)
        return ParsedQuestion(Quantities(role=role, topic=topic, regime=question.regime))  # type: ignore[arg-type]


def _role(low: str) -> str:
    return next((name for name, pattern in ROLES if pattern.search(low)), "")


def _coverage_state(low: str) -> str:
    """Return the state of the crosswalk that a question asks for, "" for none."""
    return next((state for state, pattern in COVERAGE if pattern.search(low)), "")


def _type(word: str) -> str:
    return TYPES.get(word) or TYPES.get(_singular(word), "")


def _singular(word: str) -> str:
    if word in ("annexes", "appendices"):
        return {"annexes": "annex", "appendices": "appendix"}[word]
    if word == "parties":
        return "party"
    return word.removesuffix("s")


def _blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (min(end, len(text)) - start) + text[end:]
    return text


def _topic(text: str) -> str:
    """Return the words of a question that say what it is about."""
    return " ".join(re.findall(r"[\w’'-]+", NO_TOPIC.sub(" ", text)))


def _term_in_question(low: str) -> str:
    for pattern in DEFINITION:
        if match := pattern.search(low):
            term = re.split(r"\s+(?:in|under|by|according|used|defined|mean)\b|[?,.;]", match["term"])[0]
            return ARTICLE.sub("", " ".join(term.split())).strip("\"'“”‘’ ")
    return ""


def _outside_name(question: str) -> str:
    match = OUTSIDE_NAME.search(question)
    return match[0] if match else ""
