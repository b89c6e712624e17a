"""A small corpus to cite in: an invented act with every kind of part, a directive, and three booklets."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from antinomy import section_ids as ids
from antinomy.cite import Corpus, DocumentInfo, NodeInfo, cite_document, corpus_index
from cite import outlines, printed

ACT = "32031R0100"
DIRECTIVE = "32029L0050"
SECURITY = "bk-security"
AUDIT = "bk-audit"
CONTINUITY = "bk-continuity"

_TYPES = {short: name for name, short in ids.ABBREVIATIONS.items() if name not in ("definition",)}
_HEADINGS = {
    (ACT, "art_16"): "Amendments to Regulation (EC) No 1060/2009",
    (ACT, "art_17"): "Amendment to Regulation (EU) No 909/2014",
    (SECURITY, "sec_I"): "Governance",
    (SECURITY, "sec_I__subsec_A"): "Culture",
    (SECURITY, "sec_II"): "Program Management",
    (SECURITY, "sec_II__subsec_A"): "Risk Identification",
    (SECURITY, "sec_II__subsec_C__para_5"): "Inventory of Assets",
    (SECURITY, "sec_II__subsec_C__para_10"): "Change Management",
    (SECURITY, "sec_II__subsec_C__para_10__point_a"): "Patch Management",
    (SECURITY, "sec_III"): "Security Operations",
    (SECURITY, "sec_III__subsec_C"): "Incident Response",
    (SECURITY, "app_A"): "Examination Procedures",
    (AUDIT, "hd_third-party-reviews"): "Third-Party Reviews",
    (AUDIT, "hd_staffing"): "Staffing",
    (AUDIT, "hd_staffing_2"): "Staffing",
    (CONTINUITY, "sec_IV__subsec_A"): "Data Center Recovery Alternatives",
    (CONTINUITY, "hd_usa-patriot-act"): "USA PATRIOT Act",
}


def _numbers(stem: str, first: int, last: int) -> str:
    return " ".join(f"{stem}_{n}" for n in range(first, last + 1))


def _letters(stem: str, last: str) -> str:
    return " ".join(f"{stem}_{chr(n)}" for n in range(ord("a"), ord(last) + 1))


# The parts of the act in order; what holds what follows from the ids, chapters and sections stand aside.
_ACT = f"""
title {_numbers("rec", 1, 12)} chp_I art_1 {_numbers("art_1__para", 1, 3)} art_1__para_1__point_a
art_1__para_1__point_a__point_i art_1__para_1__point_a__point_ii art_1__para_1__point_a__point_iii
art_1__para_1__point_b art_1__para_1__point_c art_2 art_2__para_1 {_letters("art_2__para_1__point", "j")}
art_2__para_2 art_2__para_3 {_letters("art_2__para_3__point", "c")} art_2__para_4 art_3
{_numbers("art_3__point", 1, 20)} art_4 {_numbers("art_4__para", 1, 3)} chp_II chp_II__sec_I art_5
{_numbers("art_5__para", 1, 2)} art_5__para_2__subpara_2
{_letters("art_5__para_2__subpara_2__point", "f")} {_numbers("art_5__para", 3, 4)} art_5a art_5a__para_1
art_5a__para_2 chp_II__sec_II art_6 {_numbers("art_6__para", 1, 8)}
{_letters("art_6__para_8__point", "h")} art_6__para_9 art_6__para_10 art_7
{_letters("art_7__point", "d")} art_8 {_numbers("art_8__para", 1, 7)} art_9
{_numbers("art_9__para", 1, 4)} {_letters("art_9__para_4__point", "f")} art_9__para_4__subpara_2
art_9__para_4__subpara_3 chp_III art_10 art_10__point_a art_10__point_a__point_i
art_10__point_a__point_ii art_10__point_a__point_iii art_10__point_a__subpara_2 art_10__point_b
art_10__subpara_2 art_10__subpara_3 art_11 {_numbers("art_11__para", 1, 11)} art_11__para_1__point_a
art_11__para_1__point_a__item_1 art_11__para_1__point_a__item_2 art_11__para_1__point_b art_12
{_numbers("art_12__para", 1, 4)} chp_IV chp_IV__sec_I art_13 {_numbers("art_13__para", 1, 2)} art_14
chp_IV__sec_II art_15 {_numbers("art_15__para", 1, 3)} chp_V chp_V__sec_I chp_V__sec_II art_16
art_16__point_1 art_16__point_1__point_a art_16__point_2 art_17 art_17__point_1 art_18
{_numbers("art_18__para", 1, 2)} art_18__para_1__point_a art_18__para_1__point_b
art_18__para_1__point_b__subpara_2 art_19 art_20 anx_I anx_I__sec_A
{_numbers("anx_I__sec_A__point", 1, 5)} anx_I__sec_A__point_4__point_a anx_I__sec_A__point_4__point_b
anx_I__sec_B {_numbers("anx_I__sec_B__point", 1, 3)} anx_II anx_II__part_A
{_numbers("anx_II__part_A__point", 1, 4)} anx_II__part_B
"""
_CHAPTERS = [("chp_I", 1, 4), ("chp_II", 5, 9), ("chp_III", 10, 12), ("chp_IV", 13, 15), ("chp_V", 16, 20)]
_SECTIONS = [
    ("chp_II__sec_I", 5, 5), ("chp_II__sec_II", 6, 9), ("chp_IV__sec_I", 13, 14), ("chp_IV__sec_II", 15, 15),
    ("chp_V__sec_I", 16, 17), ("chp_V__sec_II", 18, 20),
]  # fmt: skip
_SECURITY = f"""
title hd_introduction sec_I sec_I__subsec_A sec_I__subsec_B sec_II sec_II__subsec_A sec_II__subsec_B
sec_II__subsec_C {_numbers("sec_II__subsec_C__para", 1, 12)} sec_II__subsec_C__para_10__point_a
sec_II__subsec_C__para_10__point_b sec_III sec_III__subsec_A sec_III__subsec_B sec_III__subsec_C sec_IV
app_A {_numbers("app_A__obj", 1, 12)} app_A__obj_4__point_1 app_A__obj_4__point_2 app_B app_C fn_7
"""
_AUDIT = f"""
title hd_introduction hd_third-party-reviews hd_staffing hd_staffing_2 app_A app_A__hd_tier-1
{_numbers("app_A__hd_tier-1__obj", 1, 3)} app_A__hd_tier-2 {_numbers("app_A__hd_tier-2__obj", 1, 3)}
"""
_CONTINUITY = "title sec_IV sec_IV__subsec_A sec_IV__subsec_B sec_V hd_usa-patriot-act app_A app_A__obj_1 app_E"
_DIRECTIVE = f"title art_1 art_2 {_numbers('art_2__para', 1, 3)} {_letters('art_2__para_1__point', 'c')} art_3 art_4"


def _holder(doc_id: str, eid: str) -> str:
    if eid.startswith("art_") and "__" not in eid and doc_id == ACT:
        number = int("".join(c for c in eid[4:] if c.isdigit()))
        spans = [*_SECTIONS, *_CHAPTERS]
        return next(name for name, first, last in spans if first <= number <= last)
    return eid.rpartition("__")[0]


def _nodes(doc_id: str, spec: str) -> list[NodeInfo]:
    nodes = []
    for position, eid in enumerate(spec.split()):
        kind, number = ids.parse(eid)[-1]
        node_type = "definition" if doc_id == ACT and eid.startswith("art_3__") else _TYPES[kind]
        heading = _HEADINGS.get((doc_id, eid), "")
        nodes.append(NodeInfo(doc_id, eid, node_type, number, heading, _holder(doc_id, eid), position, eid))
    return nodes


DOCUMENTS = [
    DocumentInfo(ACT, "Regulation (EU) 2031/100", ("SPECA", "Specimen Resilience Act")),
    DocumentInfo(DIRECTIVE, "Directive (EU) 2029/50", ("Specimen Records Directive",)),
    DocumentInfo(SECURITY, "Information Security"),
    DocumentInfo(AUDIT, "FFIEC IT Examination Handbook: Audit"),
    DocumentInfo(CONTINUITY, "Business Continuity Management", ("BCM", "Business Continuity Planning booklet")),
    *outlines.DOCUMENTS,
    *printed.DOCUMENTS,
]
NODES = (
    {
        ACT: _nodes(ACT, _ACT),
        DIRECTIVE: _nodes(DIRECTIVE, _DIRECTIVE),
        SECURITY: _nodes(SECURITY, _SECURITY),
        AUDIT: _nodes(AUDIT, _AUDIT),
        CONTINUITY: _nodes(CONTINUITY, _CONTINUITY),
    }
    | outlines.NODES
    | printed.NODES
)


@dataclass
class Text:
    """A section with text."""

    eid: str
    text: str = ""
    type: str = ""
    number: str = ""
    heading: str = ""
    label: str = ""
    parent_eid: str = ""
    position: int = 0
    rows: list[dict[str, object]] = field(default_factory=list)


def sections_with(doc_id: str, texts: dict[str, str]) -> list[Text]:
    """Return all sections of a document, empty but for some."""
    return [
        Text(n.eid, texts.get(n.eid, ""), n.type, n.number, n.heading, n.label, n.parent_eid, n.position)
        for n in NODES[doc_id]
    ]


def cite_in(corpus: Corpus, doc_id: str, eid: str, text: str) -> list[dict[str, object]]:
    """Return the rows for one sentence that stands in one section."""
    return cite_document(doc_id, sections_with(doc_id, {eid: text}), corpus)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return corpus_index(DOCUMENTS, [node for nodes in NODES.values() for node in nodes])
