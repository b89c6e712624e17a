"""Questions about a policy that states its duties in the present tense, beside a rule with modal verbs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from antinomy.ask.answer import Asker
from antinomy.ask.corpus import Corpus
from antinomy.embed.addressee import find_addressees
from antinomy.embed.units import Part, Provision
from antinomy.facts.by_grammar import facts_of_unit
from antinomy.store import tables

POLICY = (
    "“Critical function” means a function whose failure causes the Bank a loss.",
    "The Outsourcing Officer keeps a register of all outsourcing arrangements and updates it once a year.",
    "The service provider reports any incident to the Outsourcing Officer within four hours of its detection.",
    "Contracts and audit reports are kept for ten years after the arrangement has ended.",
    "Employees of the Bank change their passwords every 90 days.",
    "The management body approves this policy.",
    "The Bank remains responsible for every function.",
    "Internal Audit announces each inspection in writing.",
    "The Bank may terminate a contract at three months' notice, and the notice is kept for two years.",
    # It says what is usual, not what must be done.
    "The lighthouse usually polishes its lamps every month.",
    "The Bank assesses each arrangement before the contract is signed.",
    "The service provider erases client data within 60 days of the end of the contract.",
)
CIRCULAR = (
    "The bank shall report an incident to the authority within 24 hours of its detection.",
    "The bank shall keep its logs for at least five years.",
    "The bank must test its backups once a quarter.",
    "The agency publishes the tariff of the lighthouse every week.",
)


def _rows(doc_id: str, texts: Sequence[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    eids = [f"para_{number}" for number in range(1, len(texts) + 1)]
    types = {eid: "definition" if text.startswith("“") else "paragraph" for eid, text in zip(eids, texts, strict=True)}
    provisions = [Provision(eid, eid, "", [Part(eid, text)]) for eid, text in zip(eids, texts, strict=True)]
    units, sections = [], []
    for position, (one, who) in enumerate(zip(provisions, find_addressees(provisions, types), strict=True)):
        text, name = one.parts[0].text, f"{doc_id}#{one.eid}"
        place = {"section_id": name, "doc_id": doc_id, "label": f"{position + 1}", "type": types[one.eid]}
        sections.append(place | {"eid": one.eid, "number": "", "heading": "", "text": text, "position": position})
        digest = hashlib.sha256(text.encode()).hexdigest()
        units.append(
            place
            | {"unit_id": name, "regime": doc_id, "heading_path": "", "unit_text": text, "context": "", "piece": 0,
               "text_sha256": digest, "binds": who.binds, "demands": who.demands}
        )  # fmt: skip
    return units, sections


def _asker(folder: Path, **documents: Sequence[str]) -> Asker:
    warehouse = str(folder)
    units, sections = [], []
    for doc_id, texts in documents.items():
        own = _rows(doc_id, texts)
        units += own[0]
        sections += own[1]
    parsed = [{"doc_id": doc_id, "regime": doc_id, "status": "parsed"} for doc_id in documents]
    for table, rows in (("documents", parsed), ("units", units), ("sections", sections)):
        tables.write_rows(rows, warehouse, table, "r")
    return Asker(Corpus(warehouse, "r"), _no_vectors, lambda text: len(text.split()), "graph", 1000)


def _no_vectors(text: str) -> Any:
    raise AssertionError("the words alone answer here")


@pytest.fixture
def asked(tmp_path: Path) -> Asker:
    return _asker(tmp_path, policy=POLICY, circular=CIRCULAR)


@pytest.mark.parametrize(
    ("question", "value", "section"),
    [
        ("How often must the register of outsourcing be updated?", "once a year", "policy#para_2"),
        ("How often must passwords be changed?", "90 days", "policy#para_5"),
        ("What is the shortest deadline?", "four hours", "policy#para_3"),
        ("What is the longest retention period?", "ten years", "policy#para_4"),
        ("How long may client data be kept?", "60 days", "policy#para_12"),
        ("How often must backups be tested?", "once a quarter", "circular#para_3"),
    ],
)
def test_a_statement_in_the_present_tense_answers_like_a_duty(
    asked: Asker, question: str, value: str, section: str
) -> None:
    answer = asked.ask(question)
    assert (answer.status, answer.sections[0]) == ("answered", section)
    assert answer.rows[0]["value"] == value
    assert answer.rows[0]["who"] == "firm"


def test_all_retention_periods_are_listed(asked: Asker) -> None:
    answer = asked.ask("How long must documents be kept?")
    assert set(answer.sections) == {"policy#para_4", "policy#para_12", "circular#para_2"}


def test_a_statement_that_binds_nobody_known_is_shown_and_not_denied(asked: Asker) -> None:
    answer = asked.ask("How often must the lamps be polished?")
    assert answer.status == "answered"
    assert answer.text.startswith("No frequency on “lamps polished” is read as a duty.")
    assert answer.sections == ["policy#para_10"]
    assert answer.rows[0]["force"] == "not read"
    assert answer.value is None
    most = asked.ask("What is the shortest interval?")
    assert "Not among them: 1 in statements not read as duties (every month" in most.text
    assert asked.ask("How often must the moon be visited?").text.startswith("Not in these documents.")


def test_a_document_with_modal_verbs_is_read_as_ever(tmp_path: Path) -> None:
    asked = _asker(tmp_path, circular=CIRCULAR)
    frequencies = asked.ask("What is the shortest interval?")
    assert (frequencies.value, frequencies.sections) == ("once a quarter", ["circular#para_3"])
    assert "Not among them" not in frequencies.text
    tariff = "The agency publishes the tariff every week."
    assert facts_of_unit(_unit(tariff)) == []


def _unit(text: str, **given: Any) -> dict[str, Any]:
    place = {"section_id": "p#a", "unit_id": "p#a", "doc_id": "p", "regime": "p", "binds": "firm", "demands": "duty"}
    return place | {"unit_text": text} | given


def test_facts_of_a_statement_say_who_is_bound_and_what_is_done() -> None:
    text = POLICY[1]
    duty, frequency = facts_of_unit(_unit(text), in_present=True)
    assert (duty["subject"], duty["predicate"], duty["object"]) == ("firm", "must", text[:-1])
    assert (frequency["predicate"], frequency["object"]) == ("frequency (max)", "once a year")
    assert frequency["subject"] == f"firm: {text[:-1]}"
    for fact in (duty, frequency):
        assert fact["quote"] == text[fact["start"] : fact["end"]] == text[:-1]
        assert fact["confidence"] < 0.8
    assert facts_of_unit(_unit(text, demands="nothing"), in_present=True) == []


@pytest.mark.parametrize(
    ("text", "predicates"),
    [
        ("The Bank does not disclose client data.", ["must not"]),
        ("The provider keeps a reserve, so that the Bank does not depend on it.", ["must"]),
        ("The Bank may end a contract, and the notice is kept for two years.", ["may"]),
        ("Breaches are reported and can lead to measures.", []),
        ("The register shows:\n(a) the name of the provider;\n(b) the function.", ["must", "must", "must"]),
    ],
)
def test_what_a_statement_demands(text: str, predicates: list[str]) -> None:
    found = [fact["predicate"] for fact in facts_of_unit(_unit(text), in_present=True) if not fact["role"]]
    assert found == predicates


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (POLICY[0], "Critical function"),
        ("For the purposes of this policy, ‘recovery time objective’ means a period.", "recovery time objective"),
        ("‘Near misses’ means failures without harm.", "Near misses"),
    ],
)
def test_a_defined_term_is_shown_as_printed(text: str, term: str) -> None:
    assert facts_of_unit(_unit(text))[0]["subject"] == term
