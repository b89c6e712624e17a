"""Citations: text → edges between provisions.

``tokens`` splits a text; a ``grammar``, a list of parts (``eu``, ``codes``, ``series``, ``handbook``, ``outline``, …)
over one ``cursor``, reads citation phrases. What differs between instruments is data (``instruments.yaml``).
``resolve``, ``resolve_handbook`` and ``resolve_outline`` bind phrases to sections by an index of every document's tree
(``corpus``); ``rows`` makes the rows of the table.
"""

from antinomy.cite.corpus import Corpus, corpus_index
from antinomy.cite.counts import count_citations
from antinomy.cite.model import DocumentInfo, NodeInfo, nodes_of
from antinomy.cite.rows import cite_document

__all__ = [
    "Corpus",
    "DocumentInfo",
    "NodeInfo",
    "cite_document",
    "corpus_index",
    "count_citations",
    "nodes_of",
]
