"""Citations in laws and rulebooks with continuous numbers: sections, rules, paragraphs, parts, schedules.

    phrase = place { "," place } [ holder ]          "Schedule 2, paragraph 3(a)"
    place  = WORD value { sep value }                see places
           | ("this" | "that") WORD
    holder = ("of" | "to" | "in") ( place | act )    "of this section", "to part 30", "of the Gramm-Leach-Bliley Act"

``resolve_outline`` finds out what the words mean in a document, where a "rule" may be a section of its tree. Citations
of US and European instruments are read by the grammar parts for those.
"""

from __future__ import annotations

from dataclasses import replace

from antinomy.cite import instrument_names, levels, places, values
from antinomy.cite.codes import in_code
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.levels import BACK_MATTER, LEVEL_WORDS, OUTLINE
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.places import POINTING

#: What "this …" may mean: the document as a whole.
_WHOLE = frozenset({
    "act", "regulation", "regulations", "rule", "rules", "rulebook", "notice", "order", "code", "circular", "directive",
    "guideline", "guidelines", "law", "ordinance", "instrument", "handbook", "document", "standard", "policy",
    "direction", "directions", "guide", "module", "manual", "statement",
})  # fmt: skip
#: Those of them that are also written in lower case.
_SMALL_WHOLE = frozenset({
    "act", "regulations", "rules", "rulebook", "notice", "handbook", "circular", "directions", "guideline", "module",
    "document", "standard",
})  # fmt: skip
_DIVISIONS = frozenset({"part", "chapter", "subpart", "division"})
#: Places cited as "of this title" of a code; an appendix "of this title" is the document's own.
_OF_TITLE = frozenset({"chapter", "part", "subpart", "section"})
_WITH = ("in conjunction with", "in connection with", "read with", "read together with", "together with")
#: Texts that have sections and are no law.
_AGREED = frozenset({"agreement", "contract", "protocol", "convention", "constitution", "deed", "lease"})
#: Words with which a citation may start.
STARTS = LEVEL_WORDS | POINTING.keys() | places.ADJACENT | {"definition", "app"}
#: "the table below": the next one where it is said.
_TABLE_BESIDE = frozenset({("table", "above"), ("table", "below"), ("following", "table")})
_MAX_LIST = 20
#: Digits of a module's chapter: a longer number after its name is an amount or a year.
_MAX_CHAPTER = 2
#: Letters of a module's name.
_MAX_BOOK = 8
#: The kind of a document has no more words than this: "this Prudential Practice Guide".
_MAX_KIND = 3


def read(tokens: Cursor, at: int) -> Found | None:
    """Read a place with its holder, or a rule by its number alone."""
    if tokens.low(at) in POINTING:
        return _demonstrative(tokens, at)
    if tokens.low(at - 1) == "the" and (tokens.low(at), tokens.low(at + 1)) in _TABLE_BESIDE:
        return tokens.placed(at, at + 2, [(Step("table"),)], [])
    if tokens.low(at) in places.ADJACENT:
        before = places.read_adjacent(tokens, at)
        return tokens.placed(at, before[1], before[0], []) if before else None
    if defined := places.read_definition(tokens, at):
        return _read_holders(tokens, at, *defined)
    # "Sch 2.1R" is the rule 2.1R in a schedule.
    in_schedule = places.read_rule_number(tokens, at + 1) if tokens.low(at) == "sch" else None
    place = in_schedule or places.read_place(tokens, at) or places.read_rule_number(tokens, at)
    if place is None and tokens.text(at) == "App" and tokens.touches(at + 1):
        # "App1"
        place = _behind_chapters(tokens, at)
    place = place or places.read_lettered(tokens, at)
    if place is not None:
        found = _read_list(tokens, at, *place) or _read_holders(tokens, at, *place)
        if found is not None and tokens.low(at) in ("number", "numbers") and not found[0][0].acts:
            # It may count anything.
            return _as_bare(found)
        return found
    if _is_book(tokens, at) and (place := _in_book(tokens, at)) is not None:
        paths, end = place
        more = _in_book(tokens, end + 1) if tokens.low(end) == "to" else None
        if more and tokens.text(end + 1) == tokens.text(at):
            # "HARB 2.3.1R to HARB 2.3.3R"
            paths, end = values.join(paths, more[0], True), more[1]
        paths, end = _with_paragraphs(tokens, paths, end)
        if tokens.text(at) in tokens.books and sum(map(str.isupper, tokens.text(at - 1))) > 1:
            # "MaRisk AT 9" is of another document.
            return [], end
        if len(tokens.books) > 1 and tokens.text(at) in tokens.books:
            # AT 1 is not BT 1.
            paths = [(replace(path[0], value=f"{tokens.text(at)} {path[0].value}"), *path[1:]) for path in paths]
        return tokens.placed(at, end, paths, [Act("named", "book", tokens.text(at))])
    bare = places.read_bare(tokens, at)
    if bare is not None and tokens.low(bare[1]) == "of":
        return _read_holders(tokens, at, *bare)
    if bare is not None:
        return _as_bare(tokens.placed(at, bare[1], bare[0], []))
    return None


def read_rule(tokens: Cursor, at: int) -> Found | None:
    """Read what the document's code calls by a number alone: "4 CSR 240-12.050 and 240-12.060(2)", "Ban 3606"."""
    own = tokens.rule_number(at)
    place = values.read_values(tokens, at, tokens.rule_levels.get(own[0], "section"), True) if own else None
    return tokens.placed(at, place[1], place[0], []) if place else None


def _with_paragraphs(tokens: Cursor, paths: list[Path], end: int) -> tuple[list[Path], int]:
    """Read the paragraphs behind a module's number: "AT 4.3.2 numbers 1 and 2", "AT 6.2 number 2 letter b)"."""
    inner = places.read_place(tokens, end)
    if inner is None or tokens.low(inner[1]) in ("of", "to"):
        return paths, end
    if any(path[0].level not in ("paragraph", "point") or path[0].how != "number" for path in inner[0]):
        return paths, end
    return [*paths[:-1], *(paths[-1] + path for path in inner[0])], inner[1]


def _as_bare(found: Found) -> Found:
    """Mark a citation that is one only if the document has the place."""
    return [replace(found[0][0], rule="bare number")], found[1]


def _demonstrative(tokens: Cursor, at: int) -> Found | None:
    this = POINTING[tokens.low(at)] == "this"
    level = levels.read_level(tokens, at + 1)
    sure = level is None or tokens.text(at + 1)[:1].isupper() or tokens.low(at) == "these"
    if this and sure and (whole := _whole(tokens, at + 1)):
        return tokens.placed(at, whole, [()], [Act("this", _kind(tokens, whole))])
    found = places.read_pointing(tokens, at)
    return _read_holders(tokens, at, *found[:2]) if found else None


def _read_list(tokens: Cursor, start: int, paths: list[Path], end: int) -> Found | None:
    """Read places that each have their word, with an act behind the last: "section 3 and section 9 of FSMA".

    "Part 4A of, and Schedule 6 to, the Act" is such a list as well, and so is "item 4 and item 5 of Appendix 2". None
    where no act or appendix is named behind them: then each is a citation of its own.
    """
    level = paths[0][0].level
    items = tokens.low(start) in places.ITEM
    # "Section A or Section B of Chapter VI": without its chapter a letter names none.
    first = paths[0][0].value
    lettered = level == "section" and len(paths[0]) == len(first) == 1 and first.isalpha()
    if "." in first or not (items or level in ("section", "article") or _parted(tokens, end)):
        return None
    while len(paths) < _MAX_LIST:
        parted = _parted(tokens, end)
        following = _next(tokens, parted or end)
        more = places.read_place(tokens, following) if following > end else None
        if more is None or (not parted and any(path[0].level != level or "." in path[0].value for path in more[0])):
            break
        found, end = more
        inside = end + 1 + (tokens.low(end + 1) == "the")
        holder = _read_holder(tokens, inside, found[0][0]) if parted and tokens.low(end) == "of" else None
        if holder is not None and _wraps(holder[0][0], found[0][0], "of"):
            # "… of, and paragraph 4 of Schedule 7 to, the Act"
            found, end = [holder[0][0] + path for path in found], holder[1]
        paths = paths + found
    held = _read_holders(tokens, start, paths, end)
    named = held is not None and held[0][0].acts and held[0][0].acts[0].how == "named"
    holders = (*(BACK_MATTER if items or lettered else ()), *(_DIVISIONS if lettered else ()))
    listed = held is not None and holders and held[0][0].paths[0][0].level in holders
    return held if named or listed else None


def _next(tokens: Cursor, at: int) -> int:
    """Read what joins two places of one act: "and", "in conjunction with"; ``at`` if nothing does."""
    following = tokens.separator(at)
    joined = (tokens.words(following, words) for words in _WITH)
    return next((end for end in joined if end), following)


def _parted(tokens: Cursor, at: int) -> int:
    """Read "of" before a comma, where what it belongs to comes later: the index of the comma, else 0."""
    return at + 1 if tokens.low(at) in ("of", "to") and tokens.low(at + 1) == "," else 0


def _read_holders(tokens: Cursor, start: int, paths: list[Path], end: int) -> Found | None:
    """Read the holders of the places: further places, inside out, then an act."""
    acts: list[Act] = []
    for _ in range(places.MAX_STEPS):
        following = tokens.past_heading(end)
        following += tokens.low(following) == ","
        link = tokens.low(following)
        if link not in ("of", "to", "in", "under") or tokens.touches(following):
            break
        after = following + 1 + (tokens.low(following + 1) == ",")
        holder = _read_holder(tokens, after + (tokens.low(after) == "the"), paths[0][0])
        named = _read_named(tokens, after, holder is not None)
        if named is not None and named[0][0].kind in instruments().code_kinds and link == "under":
            # "this part under 12 U.S.C. 1818": a law that it rests on.
            break
        if named is not None and link == "to" and not named[1] and paths[0][0].level not in BACK_MATTER:
            # "send the list under paragraph 3 to the Bank"
            break
        if named is not None:
            acts, end = named[0], named[1] or end
            break
        if holder and len(paths[0]) > 1 and paths[0][:1] == holder[0][0]:
            # "Part 2, Chapter 1 of Part 2"
            end = holder[1]
            continue
        if holder is None or not _wraps(holder[0][0], paths[0][0], link):
            break
        # "Part 1 of Schedule 1, paragraph 2": the paragraph is in the part.
        outer = 1 if paths[0][-1].level in _DIVISIONS else len(holder[0][0])
        paths = [above[:outer] + path + above[outer:] for above in holder[0] for path in paths]
        end = holder[1]
    if not acts and paths[-1][-1].level in BACK_MATTER:
        # "Appendix A to this part, section II.C"
        paths, end = places.with_inner(tokens, paths, end, OUTLINE)
    if not acts and tokens.low(end) in ("thereof", "thereto"):
        acts, end = [Act("that", "")], end + 1
    elif not acts and paths[0][0].level in ("article", "section") and paths[0][0].how == "number":
        acts, end = instrument_names.read_shortened(tokens, end)
    paths = places.in_statute(paths, acts)
    if len(acts) == 1 and acts[0].kind in instruments().code_kinds:
        joined = [in_code(acts[0].ref, path) for path in paths]
        acts, paths = [replace(acts[0], ref=ref) for ref, _ in joined], [joined[0][1]]
    return tokens.placed(start, end, paths, acts)


def _read_named(tokens: Cursor, at: int, is_place: bool) -> tuple[list[Act], int] | None:
    """Read what a place is of: an instrument by its name, "these rules", "the Act"; 0 for the end of an unknown one."""
    if tokens.text(at) in tokens.books:
        # "Table 1 of HARB 4": a chapter of this document.
        return None
    if named := instrument_names.read(tokens, at):
        return named
    definite = tokens.low(at) == "the"
    at += definite
    how = POINTING.get(tokens.low(at), "")
    if how and (whole := _whole(tokens, at + 1)):
        return [Act(how, _kind(tokens, whole) if how == "this" else tokens.low(whole - 1))], whole
    if is_place or how:
        return None
    if definite and tokens.text(at).istitle() and tokens.low(at) in _WHOLE:
        return [Act("the", tokens.low(at))], at + 1
    agreed = any(tokens.low(n) in _AGREED for n in range(at, at + _MAX_KIND))
    # "section 5 of the outsourcing agreement", "… of the Supervisory Requirements": not of this document.
    return ([Act("named", "instrument")], 0) if agreed or (definite and tokens.text(at)[:1].isupper()) else None


def _kind(tokens: Cursor, end: int) -> str:
    """Return what "this …" speaks of: a document, but "this Rule" in a rulebook a rule."""
    return "rule" if tokens.text(end - 1) == "Rule" else "act"


def _whole(tokens: Cursor, at: int) -> int:
    """Read a name of the document as a whole: "Notice", "these rules", "Prudential Standard"; the next index.

    0 if there is none; in lower case "rule" is a provision.
    """
    if tokens.low(at) == "standard" and tokens.text(at + 1)[:1].isupper():
        # "These Standard Terms"
        return 0
    if tokens.low(at) in _SMALL_WHOLE:
        return at + 1
    for end in range(at, at + _MAX_KIND):
        if not tokens.text(end)[:1].isupper() or tokens.kind(end) != "word":
            return 0
        if tokens.low(end) in _WHOLE:
            return end + 1
    return 0


def _read_holder(tokens: Cursor, at: int, held: Step) -> tuple[list[Path], int] | None:
    """Read a place that holds others: "appendix A, sections II.A and II.B"."""
    if tokens.words(at, "this title"):
        # A title of a code holds the document.
        return [(Step("title", how="this"),)], at + 2
    if tokens.low(at) in POINTING or tokens.low(at) in places.ADJACENT:
        reader = places.read_pointing if tokens.low(at) in POINTING else places.read_adjacent
        pointing = reader(tokens, at)
        return pointing[:2] if pointing else None
    if tokens.low(at) == "table" and tokens.kind(at + 1) != "num" and held.level in ("paragraph", "point"):
        # "item 2 of the table in subsection (1)"
        return [(Step("table"),)], at + 1
    if found := places.read_definition(tokens, at):
        return found
    if tokens.text(at) in tokens.books:
        # "item 8 of OSB 3 Annex 1R"
        return _in_book(tokens, at)
    if tokens.rule_number(at):
        # "Subsection A of 13.1.1.2 NMAC"
        return values.read_values(tokens, at, "section", True)
    place = places.read_place(tokens, at)
    named = levels.read_level(tokens, at)
    beside = held.level == "paragraph" and place is not None and len(place[0][0]) > 1
    if beside and place and named and named[0] in BACK_MATTER and place[0][0][1].level not in _DIVISIONS:
        # "paragraph 2 of Schedule 2, paragraph 3 of Schedule 1" are two places.
        place = values.read_values(tokens, named[2], named[0], named[1])
    return place


def _wraps(outer: Path, inner: Step, link: str) -> bool:
    """Tell whether a place may hold another; with "to" only an appendix is held: "Appendix A to part 30"."""
    if link in ("to", "under"):
        return link == "to" and inner.level in BACK_MATTER
    if outer[-1].level == "title":
        return inner.level in _OF_TITLE
    if inner.how == "ordinal":
        # "paragraph one of Clause 5"
        return True
    return inner.how == "number" and (outer[-1].level != inner.level or inner.level in ("point", "part"))


def _is_book(tokens: Cursor, at: int) -> bool:
    """Tell whether a word can be a module's name before a rule's number: "HARB 2.3.4R"."""
    text = tokens.text(at)
    known = 3 <= len(text) <= _MAX_BOOK or text in instruments().books or text in tokens.books
    return tokens.kind(at) == "word" and text.isupper() and known


def _in_book(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read the place after a module's name: "HARB 2.3.4R", "SUP 15 Annex 4R"."""
    return places.read_rule_number(tokens, at + 1) or _known_book(tokens, at)


def _known_book(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "HARB 2.3", only after a known name: "USD 2.3" is no place."""
    known = tokens.alias(at)
    own = tokens.text(at) in instruments().books or tokens.text(at) in tokens.books
    if not own and (known is None or known[1] != at + 1):
        return None
    place = places.read_dotted(tokens, at + 1)
    if place is None and own and tokens.low(at + 2) == "-":
        # "HAC 315-42-010(3) or 315-42-015"
        return values.read_values(tokens, at + 1, "section", True)
    if place is None and (known or len(tokens.text(at + 1)) <= _MAX_CHAPTER):
        # A number without a point is a chapter's: "HARB 2".
        place = values.read_values(tokens, at + 1, "chapter")
    annex = place[1] if place and len(place[0]) == 1 else at + 1
    if place is None and tokens.text(annex) in ("App", "TP"):
        return _behind_chapters(tokens, annex)
    in_schedule = places.read_rule_number(tokens, annex + 1) if tokens.text(annex) == "Sch" else None
    if place is None and in_schedule:
        # "HARB Sch 1.2G" is in schedule 1.
        schedule = Step("schedule", in_schedule[0][0][0].value.partition(".")[0])
        return [(schedule, *path) for path in in_schedule[0]], in_schedule[1]
    if tokens.text(annex) not in ("Annex", "Sch", "Schedule") or (behind := places.read_place(tokens, annex)) is None:
        return place
    return [(place[0][0] if place else ()) + path for path in behind[0]], behind[1]


def _behind_chapters(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "App 1" and "TP 1": a sourcebook's appendices and transitional provisions, counted beside its chapters."""
    place = values.read_values(tokens, at + 1, "appendix" if tokens.text(at) == "App" else "section")
    if place is None or tokens.text(at) == "App":
        return place
    return [(replace(path[0], value=f"TP{path[0].value}"), *path[1:]) for path in place[0]], place[1]
