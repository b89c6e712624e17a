"""The IT Handbook's citations of itself: booklets, sections, headings, appendices, objectives.

    booklets  = quoted { sep quoted } "booklet" [ "," place ]          quoted = '"' name '"'
    headings  = quoted { sep quoted } "section" [ "of" holder ]
    place     = ("section" | "appendix" | "objective") value { sep value } [ "," quoted ] [ "of" holder ]
    holder    = "this booklet" | [ "the IT Handbook's" ] booklets | "Information Security Standards" | statute

The Handbook writes "section II.A" for its own sections and for those of the Information Security Standards
(12 CFR 30, appendix B and its sisters); the resolver says which is meant, the grammar does not guess.
"""

from __future__ import annotations

from antinomy.cite.codes import Found
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.statutes import Statutes

#: The interagency guidelines by the code that carries them first; each agency has a copy of its own.
STANDARDS = "12 CFR 30 app. B"

_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}
_MAX_NAME = 14
_MAX_NAMES = 12


class Handbook(Statutes):
    """Reads a handbook's citations: its own parts, and instruments."""

    STARTS = Statutes.STARTS | {
        "section", "sections", "appendix", "appendices", "objective", "objectives", "information",
        "interagency", "this", "ffiec", "handbook",
    }  # fmt: skip

    def starts(self, at: int) -> bool:
        """Whether a citation can start at a token: cheap, and asked of every one."""
        low = self._low(at)
        return super().starts(at) or low == '"' or self._names.starts_booklet(low)

    def phrase(self, at: int) -> Found | None:
        """Read the citation that starts at a token; see ``Instruments.phrase``."""
        if self._low(at) == '"':
            return self._quoted_phrase(at)
        found = super().phrase(at)
        if found is None and self._low(at) in self.STARTS:
            found = self._guidelines(at) or self._place(at, None) or self._this(at) or self._statement(at)
        if found is None and (self._low(at) == "handbook" or self._names.starts_booklet(self._low(at))):
            found = self._plain_booklet(at)
        return found

    # -- names in quotation marks

    def _quoted(self, at: int) -> tuple[str, int] | None:
        """Read a quoted name; a comma or full stop before the closing mark is the sentence's."""
        if self._low(at) != '"':
            return None
        for closing in range(at + 1, at + 2 + _MAX_NAME):
            if self._low(closing) == '"':
                name = self._title(at + 1, closing).rstrip(" ,.;:") if closing > at + 1 else ""
                return (name, closing + 1) if name else None
        return None

    def _names_list(self, at: int) -> tuple[list[str], int]:
        names: list[str] = []
        found = self._quoted(at)
        while found is not None and len(names) < _MAX_NAMES:
            names.append(found[0])
            at = found[1]
            if self._kind(at) == "paren":
                at += 1
            # The comma of a list stands inside the marks.
            following = self._separator(at)
            found = self._quoted(following)
        return names, at

    def _quoted_phrase(self, at: int) -> Found | None:
        names, end = self._names_list(at)
        word = self._low(end)
        if not names:
            return None
        if word in ("booklet", "booklets"):
            return self._booklets(at, names, end + 1)
        if all(name.endswith(" Booklet") for name in names):
            return self._booklets(at, names, end)
        if word in ("section", "sections"):
            holder = self._holder(end + 1)
            acts, after = holder if holder else ([], end + 1)
            paths: list[Path] = [(Step("heading", name),) for name in names]
            rule = "heading of" if holder else "heading"
            return [self._reference(at, after, acts, paths, rule, "heading")], after
        return None

    def _booklets(self, start: int, names: list[str], end: int) -> Found:
        acts = [self._booklet(name) for name in names]
        if len(acts) == 1:
            following = end + 1 if self._low(end) == "," else end
            if self._low(following) == "'" and self._low(following + 1) == "s":
                following += 2
            place = self._place(following, (start, acts))
            if place is not None:
                return place
            heading, after = self._names_list(following)
            if len(heading) == 1 and self._low(after) == "section":
                path: Path = (Step("heading", heading[0]),)
                return [self._reference(start, after + 1, acts, [path], "heading of", "heading")], after + 1
        return [self._reference(start, end, acts, [()], "booklet", "booklet")], end

    def _booklet(self, name: str) -> Act:
        doc_id = self._names.booklet(name)
        return Act("named", "booklet", doc_id or f"FFIEC IT Handbook, {name.removesuffix(' Booklet')}")

    def _plain_booklet(self, at: int) -> Found | None:
        """Read a known booklet's name without marks: "the Outsourcing Technology Services booklet"."""
        if self._low(at) == "handbook":
            # Of a booklet that is not in the corpus: "the IT Handbook E-Banking Booklet".
            if not self._text(at + 1)[:1].isupper():
                return None
            for end in range(at + 2, at + _MAX_NAME):
                if self._text(end) == "Booklet":
                    acts = [self._booklet(self._title(at + 1, end))]
                    return [self._reference(at + 1, end + 1, acts, [()], "booklet", "booklet")], end + 1
                if not self._text(end)[:1].isupper() and self._low(end) not in _SMALL:
                    return None
            return None
        found = self._names.booklet_at(self._tokens, at)
        if found is None:
            return None
        acts = [Act("named", "booklet", found[0])]
        return [self._reference(at, found[1], acts, [()], "booklet", "booklet")], found[1]

    def _this(self, at: int) -> Found | None:
        end = self._words(at, "this booklet")
        return ([self._reference(at, end, [Act("this", "booklet")], [()], "this", "booklet")], end) if end else None

    def _statement(self, at: int) -> Found | None:
        """Read "the FFIEC's joint statement on Cloud Computing", "FFIEC Joint Statement: \"…\"."""
        if self._low(at) != "ffiec":
            return None
        end = at + 1
        if self._low(end) == "'" and self._low(end + 1) == "s":
            end += 2
        if self._low(end) == "joint":
            end += 1
        if self._low(end) not in ("statement", "statements"):
            return None
        end += 1
        if self._low(end) in ("on", ":", ","):
            quoted = self._quoted(end + 1)
            if quoted is not None:
                return self._found(at, quoted[1], "statement", [f"FFIEC statement, {quoted[0]}"])
            words: list[str] = []
            following = end + 1
            while len(words) < _MAX_NAME and (
                self._text(following)[:1].isupper() or (words and self._low(following) in _SMALL)
            ):
                words.append(self._text(following))
                following += 1
            while words and words[-1] in _SMALL:
                words.pop()
                following -= 1
            if len(words) > 1:
                return self._found(at, following, "statement", [f"FFIEC statement, {' '.join(words)}"])
        return None

    # -- places

    def _values(self, at: int, level: str) -> tuple[list[Path], int]:
        paths: list[Path] = []
        enclosed = level == "objective" and self._low(at) == "("
        following = at + 1 if enclosed else at
        end = at
        while True:
            value, after = self._value(following, level)
            if not value:
                break
            if self._low(after) in ("-", "to", "through") and level != "appendix":
                upto, beyond = self._value(after + 1, level)
                if upto:
                    after = beyond
            else:
                upto = ""
            paths.append((Step(level, value, upto),))
            end = after
            following = self._separator(end)
            if following == end:
                break
        if enclosed and paths:
            end = end + 1 if self._low(end) == ")" else end
        return paths, end

    def _value(self, at: int, level: str) -> tuple[str, int]:
        if level == "appendix":
            return self._appendix_letter(at)
        if level == "objective":
            return (self._text(at), at + 1) if self._kind(at) == "num" else ("", at)
        return self._roman_section(at)

    def _place(self, at: int, holder: tuple[int, list[Act]] | None) -> Found | None:
        """Read a section, appendix or objective; ``holder``: start and act of a booklet before it."""
        word = self._low(at)
        levels = {
            "section": "section",
            "sections": "section",
            "objective": "objective",
            "objectives": "objective",
        }
        level = levels.get(word) or ("appendix" if word in ("appendix", "appendices") else "")
        if not level:
            return None
        paths, end = self._values(at + 1, level)
        if not paths:
            return self._statutory(at) if level == "section" and holder is None else None
        title = ""
        following = end + 1 if self._low(end) in (",", ".") else end
        quoted = self._quoted(following) if len(paths) == 1 else None
        start, acts = holder if holder else (at, [])
        if quoted is not None and self._low(quoted[1]) not in ("booklet", "booklets", "section", "sections"):
            title, end = quoted
        rule = f"{level} of" if acts else level
        if not acts:
            found = self._holder(end)
            if found is not None:
                acts, end = found
                rule = f"{level} of"
        return [self._reference(start, end, acts, paths, rule, level, title)], end

    def _holder(self, at: int) -> tuple[list[Act], int] | None:
        """Read "of this booklet", "of the IT Handbook's "Audit" booklet", "of the … Standards"."""
        if self._low(at) in ("included", "contained") and self._low(at + 1) == "in":
            at += 1
        if self._low(at) not in ("of", "in"):
            return None
        at += 1
        for words in ("this booklet", "the booklet", "this document", "this handbook"):
            end = self._words(at, words)
            if end:
                return [Act("this", "booklet")], end
        if self._low(at) == "the":
            at += 1
        standards = self._standards(at)
        if standards:
            return [Act("named", "cfr", STANDARDS)], standards
        for following in range(at, at + 7):
            if self._low(following) == '"':
                names, end = self._names_list(following)
                if names and self._low(end) in ("booklet", "booklets"):
                    return [self._booklet(name) for name in names], end + 1
                return None
            plain = self._names.booklet_at(self._tokens, following)
            if plain is not None:
                return [Act("named", "booklet", plain[0])], plain[1]
            if self._low(following) not in (
                "ffiec",
                "it",
                "examination",
                "handbook",
                "'",
                "s",
                "information",
                "technology",
            ):
                return None
        return None

    def _standards(self, at: int) -> int:
        """Read "[Interagency Guidelines Establishing] Information Security Standards": next index or 0."""
        at = self._words(at, "interagency guidelines establishing") or at
        # In small letters these are anybody's standards.
        return self._words(at, "information security standards") if self._text(at).istitle() else 0

    def _guidelines(self, at: int) -> Found | None:
        end = self._standards(at)
        if not end:
            return None
        acts = [Act("named", "cfr", STANDARDS)]
        following = end + 1 if self._low(end) == "," else end
        if self._low(following) in ("section", "sections"):
            place = self._place(following, (at, acts))
            if place is not None:
                return place
        return [self._reference(at, end, acts, [()], "standards", "cfr")], end
