"""Invented documents of supervisors, as they are printed; what they cite is what the parser finds in them.

A circular with margin numbers, a standard of numbered paragraphs, directions, a part of a rulebook, a manual's module,
a part of a code of a state and a model act of states; guidelines whose paragraphs are numbered through behind a
background with numbers of its own, a circular in two parts that number alike, a policy of coded requirements
and an ordinance with letters and numbers.
"""

from __future__ import annotations

from pathlib import Path

from antinomy.cite import DocumentInfo, nodes_of
from antinomy.parse import parse_document
from antinomy.settings.source import Source

_ALIASES = {
    "ch-circ-9": ("Circular 2031/9",),
    "au-std-55": ("LPS 55", "Prudential Standard LPS 55"),
    "in-md-3": ("Beacon Outsourcing Directions",),
    "uk-part-oc": ("Beacon Continuity", "Beacon Continuity Part"),
    "hk-mod-bc": ("BC-2",),
    "us-nb-700": ("23 NYCRR 700",),
    "us-model-4": ("Beacon Protection Act",),
    "eu-guide-8": ("ELA/GL/2035/08",),
    "de-circ-5": ("BeaRisk",),
    "xx-policy-2": ("Beacon Policy",),
    "ch-ord-3": ("Beacon Fees Ordinance",),
}
_LAWS = Path(__file__).parent / "laws"
_PARSED = {
    doc_id: parse_document(Source(doc_id, str(path), doc_id[:2]), path.read_bytes())
    for doc_id in _ALIASES
    for path in [_LAWS / f"{doc_id}.txt"]
}
DOCUMENTS = [DocumentInfo(doc_id, _PARSED[doc_id].title, names) for doc_id, names in _ALIASES.items()]
NODES = {doc_id: nodes_of(doc_id, document.sections) for doc_id, document in _PARSED.items()}
