"""Invented laws and rulebooks to cite in, as trees: a US part, a UK act, a rulebook, a notice, guidance.

A line is a node; what it is indented under holds it. ``+`` joins it to the id of its holder; ``a..f`` and ``1..9`` are
as many nodes; behind ``=`` stands its label.
"""

from __future__ import annotations

import re

from antinomy import section_ids as ids
from antinomy.cite import DocumentInfo, NodeInfo

RULE = "us-harbor-930"
ACT = "uk-harbours-act"
BOOK = "uk-harb"
NOTICE = "sg-notice-77"
GUIDANCE = "us-guidance-6"
MODULE = "ae-module-4"
REGISTER = "au-pilots-act"
CODED = "xx-coded-5"
CONTROLS = "xx-controls-7"
BYLAWS = "us-bylaws-8"
EXCHANGE = "us-rules-9"

_TREES = {
    EXCHANGE: """
sec_4000
sec_4010
sec_4020
 +para_a..b
""",
    BYLAWS: """
art_I
art_II
 +sec_1
 +sec_2
  +para_a..b
art_III
 +sec_1..2
art_IV
 sec_4-1
 sec_4-13
""",
    RULE: """
part_930
 +subpart_A
  sec_930-1
   +para_a
    +point_1
     +point_i..iii
    +point_2..3
   +para_b..d
  sec_930-2
   +point_1..4
 +subpart_B
  sec_930-10
   +para_a
    +point_1
     +point_i
      +point_A..C
     +point_ii
    +point_2..4
   +para_b
    +point_1..3
   +para_c..h
   +para_i
    +point_1
   +para_j
  sec_930-11
  sec_930-12
   +para_a..c
  sec_930-13
 app_A
  +sec_I
   +para_A..B
  +sec_II
   +para_A..C
 app_B
""",
    ACT: """
title
part_1
 sec_1
  +para_1
   +point_a..c
  +para_2..4
 sec_2
  +para_1..3
part_2
 part_2__chp_1
  sec_3
   +para_1
   +para_2
    +point_a
     +point_i..iii
    +point_b
  sec_4
 part_2__chp_2
  sec_5..6
  sec_6A
   +para_1..2
  sec_7
sched_1
 +part_1
  +para_1..2
 +part_2
  +para_3
   +point_1..3
  +para_4
sched_2
 +para_1
  +point_1
   +point_a..b
  +point_2
 +para_2..5
""",
    BOOK: """
chp_1
 para_1-1R
 para_1-2G
chp_2
 sec_2-1
  para_2-1-1R
   +point_1
    +point_a..c
   +point_2..3
  para_2-1-2G
 sec_2-3
  para_2-3-1R..2-3-3R
  para_2-3-4R
   +point_1..2
  para_2-3-5G
   +point_1..2
anx_1
 +para_1..3
""",
    NOTICE: """
title
para_1..2
sec_3
 para_3-1
  para_3-1-1
  para_3-1-2
   +point_a
    +point_i..ii
   +point_b..c
  para_3-1-3
 para_3-2
sec_4
 para_4-1..4-4
  +point_a..b
anx_A
 +para_1..2
anx_B
 +para_1
  +point_a..b
anx_C
 +sec_A
  +para_1..2
 +sec_B
  +para_3..5
""",
    GUIDANCE: """
title
sec_I
 +sec_A
  +point_1..3
 +sec_B
sec_II
 +sec_A
  +para_1
  +para_2
   +point_a..c
 +sec_B
  +point_a..d
sec_III
 +para_A..B
app_A
 +point_1..3
""",
    MODULE: """
title
sec_1
 sec_1-1
  para_1-1-1
   +point_1
    +point_a..b
   +point_2
   +hd_guidance
    +para_1..3
  para_1-1-2
sec_2
 para_2-1
  +para_1..2
app_1
 +sec_B1-1
  +para_B1-1-1
   +point_a..c
""",
    CONTROLS: """
title
sec_1
 sec_1-1
  +point_1..2
sec_2
 sec_HB-01
  +subpara_1
   +point_1
   +point_2
    +point_a..c
 para_HB-02
  +point_1..2
 para_HB-03
 +table_1
  +para_HB-04
  +para_HB-05
sec_3
 +para_1
  +table_1
   +para_1..2
 +para_2
anx_A
 +table_1
  +para_HB-01
  +para_HB-02
  +para_ZZ-9
""",
    REGISTER: """
part_1 = Part 1
 sec_1
part_2 = Part 2
 part_2__part_1 = Part 2, Division 1
  sec_2
   +para_1..2
 part_2__part_2 = Part 2, Division 2
  sec_3
part_3 = Part 3
 part_3__part_1 = Part 3, Division 1
  sec_4
""",
    CODED: """
title
sec_10 = HBR10
 para_10-1..10-3
 +hd_fees
  para_10-4
   +para_1
   +para_2
    +point_a..b
   +point_FAQ1 = FAQ1
sec_20 = HBR20
 para_20-1
sec_30 = HBR30
app_1 = ANN1
""",
}
DOCUMENTS = [
    DocumentInfo(RULE, "Part 930: Harbor Bank Continuity", ("12 CFR 930", "Harbor Continuity Rule")),
    DocumentInfo(ACT, "Harbours Act 2040", ("Harbours Act 2040", "HA 2040")),
    DocumentInfo(BOOK, "Harbour Rulebook", ("HARB", "Harbour Rulebook")),
    DocumentInfo(NOTICE, "Notice 77 on Harbour Risk", ("Notice 77",)),
    DocumentInfo(GUIDANCE, "Guidance on Pilots"),
    DocumentInfo(CONTROLS, "Pilot Controls"),
    DocumentInfo(BYLAWS, "By-Laws of the Pilots"),
    DocumentInfo(EXCHANGE, "4000. Pilots"),
    DocumentInfo(REGISTER, "Pilots Act 2040"),
    DocumentInfo(CODED, "Pilot Standard"),
    DocumentInfo(MODULE, "Pilot Module"),
]
_TYPES = {short: name for name, short in ids.ABBREVIATIONS.items() if name != "definition"}
_ROMAN = ("i", "ii", "iii", "iv", "v")


def _many(step: str) -> list[str]:
    match = re.fullmatch(r"(.*?)([^_.+]+)\.\.(.+)", step)
    if match is None:
        return [step]
    stem, first, last = match.groups()
    head, tail = re.fullmatch(r"(.*?-)?([0-9]+)([A-Z]?)", last), re.fullmatch(r"(.*?-)?([0-9]+)([A-Z]?)", first)
    if head and tail:
        return [f"{stem}{head[1] or ''}{n}{head[3]}" for n in range(int(tail[2]), int(head[2]) + 1)]
    if last in _ROMAN[1:]:
        return [stem + number for number in _ROMAN[_ROMAN.index(first) : _ROMAN.index(last) + 1]]
    return [stem + chr(n) for n in range(ord(first), ord(last) + 1)]


def _nodes(doc_id: str, spec: str) -> list[NodeInfo]:
    nodes: list[NodeInfo] = []
    open_: list[str] = []
    for line in spec.strip("\n").split("\n"):
        depth = len(line) - len(line.lstrip())
        del open_[depth:]
        parent = open_[-1] if open_ else ""
        steps, _, label = line.strip().partition(" = ")
        for step in _many(steps):
            eid = ids.join(parent, step[1:]) if step.startswith("+") else step
            kind, number = ids.parse(eid)[-1]
            nodes.append(NodeInfo(doc_id, eid, _TYPES[kind], number, "", parent, len(nodes), label or eid))
        open_.append(nodes[-1].eid)
    return nodes


NODES = {doc_id: _nodes(doc_id, spec) for doc_id, spec in _TREES.items()}
