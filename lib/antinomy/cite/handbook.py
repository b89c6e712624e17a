"""The IT Handbook's citations of its own sections, appendices and objectives, and of their booklets.

    place     = ("section" | "appendix" | "objective") value { sep value } [ "," quoted ] [ "of" holder ]
    quoted    = '"' name '"'
    holder    = "this booklet" | [ "the IT Handbook's" ] booklets | "Information Security Standards" | statute

The Handbook writes "section II.A" for its own sections and for those of the Information Security Standards (12 CFR 30,
appendix B and its sisters); the resolver decides which is meant, not the grammar.
"""

from __future__ import annotations

from antinomy.cite import statutes
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.us_numbers import appendix_letter, roman_section

#: The interagency guidelines by the code that carries them first; each agency has a copy of its own.
STANDARDS = "12 CFR 30 app. B"
#: No name of a booklet, section or statement has more words.
MAX_NAME = 14

LEVELS = {
    "section": "section", "sections": "section", "objective": "objective", "objectives": "objective",
    "appendix": "appendix", "appendices": "appendix",
}  # fmt: skip
#: What may stand before a booklet's name.
_SERIES = frozenset({"ffiec", "it", "examination", "handbook", "'", "s", "information", "technology"})
_MAX_NAMES = 12


def booklet_act(tokens: Cursor, name: str) -> Act:
    """Name a booklet: by its id where the corpus has it."""
    doc_id = tokens.names.booklet(name)
    return Act("named", "booklet", doc_id or f"FFIEC IT Handbook, {name.removesuffix(' Booklet')}")


def read_quoted(tokens: Cursor, at: int) -> tuple[str, int] | None:
    """Read a quoted name; a comma or full stop before the closing mark is the sentence's."""
    if tokens.low(at) != '"':
        return None
    for closing in range(at + 1, at + 2 + MAX_NAME):
        if tokens.low(closing) == '"':
            name = tokens.joined(at + 1, closing).rstrip(" ,.;:") if closing > at + 1 else ""
            return (name, closing + 1) if name else None
    return None


def read_all_quoted(tokens: Cursor, at: int) -> tuple[list[str], int]:
    """Read a list of quoted names, [] if there is none."""
    names: list[str] = []
    found = read_quoted(tokens, at)
    while found is not None and len(names) < _MAX_NAMES:
        names.append(found[0])
        at = found[1]
        if tokens.kind(at) == "paren":
            at += 1
        # The comma of a list stands inside the marks.
        found = read_quoted(tokens, tokens.separator(at))
    return names, at


def read_holder(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read "of this booklet", "of the IT Handbook's "Audit" booklet", "of the … Standards"."""
    if tokens.low(at) in ("included", "contained") and tokens.low(at + 1) == "in":
        at += 1
    if tokens.low(at) not in ("of", "in"):
        return None
    at += 1
    for words in ("this booklet", "the booklet", "this document", "this handbook"):
        end = tokens.words(at, words)
        if end:
            return [Act("this", "booklet")], end
    if tokens.low(at) == "the":
        at += 1
    standards = read_standards(tokens, at)
    if standards:
        return [Act("named", "cfr", STANDARDS)], standards
    for following in range(at, at + 7):
        if tokens.low(following) == '"':
            names, end = read_all_quoted(tokens, following)
            if names and tokens.low(end) in ("booklet", "booklets"):
                return [booklet_act(tokens, name) for name in names], end + 1
            return None
        plain = tokens.booklet(following)
        if plain is not None:
            return [Act("named", "booklet", plain[0])], plain[1]
        if tokens.low(following) not in _SERIES:
            return None
    return None


def read_standards(tokens: Cursor, at: int) -> int:
    """Read "[Interagency Guidelines Establishing] Information Security Standards": next index or 0."""
    at = tokens.words(at, "interagency guidelines establishing") or at
    # In lower case these may be any standards.
    return tokens.words(at, "information security standards") if tokens.text(at).istitle() else 0


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the places that are cited from a token on."""
    return read_of(tokens, at, at, [])


def read_of(tokens: Cursor, at: int, start: int, acts: list[Act]) -> Found | None:
    """Read places; of ``acts``, if the text named any before them, from ``start`` on."""
    level = LEVELS.get(tokens.low(at), "")
    if not level:
        return None
    paths, end = _read_values(tokens, at + 1, level)
    if not paths:
        return statutes.read_sections(tokens, at) if level == "section" and not acts else None
    title = ""
    following = end + 1 if tokens.low(end) in (",", ".") else end
    quoted = read_quoted(tokens, following) if len(paths) == 1 else None
    if quoted is not None and tokens.low(quoted[1]) not in ("booklet", "booklets", "section", "sections"):
        title, end = quoted
    rule = f"{level} of" if acts else level
    if not acts:
        found = read_holder(tokens, end)
        if found is not None:
            acts, end = found
            rule = f"{level} of"
    return [tokens.reference(start, end, acts, paths, rule, level, title)], end


def _read_values(tokens: Cursor, at: int, level: str) -> tuple[list[Path], int]:
    paths: list[Path] = []
    enclosed = level == "objective" and tokens.low(at) == "("
    following = at + 1 if enclosed else at
    end = at
    while True:
        value, after = _read_value(tokens, following, level)
        if not value:
            break
        if tokens.low(after) in ("-", "to", "through") and level != "appendix":
            upto, beyond = _read_value(tokens, after + 1, level)
            if upto:
                after = beyond
        else:
            upto = ""
        paths.append((Step(level, value, upto),))
        end = after
        following = tokens.separator(end)
        if following == end:
            break
    if enclosed and paths:
        end = end + 1 if tokens.low(end) == ")" else end
    return paths, end


def _read_value(tokens: Cursor, at: int, level: str) -> tuple[str, int]:
    if level == "appendix":
        return appendix_letter(tokens, at)
    if level == "objective":
        return (tokens.text(at), at + 1) if tokens.kind(at) == "num" else ("", at)
    return roman_section(tokens, at)
