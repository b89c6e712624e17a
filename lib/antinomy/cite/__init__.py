"""Citations: text → edges between provisions.

normalise and scan (``scan``), parse (``grammar``: ``eu``, ``instruments``, ``handbook``), expand and resolve
(``resolve``, ``targets``, ``places``) against an index of every document's tree (``corpus``).
"""

from antinomy.cite.corpus import Corpus, corpus_index
from antinomy.cite.model import RESOLUTIONS, DocumentInfo, NodeInfo, nodes_of
from antinomy.cite.report import report
from antinomy.cite.resolve import cite_document

__all__ = [
    "RESOLUTIONS",
    "Corpus",
    "DocumentInfo",
    "NodeInfo",
    "cite_document",
    "corpus_index",
    "nodes_of",
    "report",
]
