"""EU acts: their outline grammar.

Title, citations, recitals, divisions, articles, paragraphs, points, annexes. Formats that state an act's
structure give atoms; from printed lines ``lines`` makes them. Here the atoms become the tree, so that
every format gives the same ids and labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from antinomy import section_ids
from antinomy.parse.content import Atom, Content, grammar
from antinomy.parse.eu import lines as eu_lines
from antinomy.parse.eu.lines import is_row
from antinomy.parse.eu.numbering import readings
from antinomy.parse.in_force import DATE, iso
from antinomy.parse.model import ParsedDocument, Section
from antinomy.parse.numbered.tables import with_tables
from antinomy.parse.ordinals import follows
from antinomy.parse.outline import Outline
from antinomy.parse.quotes import defined_term, insertions
from antinomy.settings.source import Source
from antinomy.text.numerals import ORDINALS
from antinomy.text.typography import LOWER, RAISED_DIGITS

_HEADING = re.compile(r"(\w{5,9})\s+\d+[a-z]{0,2}\s*(?:[-–—:.]\s*\S.*)?$")
_LONGEST_HEADING = 250
#: A heading of its own, not the second line of one.
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s")
#: Pieces that are what their format or number says, or another act's.
_OPENING = frozenset({"article", "quote", "footnote", "title"})
#: Divisions from the outermost in.
_RANKS = {"part": 0, "title": 1, "chapter": 2, "section": 3, "subsection": 4, "table": 5}
_MARK = re.compile(rf"\s*[\[(]\s*([{RAISED_DIGITS}]+)\s*[\])]")
_APPLIES = re.compile(rf"\b(?:It|This (?:Regulation|Directive|Decision)) shall apply (?:as )?from {DATE}")
_IN_FORCE = re.compile(rf"\bshall enter into force on {DATE}")
_EXPIRES = re.compile(rf"\bshall (?:expire on|cease to apply on|apply until) {DATE}")
_AFTER_PUBLICATION = re.compile(r"enter into force on the (.{3,30}? day) following (?:that of )?its publication")


@grammar("eu")
def outline_eu(content: Content, _source: Source) -> ParsedDocument:
    """Build the tree of an EU act.

    Args:
        content: atoms where the format states the structure, else lines.
        _source: not needed; the act itself says what it is.
    """
    if content.atoms:
        atoms, body = _with_captions(content.atoms), [line.text for line in content.lines]
    else:
        atoms, body = eu_lines.atoms(with_tables(content)[0])
    tree = _Act()
    document = ParsedDocument(sections=[], pages=content.pages, warnings=list(content.warnings))
    for atom in _one_title(_without_insertions(atoms)):
        tree.take(atom)
        if _looks_like_article(atom):
            place = tree.place()
            document.breaks.append(
                f"“{atom.text}” looks like the heading of an article and was read as part of {place}"
            )
    tree.outline.close(body, document)
    title = next((s for s in document.sections if s.eid == "title"), None)
    document.title = title.heading.removesuffix("(Text with EEA relevance)").strip() if title else content.title
    _mark_definitions(document.sections)
    _date(document.sections, document)
    return document


def _looks_like_article(atom: Atom) -> bool:
    """Tell a heading that opened no article: "Artcle 3", or a second "Article 1" behind Article 4."""
    match = _HEADING.match(atom.text) if atom.type not in _OPENING and len(atom.text) <= _LONGEST_HEADING else None
    return bool(match and match[1].lower() != "articles" and get_close_matches(match[1].lower(), ["article"], 1, 0.75))


def _with_captions(atoms: Sequence[Atom]) -> list[Atom]:
    """Put the caption of a table, or the heading of a note, before it as a block of text, as print has it."""
    found: list[Atom] = []
    for atom in atoms:
        if atom.heading and atom.type in ("table", "beside"):
            found.append(replace(atom, type="text", text=atom.heading, heading=""))
            atom = replace(atom, heading="")
        found.append(atom)
    return found


def _words(atom: Atom) -> str:
    return " ".join(filter(None, (atom.number, atom.heading, atom.text)))


def _without_insertions(atoms: Sequence[Atom]) -> list[Atom]:
    """Turn what an amending act quotes into plain blocks of the provision that quotes it."""
    stops = [atom.type in ("article", "annex", "conclusions") for atom in atoms]
    printed = list(map(_words, atoms))
    quoted = insertions(printed, stops)
    return [
        replace(atom, type="quote", number="", heading="", text=text) if inside and atom.type != "footnote" else atom
        for atom, text, inside in zip(atoms, printed, quoted, strict=True)
    ]


def _one_title(atoms: Sequence[Atom]) -> list[Atom]:
    """Join the blocks that the act's title is printed in."""
    titles = [atom for atom in atoms if atom.type == "title" and not atom.number]
    if not titles:
        return list(atoms)
    whole = replace(titles[0], text=" ".join(atom.text for atom in titles), page_end=titles[-1].page_end)
    return [whole, *(atom for atom in atoms if atom.type != "title" or atom.number)]


class _Act:
    """The tree of an act under construction.

    ``hosts[k]`` is the node under which points of level k go; ``owners[k]`` the paragraph, point or article
    whose further blocks become its subparagraphs. The two differ once such a block has been opened.
    """

    def __init__(self) -> None:
        self.outline = Outline()
        self._preamble: Section | None = None
        self._divisions: list[Section] = []
        self._article: Section | None = None
        self._headed: Section | None = None
        self._holder: Section | None = None
        self._last: Section | None = None
        self._hosts: list[Section] = []
        self._owners: list[Section] = []
        self._blocks: dict[str, int] = {}
        self._notes: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._numbers: dict[str, str] = {}
        self._in_rows = self._behind_rows = False

    def place(self) -> str:
        """Return the label of what the last piece was put into."""
        return self._last.label if self._last else "nothing"

    def take(self, atom: Atom) -> None:
        """Put the next piece of the act where it belongs."""
        resumed = self._resumed(atom)
        # A row of two cells has its number in the first.
        row = is_row(atom.text) or (self._in_rows and atom.type == "point" and resumed is None)
        self._behind_rows, self._in_rows = self._in_rows and not row, row
        if self._behind_rows and len(self._divisions) > 1 and self._divisions[-1].type == "table":
            # What stands behind a numbered table is the annex's again.
            self._divisions.pop()
            resumed = self._holder = self._divisions[-1]
        if resumed is not None:
            self._hosts, self._owners = [resumed], [resumed]
        match atom.type:
            case "table" if atom.number:
                self._take_division(atom)
            case "title" if not atom.number:
                self._add("title", None, replace(atom, text=""), heading=atom.text, label="Title")
            case "preamble" | "citation" | "recital":
                self._take_preamble(atom)
            case "part" | "title" | "chapter" | "section" | "subsection":
                self._take_division(atom)
            case "article" | "annex" | "conclusions":
                self._take_root(atom)
            case "appendix" | "schedule":
                self._take_root(replace(atom, type="annex"))
            case "rule":
                self._take_root(replace(atom, type="article"))
            case "subpart":
                self._take_division(replace(atom, type="section"))
            case "heading" | "group":
                self._take_heading(atom)
            case "paragraph":
                self._take_paragraph(atom)
            case "point" | "item":
                self._take_point(atom)
            case "footnote":
                number = atom.number.translate(LOWER).strip("()[] ")
                label = f"Footnote {number}" + (f" to {self._notes[number]}" if number in self._notes else "")
                self._add("footnote", None, atom, number=number, label=label, running=True)
            case "quote":
                self._extend(self._last, atom)
            case "text" | "table" | "beside":
                self._take_text(atom)
            case _:
                raise ValueError(f"no such atom in an act: {atom.type}")

    def _resumed(self, atom: Atom) -> Section | None:
        """Return the part of an annex whose points a number goes on with behind a table or a formula, None if none."""
        if atom.type != "point" or atom.level or self._article is not None or not self._hosts:
            return None
        host, holder = self._hosts[0], self._owners[0]
        if holder.type == "table" and len(self._divisions) > 1:
            holder = self._divisions[-2]
        own, last = (self._numbers.get(section.eid, "") for section in (host, holder))
        inside = host.type in ("subparagraph", "table") and not _goes_on(own, atom.number)
        return holder if inside and _goes_on(last, atom.number) else None

    def _take_preamble(self, atom: Atom) -> None:
        if self._preamble is None:
            empty = atom if atom.type == "preamble" else replace(atom, text="", number="", printed="")
            self._preamble = self._add("preamble", None, empty, label="Preamble")
            if atom.type == "preamble":
                return
        if atom.type == "preamble":
            self._extend(self._preamble, atom)
        elif atom.type == "citation":
            count = self._counts["cit"] = self._counts.get("cit", 0) + 1
            self._add("citation", self._preamble, atom, name=str(count), label=f"Citation {count}", running=True)
        else:
            number = atom.number.strip("().")
            self._add("recital", self._preamble, atom, label=f"Recital {number}", running=True)

    def _take_division(self, atom: Atom) -> None:
        rank = _RANKS[atom.type]
        while self._divisions and _RANKS.get(self._divisions[-1].type, -1) >= rank:
            self._divisions.pop()
        parent = self._divisions[-1] if self._divisions else None
        own = f"{atom.type.capitalize()} {atom.number}"
        section = self._add(atom.type, parent, atom, label=f"{parent.label}, {own}" if parent else own)
        self._divisions.append(section)
        self._headed = self._holder = section
        self._article = None
        self._hosts, self._owners = [section], [section]

    def _take_root(self, atom: Atom) -> None:
        if atom.type == "article":
            parent = self._divisions[-1] if self._divisions else None
            # An annex may hold a text with articles of its own: a protocol, a model contract.
            annex = self._divisions[0] if parent and self._divisions[0].type == "annex" else None
            label = f"{annex.label}, Article {atom.number}" if annex else f"Article {atom.number}"
            section = self._add("article", parent, atom, label=label, running=annex is None)
            self._article = section
        else:
            label = "Conclusions" if atom.type == "conclusions" else f"Annex {atom.number}".strip()
            section = self._add(atom.type, None, atom, label=label)
            self._article = None
            self._divisions = [section] if atom.type == "annex" else []
        self._headed = self._holder = section
        self._hosts, self._owners = [section], [section]

    def _take_heading(self, atom: Atom) -> None:
        target = self._headed
        if (
            target is not None and target is self._last and not self._blocks.get(target.eid)
            and not (target.heading and _NUMBERED.match(atom.text))
        ):  # fmt: skip
            target.heading = f"{target.heading} {self._clean(atom.text, target)}".strip()
            target.page_end = max(target.page_end, atom.page_end)
            return
        if self._article is not None or not self._divisions:
            self._take_text(atom)
            return
        # An unnumbered heading inside an annex.
        parent = self._divisions[-1]
        section = self._add(
            "heading", parent, replace(atom, text=""), heading=atom.text, name=section_ids.slug(atom.text),
            label=f"{parent.label}, {atom.text}",
        )  # fmt: skip
        self._hosts, self._owners, self._holder = [section], [section], section

    def _take_paragraph(self, atom: Atom) -> None:
        if self._article is not None:
            number = atom.number.strip("(). ")
            section = self._add("paragraph", self._article, atom, label=f"{self._article.label}({number})")
        elif self._holder is not None:
            # Of an annex; the points below it are its own.
            section = self._add("point", self._holder, atom, label=_point_label(self._holder, atom.number))
            self._numbers[self._holder.eid] = atom.number
        else:
            self._take_text(atom)
            return
        self._hosts, self._owners = [section], [section]

    def _take_point(self, atom: Atom) -> None:
        if not self._hosts:
            self._take_text(atom)
            return
        level = min(atom.level, len(self._hosts) - 1)
        parent = self._hosts[level]
        if atom.type == "item":
            count = self._counts[parent.eid] = self._counts.get(parent.eid, 0) + 1
            label = f"{parent.label}, {_ordinal(count)} indent"
            section = self._add("item", parent, atom, number="", name=str(count), label=label)
        else:
            section = self._add("point", parent, atom, label=_point_label(parent, atom.number))
            self._numbers[parent.eid] = atom.number
        self._hosts = [*self._hosts[: level + 1], section]
        self._owners = [*self._owners[: level + 1], section]

    def _take_text(self, atom: Atom) -> None:
        if not self._hosts:
            self._extend(self._last, atom)
            return
        level = max(0, min(atom.level, len(self._owners) - 1))
        owner = self._owners[level]
        self._hosts, self._owners = self._hosts[: level + 1], self._owners[: level + 1]
        started = self._blocks.get(owner.eid, 0)
        if self._in_rows and self._article is not None:
            # A table belongs to the block that announces it.
            self._extend(self._hosts[level], atom)
            return
        whole = owner.type in ("annex", "conclusions", "heading") and self._last is owner
        if (whole or not started) and not self._behind_rows:
            self._extend(owner, atom)
            return
        count = self._blocks[owner.eid] = started + 1
        kind = "paragraph" if owner.type in ("article", "annex") else "subparagraph"
        label = f"{owner.label}, {_ordinal(count)} {kind}"
        self._hosts[level] = self._add("subparagraph", owner, atom, name=str(count), label=label)

    def _add(
        self, type: str, parent: Section | None, atom: Atom, *, label: str, heading: str = "", name: str = "",
        number: str | None = None, running: bool = False,
    ) -> Section:  # fmt: skip
        section = self.outline.add(
            type, parent, number=atom.number if number is None else number, heading=heading, label=label,
            name=name, running=running, page=atom.page, page_end=atom.page_end, printed=atom.printed,
        )  # fmt: skip
        section.text = self._clean(atom.text, section)
        section.heading = self._clean(heading or atom.heading, section)
        # A paragraph or point that begins with its list has an empty first block.
        self._blocks[section.eid] = 1 if section.text or type in ("paragraph", "point", "item") else 0
        if parent is not None and self._blocks.get(parent.eid) == 0 and type in ("point", "item"):
            self._blocks[parent.eid] = 1
        self._last = section
        return section

    def _extend(self, section: Section | None, atom: Atom) -> None:
        if section is None:
            section = self._add("preamble", None, replace(atom, text="", heading=""), label="Preamble")
        text = self._clean(_words(atom), section)
        self.outline.extend(section, text, atom.page_end)
        self._blocks[section.eid] = max(1, self._blocks.get(section.eid, 0))
        self._last = section

    def _clean(self, text: str, section: Section) -> str:
        """Take footnote marks out of a text and note where they stood."""
        for mark in _MARK.findall(text):
            self._notes.setdefault(mark.translate(LOWER), section.label)
        return _MARK.sub("", text)


def _ordinal(count: int) -> str:
    if count <= len(ORDINALS):
        return ORDINALS[count - 1]
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{count}{'th' if count % 100 in (11, 12, 13) else endings.get(count % 10, 'th')}"


def _goes_on(before: str, number: str) -> bool:
    """Tell whether a printed number comes right after another of its style."""
    found = dict(readings(before))
    return any(kind in found and follows(found[kind], value) for kind, value in readings(number))


def _point_label(parent: Section, printed: str) -> str:
    bare = printed.strip("()[]. ")
    number = f"({bare})" if ")" in printed else bare
    if parent.type == "point":
        return f"{parent.label}{number if number.startswith('(') else '.' + number}"
    return f"{parent.label}, point {number}"


def _mark_definitions(sections: Sequence[Section]) -> None:
    """Make definitions of those points of a list that begin with their quoted term, if most of them do."""
    lists: dict[str, list[Section]] = {}
    for section in sections:
        if section.type == "point":
            lists.setdefault(section.parent_eid, []).append(section)
    for points in lists.values():
        terms = [defined_term(point.text) for point in points]
        if 2 * sum(map(bool, terms)) > len(points):
            for point, term in zip(points, terms, strict=True):
                if term:
                    point.type, point.term = "definition", term


def _date(sections: Sequence[Section], document: ParsedDocument) -> None:
    """Read from the final articles when the act applies; say so where the act leaves it to be worked out."""
    final = [s for s in sections if s.eid.startswith("art_")][-40:]
    # Articles on entry into force say it for the act; elsewhere "it" may be anything.
    own = {s.eid for s in final if s.type == "article" and re.search(r"force|appl", s.heading, re.IGNORECASE)}
    texts = [s.text for s in final if s.eid.split("__")[0] in own] or [s.text for s in final]
    text = "\n".join(texts)
    start = _APPLIES.search(text) or _IN_FORCE.search(text)
    end = _EXPIRES.search(text)
    document.in_force_from = iso(start) if start else ""
    document.in_force_to = iso(end) if end else ""
    publication = _AFTER_PUBLICATION.search(text)
    if not start and not publication:
        document.warnings.append("no date of application or entry into force was found in the text")
    if publication:
        document.warnings.append(
            f"enters into force on the {publication[1]} after publication, a date that it does not state"
        )
