"""The provisions of the crosswalk; left out are those that demand nothing of a firm, or steer an examination."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from antinomy.embed.addressee.patterns import AMENDS, CUE, SENTENCE
from antinomy.embed.units import joined, nearest_heading
from antinomy.findings.chapters import Chapters
from antinomy.norms.words import fold, read_words
from antinomy.settings.link import LinkSettings
from antinomy.settings.parties import FIRM_PARTIES
from antinomy.vocabulary import Party

_UNIT = (
    "unit_id", "section_id", "doc_id", "label", "heading_path", "unit_text", "piece", "type", "binds", "demands",
)  # fmt: skip
_PARTIES = {
    "authority": "binds an authority",
    "member_state": "binds a member state",
    "commission": "binds the legislator",
}
#: Words of the innermost heading that tell what a provision is that binds nobody.
_HEADINGS = {
    "scope": "a scope rule", "subject matter": "a scope rule", "applicab": "a scope rule", "definition": "a definition",
    "glossary": "a definition", "amend": "an amendment", "repeal": "an amendment", "entry into": "a final rule",
}  # fmt: skip
#: Words at the beginning of an examination step that steers the examination and checks nothing at the firm.
_STEERS = re.compile(
    r"\bscope (?:and objectives )?(?:of|for) the examination\b|\bcommunicate (?:and discuss )?(?:the )?findings\b"
    r"|\bexaminer-in-charge\b|\bEIC\b|\bpreliminary conclusions\b"
    r"|\bexaminers? (?:should|can|may|will) (?:also )?use [^.;:]{0,100}?(?:procedures|booklet|work program(?:me)?)\b"
    r"|\bprocedures (?:\([^)]*\) )?are intended\b|\btool set examiners\b|\bobjectives allow the examiner\b"
    r"|\bexaminers should coordinate\b",
    re.IGNORECASE,
)
#: What the supervisors' ratings stand for: they are given to firms, which they bind to nothing.
_RATES = re.compile(r"^this rating (?:reflects|is)\b|\b(?:composite|component) ratings?\b", re.IGNORECASE)
#: A text that says of itself that it demands nothing.
_DISCLAIMS = re.compile(
    r"\b(?:should|must|shall|is|are) not (?:to )?(?:be )?(?:construed|interpreted|understood|read|intended) "
    r"(?:as|to)\b[^.;]{0,40}\b(?:requir|obligation|impos|mandat)",
    re.IGNORECASE,
)
#: A subject, up to its verb, that is a provider of services to firms, or who speaks for one. A "payment service
#: provider" is a firm itself.
_PROVIDER = re.compile(
    r"(?:^|, )(?:the |an? |each |every |all )?(?:representatives of (?:the )?)?"
    r"(?=[^,;:]*\b(?:third[- ]party|ict|cloud|outsourc\w+|technology|critical)\b)"
    r"(?:(?!(?:of|in|by|for|to|with|under)\s)[\w-]+ ){0,4}?(?:provider|vendor)s?\b[^,;:]*$",
    re.IGNORECASE,
)
_OVERSEEN = "binds a provider towards its overseer"
_STEERING_HEADINGS = frozenset({"conclusions", "conclusion", "examination objective", "examination objectives"})
#: They are looked for in so many characters of a step.
_BEGINNING = 300


@dataclass(frozen=True, slots=True)
class Provision:
    """A section that has units.

    Attributes:
        section_id, doc_id, label, path, page, binds, demands: as in the tables.
        chapter: see ``findings.chapters``.
        side: its group's name, a regime or a document.
        text: its pieces put together again.
        text_sha256: of the text.
        left_out: why it is left out, "" if it demands something of a firm.
    """

    section_id: str
    doc_id: str
    side: str
    label: str
    chapter: str
    path: str
    text: str
    text_sha256: str
    page: int | None
    binds: str
    demands: str
    left_out: str


def gather(
    units: pa.Table,
    sections: pa.Table,
    documents: pa.Table,
    sides: Mapping[str, str],
    others: Mapping[str, Sequence[str]],
) -> dict[str, Provision]:
    """Make the units' provisions, by section_id; documents ordered by name, sections as in the text.

    What a provider of services owes its overseer is no duty of a firm: it is left out, unless a side that it is
    compared with has such duties too.

    Args:
        units, sections, documents: tables.
        sides: doc_id → name of its group; a document without one is compared with nothing.
        others: side → the sides that it is compared with.
    """
    chapters = Chapters(sections, documents)
    places = {row["section_id"]: row for row in sections.select(["section_id", "position", "page_start"]).to_pylist()}
    found: dict[str, Provision] = {}
    for pieces in _by_section(units, places):
        first = pieces[0]
        doc, path = first["doc_id"], first["heading_path"] or ""
        if doc not in sides:
            continue
        text = joined([piece["unit_text"] for piece in pieces])
        found[first["section_id"]] = Provision(
            section_id=first["section_id"],
            doc_id=doc,
            side=sides[doc],
            label=first["label"],
            chapter=chapters.name(doc, path),
            path=path,
            text=text,
            text_sha256=hashlib.sha256(text.encode()).hexdigest(),
            page=places[first["section_id"]]["page_start"],
            binds=first["binds"],
            demands=first["demands"],
            left_out=_left_out(first, path, text),
        )
    overseen = [p for p in found.values() if not p.left_out and _owed_to_overseer(p.text)]
    known = {provision.side for provision in overseen}
    for provision in overseen:
        if not known.intersection(others[provision.side]):
            found[provision.section_id] = replace(provision, left_out=_OVERSEEN)
    return found


def _owed_to_overseer(text: str) -> bool:
    """Tell whether the first demand is on a provider, and speaks of an authority and of no firm that it serves."""
    sentence = SENTENCE.split(text, 1)[0]
    cue = CUE.search(sentence)
    if not cue or not _PROVIDER.search(sentence[: cue.start()]):
        return False
    actors = {word.actor for word in read_words(fold(sentence), 0, len(sentence))}
    return "authority" in actors and "firm" not in actors


def _by_section(units: pa.Table, places: Mapping[str, Mapping[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    of: dict[str, list[dict[str, Any]]] = {}
    for row in units.select(list(_UNIT)).to_pylist():
        of.setdefault(row["section_id"], []).append(row)
    for name in sorted(of, key=lambda name: (of[name][0]["doc_id"], places[name]["position"], name)):
        yield sorted(of[name], key=lambda row: (row["piece"], row["unit_id"]))


def _left_out(unit: Mapping[str, Any], path: str, text: str) -> str:
    """Say why a provision demands nothing of a firm, "" if it does."""
    if unit["type"] == "definition":
        return "a definition"
    if unit["binds"] in _PARTIES:
        return _PARTIES[unit["binds"]]
    if text.rstrip().endswith(":") and "\n" not in text.strip():
        return "words that introduce what follows"
    if unit["binds"] == Party.EXAMINER and _steers(path, text):
        return "about the examination itself"
    if unit["binds"] in FIRM_PARTIES and _RATES.search(text[:_BEGINNING]):
        return "about the supervisors' ratings"
    if unit["binds"] in FIRM_PARTIES and _DISCLAIMS.search(text):
        return "says that it demands nothing"
    if unit["binds"] in FIRM_PARTIES and unit["demands"] == "duty":
        return ""
    if unit["binds"] in FIRM_PARTIES:
        return "permits and demands nothing" if unit["demands"] == "permission" else "demands nothing"
    if AMENDS.search(text[:400]):
        return "an amendment"
    innermost = nearest_heading(path).lower()
    return next((reason for word, reason in _HEADINGS.items() if word in innermost), "demands nothing")


def _steers(path: str, text: str) -> bool:
    innermost = nearest_heading(path).strip().lower()
    return innermost in _STEERING_HEADINGS or bool(_STEERS.search(text[:_BEGINNING]))


def meetings(
    settings: LinkSettings, documents: Sequence[Mapping[str, Any]], order: Sequence[str]
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Tell which sides there are and which are compared.

    Args:
        settings: of the link stage, with ``groups`` chosen.
        documents: rows of the table.
        order: doc_ids in the order of the settings.

    Returns:
        doc_id → side, and side → the sides that it was compared with, in the order of the settings.
    """
    regimes = {row["doc_id"]: row["regime"] for row in documents}
    listed = [doc for doc in order if doc in regimes] + sorted(regimes.keys() - set(order))
    sides = {doc: regimes[doc] if settings.groups == "regimes" else doc for doc in listed}
    names = list(dict.fromkeys(sides.values()))
    if settings.groups == "within":
        return sides, {name: (name,) for name in names}
    if settings.groups == "pairs":
        paired = {frozenset(pair) for pair in settings.pairs}
        others = {name: tuple(o for o in names if frozenset((name, o)) in paired and o != name) for name in names}
        return {doc: side for doc, side in sides.items() if others[side]}, others
    left = set(settings.left)
    return sides, {
        name: tuple(o for o in names if o != name and (not left or (name in left) != (o in left))) for name in names
    }
