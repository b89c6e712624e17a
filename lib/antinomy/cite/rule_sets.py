"""Rules cited by the name of their Part or their set: "Outsourcing 2.1", "the Outsourcing Part 2.1", "SEC Rule 17a-4".

rule = ["the"] NAME ["Part"] NUMBER "." NUMBER { "(" MARK ")" }
     | NAME ("Rule" | "Rules") NUMBER { "(" MARK ")" }

A name alone is any noun elsewhere ("Table 2.1"), so it is read only in a rulebook.
"""

from __future__ import annotations

from antinomy.cite import places, values
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act
from antinomy.cite.places import UNITS, may_end
from antinomy.cite.titles import NO_NAME, YEAR

_MAX_NAME = 6
#: Inside a name, as in "Friendly Society - Overall Resources".
_SMALL_WORDS = frozenset({"of", "and", "for", "to", "-"})
#: What follows a number that is no rule's: "Interim Final Rule, 88 FR 12345".
_NO_RULE = UNITS | {"of"}
#: Nouns before a number with a point that is no rule's.
_NOUNS = frozenset({
    "table", "tables", "figure", "figures", "chart", "box", "form", "template", "line", "row", "column", "cell", "step",
    "version", "release", "level", "tier", "phase", "stage", "basel", "category", "class", "grade", "type", "note",
    "page", "volume", "edition", "example", "equation", "formula", "factor", "ratio", "score", "windows", "python",
    "tls", "ssl", "usd", "eur", "gbp", "regulation", "notice", "circular", "guideline", "principles", "notes",
})  # fmt: skip


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the rules whose Part's name starts at a token."""
    named = read_name(tokens, at)
    if named is None:
        return None
    name, end, called_part = named
    called_rules = name.endswith((" Rule", " Rules"))
    found = values.read_values(tokens, end, "rule") if called_rules else places.read_dotted(tokens, end)
    if called_part and tokens.low(end) == ",":
        # "the Fitness and Propriety Part, Chapter 2"
        found = places.read_place(tokens, end + 1)
    if found is None or tokens.low(found[1]) in _NO_RULE or tokens.is_counted(found[1]):
        return None
    if name.endswith(" Rules") and not tokens.text(at).isupper() and YEAR.match(tokens.text(end)):
        # "Tribunal Procedure Rules 2009"
        return None
    led = tokens.low(at - 1) in ("in", "on", "under", "with", "by", "to")
    if not (called_part or called_rules or (tokens.rulebook and (may_end(tokens, found[1]) or led))):
        return None
    if called_rules:
        # "FINRA Rule 4370" is of the rules of FINRA, "Fundamental Rule 7" of the Fundamental Rules.
        body = name.rpartition(" ")[0]
        name = body if body.isupper() else f"{body} Rules"
    return tokens.placed(at, found[1], found[0], [Act("named", "rule set", name)])


def read_name(tokens: Cursor, at: int) -> tuple[str, int, bool] | None:
    """Read a Part's name: the name without "Part", the next index, and whether it is called a Part."""
    # "SEC" is a body before "Rule", else it may stand for a section.
    body = tokens.text(at).isupper() and tokens.text(at + 1) in ("Rule", "Rules")
    if tokens.kind(at) != "word" or (tokens.low(at) in NO_NAME and not body) or not tokens.text(at)[:1].isupper():
        return None
    end = at
    while end < at + _MAX_NAME and tokens.text(end) != "Part":
        small = tokens.low(end) in _SMALL_WORDS and tokens.text(end + 1)[:1].isupper()
        if not tokens.text(end)[:1].isupper() and not small:
            break
        end += 1
    called_part = tokens.text(end) == "Part"
    if end == at or tokens.low(end - 1) in _NOUNS or tokens.text(end - 1).isupper():
        return None
    return tokens.joined(at, end), end + called_part, called_part
