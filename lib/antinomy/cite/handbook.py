"""The IT Handbook's citations of its own sections, appendices and objectives, and of their booklets.

    place     = ("section" | "appendix" | "objective") value { sep value } [ "," quoted ] [ "of" holder ]
    quoted    = '"' name '"'
    holder    = "this booklet" | [ "the IT Handbook's" ] booklets | "Information Security Standards" | statute

The Handbook writes "section II.A" for its own sections and for those of the Information Security Standards (12 CFR 30,
appendix B and its sisters); the resolver decides which is meant, not the grammar.
"""

from __future__ import annotations

from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.statutes import Statutes
from antinomy.cite.us_numbers import appendix_letter, roman_section

#: The interagency guidelines by the code that carries them first; each agency has a copy of its own.
STANDARDS = "12 CFR 30 app. B"
#: No name of a booklet, section or statement has more words.
MAX_NAME = 14

_LEVELS = {
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


class Quoted:
    """Reads names in quotation marks."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens

    def one(self, at: int) -> tuple[str, int] | None:
        """Read a quoted name; a comma or full stop before the closing mark is the sentence's."""
        if self._tokens.low(at) != '"':
            return None
        for closing in range(at + 1, at + 2 + MAX_NAME):
            if self._tokens.low(closing) == '"':
                name = self._tokens.joined(at + 1, closing).rstrip(" ,.;:") if closing > at + 1 else ""
                return (name, closing + 1) if name else None
        return None

    def several(self, at: int) -> tuple[list[str], int]:
        """Read a list of quoted names, [] if there is none."""
        names: list[str] = []
        found = self.one(at)
        while found is not None and len(names) < _MAX_NAMES:
            names.append(found[0])
            at = found[1]
            if self._tokens.kind(at) == "paren":
                at += 1
            # The comma of a list stands inside the marks.
            found = self.one(self._tokens.separator(at))
        return names, at


class Holders:
    """Reads what holds a place of a handbook: "of this booklet"."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._quoted = Quoted(tokens)

    def read(self, at: int) -> tuple[list[Act], int] | None:
        """Read "of this booklet", "of the IT Handbook's "Audit" booklet", "of the … Standards"."""
        tokens = self._tokens
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
        standards = self.standards(at)
        if standards:
            return [Act("named", "cfr", STANDARDS)], standards
        for following in range(at, at + 7):
            if tokens.low(following) == '"':
                names, end = self._quoted.several(following)
                if names and tokens.low(end) in ("booklet", "booklets"):
                    return [booklet_act(tokens, name) for name in names], end + 1
                return None
            plain = tokens.booklet(following)
            if plain is not None:
                return [Act("named", "booklet", plain[0])], plain[1]
            if tokens.low(following) not in _SERIES:
                return None
        return None

    def standards(self, at: int) -> int:
        """Read "[Interagency Guidelines Establishing] Information Security Standards": next index or 0."""
        at = self._tokens.words(at, "interagency guidelines establishing") or at
        # In lower case these may be any standards.
        return self._tokens.words(at, "information security standards") if self._tokens.text(at).istitle() else 0


class HandbookPlaces:
    """Reads sections, appendices and objectives, and sections of statutes, which are written alike."""

    starts = tuple(_LEVELS)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._quoted = Quoted(tokens)
        self._holders = Holders(tokens)
        self._statutes = Statutes(tokens)

    def read(self, at: int) -> Found | None:
        """Read the places that are cited from a token on."""
        return self.read_of(at, at, [])

    def read_of(self, at: int, start: int, acts: list[Act]) -> Found | None:
        """Read places; of ``acts``, if the text named any before them, from ``start`` on."""
        tokens = self._tokens
        level = _LEVELS.get(tokens.low(at), "")
        if not level:
            return None
        paths, end = self._values(at + 1, level)
        if not paths:
            return self._statutes.sections(at) if level == "section" and not acts else None
        title = ""
        following = end + 1 if tokens.low(end) in (",", ".") else end
        quoted = self._quoted.one(following) if len(paths) == 1 else None
        if quoted is not None and tokens.low(quoted[1]) not in ("booklet", "booklets", "section", "sections"):
            title, end = quoted
        rule = f"{level} of" if acts else level
        if not acts:
            found = self._holders.read(end)
            if found is not None:
                acts, end = found
                rule = f"{level} of"
        return [tokens.reference(start, end, acts, paths, rule, level, title)], end

    def _values(self, at: int, level: str) -> tuple[list[Path], int]:
        paths: list[Path] = []
        enclosed = level == "objective" and self._tokens.low(at) == "("
        following = at + 1 if enclosed else at
        end = at
        while True:
            value, after = self._value(following, level)
            if not value:
                break
            if self._tokens.low(after) in ("-", "to", "through") and level != "appendix":
                upto, beyond = self._value(after + 1, level)
                if upto:
                    after = beyond
            else:
                upto = ""
            paths.append((Step(level, value, upto),))
            end = after
            following = self._tokens.separator(end)
            if following == end:
                break
        if enclosed and paths:
            end = end + 1 if self._tokens.low(end) == ")" else end
        return paths, end

    def _value(self, at: int, level: str) -> tuple[str, int]:
        if level == "appendix":
            return appendix_letter(self._tokens, at)
        if level == "objective":
            return (self._tokens.text(at), at + 1) if self._tokens.kind(at) == "num" else ("", at)
        return roman_section(self._tokens, at)
