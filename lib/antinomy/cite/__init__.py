"""Citations: text → edges between provisions.

A text is read into references (what a phrase says), and references are resolved to edges (what it points at).

Reading, from left to right over the tokens of one section:

- ``tokens`` splits a text; ``cursor`` looks at the tokens and reads what all citations share: lists, patterns.
- ``grammar`` lists the kinds of citation for each kind of text, in order of preference.
- Places: ``levels`` has the words of European acts and of all other texts, and what may stand inside what;
  ``numbers`` reads one number ("900.3", "IV"), ``values`` lists and ranges of them ("900.3(b) and (c)"), ``places`` a
  word with its numbers and the places inside it ("Schedule 2, paragraph 3(a)"), "this Part", "first subparagraph".
- Phrases, that is places with what they are of: ``eu`` in European acts, ``outline`` in texts that are numbered
  through, ``handbook`` in a booklet. In a phrase of an act, several places share what stands behind the last.
- Instruments: ``instruments.yaml`` is what is known of them. ``eu_acts`` ("Regulation (EU) 2016/679"), ``series`` (a
  name and a number: "MAS Notice 655"), ``codes`` ("12 CFR 30.1(b)"), ``titles`` ("Harbours (Fees) Regulations 2031"),
  ``rule_sets`` ("Outsourcing 2.1"), ``controls`` ("AC-17(1)", and the document's own "BC-03"); ``instrument_names``
  reads any of them behind "of", ``instrument_places`` one before its place: "CPS 234, paragraph 20".

Resolving:

- ``corpus`` indexes the trees of all documents, ``names`` what they are called.
- ``resolve`` follows a path in a European act, ``resolve_outline`` in a text that is numbered through, where
  ``resolve_around`` tells what "this Part" is and ``resolve_number`` finds "section 5", ``resolve_handbook`` in a
  booklet; outside the corpus a place has the id that it would have.
- ``memory`` knows what "that Regulation" and "the Act" mean; ``rows`` makes the rows of the table, ``stage`` of a
  corpus, ``counts`` the figures for the report.
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
