"""The IT Handbook's citations: its sections, appendices and objectives, its booklets, and what it calls by name.

    place     = LEVEL value { sep value } [ "," inner ] [ "," quoted ] [ "of" holder ]
              | inner [ "of" ( "objective" value | "this objective" ) ] | "this" LEVEL | ROMAN "." LETTER …
    inner     = ("procedure" | "step") value { sep value }
    quoted    = '"' name '"'
    holder    = "this booklet" | [ "the IT Handbook's" ] booklets | "Information Security Standards"
    booklets  = quoted { sep quoted } "booklet" [ "," place ]
    headings  = quoted { sep quoted } "section" [ "of" holder ]

The Handbook writes "section II.A" for its own sections and for those of the Information Security Standards (12 CFR 30,
appendix B and its sisters); the resolver decides which is meant, not the grammar. Sections of statutes have Arabic
numbers.
"""

from __future__ import annotations

from antinomy.cite import levels, places, titles, values
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act, Path, Step
from antinomy.text.numerals import in_roman

#: Word → level.
LEVELS = {
    "section": "section", "sections": "section", "objective": "objective", "objectives": "objective",
    "appendix": "appendix", "appendices": "appendix", "chapter": "section", "chapters": "section",
}  # fmt: skip
#: What an objective's procedures are called.
PROCEDURES = frozenset({"procedure", "procedures", "step", "steps", *places.ITEM})
#: What a section's number without a word begins with; no booklet has more sections.
ROMAN = tuple(map(in_roman, range(1, 31)))
#: The interagency guidelines by the code that carries them first; each agency has a copy of its own.
_STANDARDS = [Act("named", "cfr", "12 CFR 30 app. B")]
#: What may stand before a booklet's name.
_SERIES = frozenset({"ffiec", "it", "examination", "handbook", "'", "s", "information", "technology"})
_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}
#: What has no number by which it is cited, or stands beside what does: "this paragraph", "the preceding procedure".
_UNNUMBERED = {"paragraph": "paragraph", "procedure": "point"}
_PRECEDED = frozenset({"section", *_UNNUMBERED.values()})
_BOOKLETS = ("booklet", "booklets")
_SECTIONS = ("section", "sections")
#: No name of a booklet, section or statement has more words.
_MAX_NAME = 14


def _booklet(tokens: Cursor, name: str) -> Act:
    """Name a booklet: by its id where the corpus has it."""
    doc_id = tokens.names.booklet(name)
    return Act("named", "booklet", doc_id or f"FFIEC IT Handbook, {name.removesuffix(' Booklet')}")


def _quoted(tokens: Cursor, at: int) -> tuple[str, int] | None:
    """Read a quoted name; a comma or full stop before the closing mark is the sentence's."""
    if tokens.low(at) != '"':
        return None
    closing = next((n for n in range(at + 1, at + 2 + _MAX_NAME) if tokens.low(n) == '"'), at)
    name = tokens.joined(at + 1, closing).rstrip(" ,.;:")
    return (name, closing + 1 + (tokens.kind(closing + 1) == "paren")) if name else None


def _holder(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read "of this booklet", "of the IT Handbook's "Audit" booklet", "of the … Standards"."""
    at += tokens.low(at) in ("included", "contained") and tokens.low(at + 1) == "in"
    if tokens.low(at) not in ("of", "in", "to"):
        return None
    at += 1
    if end := tokens.words(at, "that booklet"):
        return [Act("that", "booklet")], end
    for words in ("this booklet", "the booklet", "this document", "this handbook"):
        if end := tokens.words(at, words):
            return [Act("this", "booklet")], end
    at += tokens.low(at) == "the"
    if standards := _standards(tokens, at):
        return _STANDARDS, standards
    for following in range(at, at + 7):
        if tokens.low(following) == '"':
            names, end = tokens.several(following, _quoted)
            booklets = names and tokens.low(end) in _BOOKLETS
            return ([_booklet(tokens, name) for name in names], end + 1) if booklets else None
        if plain := tokens.booklet(following):
            return [Act("named", "booklet", plain[0])], plain[1]
        if tokens.low(following) not in _SERIES:
            return None
    return None


def _standards(tokens: Cursor, at: int) -> int:
    """Read "[Interagency Guidelines Establishing] Information Security Standards": next index or 0."""
    at = tokens.words(at, "interagency guidelines establishing") or at
    # In lower case these may be any standards.
    return tokens.words(at, "information security standards") if tokens.text(at).istitle() else 0


def read_place(tokens: Cursor, at: int) -> Found | None:
    """Read the places that are cited from their level's word on."""
    return _place_of(tokens, at, at, [])


def read_pointing(tokens: Cursor, at: int) -> Found | None:
    """Read "this section", "this appendix", "this objective", "the preceding paragraph", "the next section"."""
    word = tokens.low(at + 1)
    level = LEVELS.get(word, "") if word in LEVELS.values() else _UNNUMBERED.get(word, "")
    how = "this" if tokens.low(at) == "this" else "previous"
    if not level or (how == "previous" and (tokens.low(at - 1) != "the" or level not in _PRECEDED)):
        return None
    value = "next" if tokens.low(at) in places.NEXT else ""
    if level in _UNNUMBERED.values() and tokens.kind(at + 2) in ("num", "paren"):
        return None
    kind = level if level in LEVELS.values() else "section"
    return [tokens.reference(at, at + 2, [], [(Step(level, value, how=how),)], "this", kind)], at + 2


def read_table(tokens: Cursor, at: int) -> Found | None:
    """Read a table or a footnote by its number: "Table 1", "footnote 2"."""
    level = tokens.low(at).removesuffix("s")
    found = values.read_values(tokens, at + 1, level, plural=tokens.low(at) != level)
    if found is None or not levels.is_table(tokens, at + 1):
        return None
    acts, end = _holder(tokens, found[1]) or ([], found[1])
    return [tokens.reference(at, end, acts, found[0], "bare number", level)], end


def read_number(tokens: Cursor, at: int) -> Found | None:
    """Read a section's number without the word: "as listed in II.A.3"."""
    found = values.read_value(tokens, at, "section")
    if found is None or len(found[0]) < 2 or not tokens.text(at).isupper():
        return None
    return [tokens.reference(at, found[1], [], [found[0]], "bare number", "section")], found[1]


def read_procedure(tokens: Cursor, at: int) -> Found | None:
    """Read procedures with the objective that they are under; without a word of it, the one that surrounds them.

    Items are read only with what holds them: "items 1 through 4 of section II.B.2".
    """
    found = _procedures(tokens, at)
    if found is None:
        return None
    paths, end = found
    if tokens.kind(at + 1) == "paren":
        # "steps (a) through (c) of procedure 4"
        outer = _procedures(tokens, end + 1) if tokens.low(end) in ("of", "in", "under") else None
        if outer is None or len(outer[0]) > 1 or tokens.kind(end + 2) == "paren":
            return None
        paths, end = [outer[0][0] + path for path in paths], outer[1]
    holder: Path = (Step("objective", how="this"),)
    level = "objective"
    acts: list[Act] = []
    if tokens.low(end) in ("of", "in", "under"):
        named = LEVELS.get(tokens.low(end + 1), "")
        around = values.read_value(tokens, end + 2, named) if named in ("objective", "section") else None
        if around:
            (holder, end), level = around, named
            acts, end = _holder(tokens, end) or ([], end)
        else:
            end = tokens.words(end + 1, "this objective") or end
    if tokens.low(at) in places.ITEM and holder[0].how == "this":
        return None
    return [tokens.reference(at, end, acts, [holder + path for path in paths], "procedure", level)], end


def _procedures(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "procedure 2(c)", "steps 1 through 3": paths within the objective, and the next index."""
    if tokens.low(at) not in PROCEDURES:
        return None
    return values.read_values(tokens, at + 1, "paragraph" if tokens.kind(at + 1) == "paren" else "point", plural=True)


def _place_of(tokens: Cursor, at: int, start: int, acts: list[Act]) -> Found | None:
    """Read places; of ``acts``, if the text named any before them, from ``start`` on."""
    level = LEVELS.get(tokens.low(at), "")
    enclosed = level == "objective" and tokens.low(at + 1) == "("
    if level == "section" and tokens.kind(at + 1) == "num":
        # "chapter 7" is one of a statute, too.
        return None if acts or tokens.low(at) not in _SECTIONS else _statute(tokens, at)
    found = values.read_values(tokens, at + 1 + enclosed, level, plural=True) if level else None
    if found is None or (level == "section" and found[0][0][0].value in ("C", "L")):
        # "section C" counts with letters, and no booklet does.
        return None
    paths, end = found
    end += enclosed and tokens.low(end) == ")"
    inner = _procedures(tokens, end + (tokens.low(end) == ",")) if level == "objective" and len(paths) == 1 else None
    if inner is not None:
        paths, end = [paths[0] + path for path in inner[0]], inner[1]
    title = ""
    quoted = _quoted(tokens, end + (tokens.low(end) in (",", "."))) if len(paths) == 1 else None
    if quoted is not None and tokens.low(quoted[1]) not in (*_BOOKLETS, *_SECTIONS):
        title, end = quoted
    around = places.read_place(tokens, end + 1) if level == "objective" and tokens.low(end) == "of" else None
    if around and (held := _holder(tokens, around[1])):
        # "objective 2 of Appendix A to the "Audit" booklet"
        paths, (acts, end) = [around[0][0] + path for path in paths], held
    elif not acts and (held := _holder(tokens, end)):
        acts, end = held
    return [tokens.reference(start, end, acts, paths, f"{level} of" if acts else level, level, title)], end


def _statute(tokens: Cursor, at: int) -> Found | None:
    """Read sections of a statute, with its name if it comes after: "section 501(b) of the Gramm-Leach-Bliley Act"."""
    found = values.read_values(tokens, at + 1, "section", plural=True)
    if found is None:
        return None
    paths, end = found
    named = titles.read(tokens, end + 1 + (tokens.low(end + 1) == "the")) if tokens.low(end) == "of" else None
    acts = [Act("that", "statute")]
    if named is not None and named[0][0].kind == "statute":
        acts, end = named
    return [tokens.reference(at, end, acts, paths, "statute", "statute")], end


def read_quoted_name(tokens: Cursor, at: int) -> Found | None:
    """Read booklets and headings in quotation marks, if the word after them says what they name."""
    names, end = tokens.several(at, _quoted)
    if not names:
        return None
    if tokens.low(end) in _BOOKLETS or all(name.endswith(" Booklet") for name in names):
        return _booklets(tokens, at, names, end + (tokens.low(end) in _BOOKLETS))
    if tokens.low(end) not in _SECTIONS:
        return None
    acts, after = _holder(tokens, end + 1) or ([], end + 1)
    paths: list[Path] = [(Step("heading", name),) for name in names]
    return [tokens.reference(at, after, acts, paths, "heading of" if acts else "heading", "heading")], after


def _booklets(tokens: Cursor, start: int, names: list[str], end: int) -> Found:
    acts = [_booklet(tokens, name) for name in names]
    if len(acts) == 1:
        following = end + (tokens.low(end) == ",")
        following = tokens.words(following, "' s") or following
        if place := _place_of(tokens, following, start, acts):
            return place
        heading = _quoted(tokens, following)
        if heading and tokens.low(heading[1]) == "section":
            path: Path = (Step("heading", heading[0]),)
            return [tokens.reference(start, heading[1] + 1, acts, [path], "heading of", "heading")], heading[1] + 1
    return [tokens.reference(start, end, acts, [()], "booklet", "booklet")], end


def read_booklet(tokens: Cursor, at: int) -> Found | None:
    """Read "this booklet", a known booklet's name without marks, or one after "Handbook"."""
    if end := tokens.words(at, "this booklet"):
        return [tokens.reference(at, end, [Act("this", "booklet")], [()], "this", "booklet")], end
    if tokens.low(at) == "handbook":
        # Of a booklet that is not in the corpus: "the IT Handbook E-Banking Booklet".
        end = _past_name(tokens, at + 1)
        if tokens.text(end - 1) != "Booklet" or end < at + 3:
            return None
        at, act = at + 1, _booklet(tokens, tokens.joined(at + 1, end - 1))
    elif known := tokens.booklet(at):
        act, end = Act("named", "booklet", known[0]), known[1]
    else:
        return None
    return [tokens.reference(at, end, [act], [()], "booklet", "booklet")], end


def _past_name(tokens: Cursor, at: int) -> int:
    """Return the index after a name in capitals, with the small words in it but none at its end."""
    end = at
    while end < at + _MAX_NAME and (tokens.text(end)[:1].isupper() or (end > at and tokens.low(end) in _SMALL)):
        end += 1
    while end > at and tokens.text(end - 1) in _SMALL:
        end -= 1
    return end


def read_standards(tokens: Cursor, at: int) -> Found | None:
    """Read the Information Security Standards and the sections after their name."""
    end = _standards(tokens, at)
    if not end:
        return None
    following = end + (tokens.low(end) == ",")
    place = _place_of(tokens, following, at, _STANDARDS) if tokens.low(following) in _SECTIONS else None
    return place or ([tokens.reference(at, end, _STANDARDS, [()], "standards", "cfr")], end)


def read_statement(tokens: Cursor, at: int) -> Found | None:
    """Read "the FFIEC's joint statement on Cloud Computing", "FFIEC Joint Statement: \\"…\\"" by their subject."""
    end = tokens.words(at + 1, "' s") or at + 1
    end += tokens.low(end) == "joint"
    if tokens.low(end) not in ("statement", "statements") or tokens.low(end + 1) not in ("on", ":", ","):
        return None
    subject = _quoted(tokens, end + 2)
    if subject is None:
        following = _past_name(tokens, end + 2)
        if following < end + 4:
            return None
        words = map(tokens.text, range(end + 2, following))
        subject = " ".join(words), following
    return tokens.instrument(at, subject[1], "statement", [f"FFIEC statement, {subject[0]}"])
