"""``antinomy init``: a look at some documents → a settings file with comments, ready to run."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from antinomy.errors import DocumentError, SettingsError, StorageError
from antinomy.parse import isolate
from antinomy.parse.model import ParsedDocument
from antinomy.settings import ParseSettings
from antinomy.settings.source import Source

#: Grammar → whose rules are written so; documents of other grammars are a regime each.
_REGIMES = {"eu": "eu", "us": "us"}
_LONGEST_TITLE = 100
_WIDTH = 110
#: Number of places where a tree looks wrong that are told.
_FAULTS = 3


@dataclass(frozen=True)
class InspectedDocument:
    """An inspected document: ``tree`` is None, with a ``reason``, if it could not be read."""

    path: Path
    doc_id: str
    tree: ParsedDocument | None
    reason: str = ""

    @property
    def regime(self) -> str:
        """Whose rule it is, as far as the grammar tells."""
        return _REGIMES.get(self.tree.grammar, self.doc_id) if self.tree else ""

    @property
    def title(self) -> str:
        """A title that fits on a line: an act's number where its whole title does not."""
        title = _plain(self.tree.title) if self.tree else ""
        if len(title) <= _LONGEST_TITLE:
            return title
        return textwrap.shorten(
            re.split(r"\s+of\s+", title, maxsplit=1, flags=re.I)[0], _LONGEST_TITLE, placeholder=" …"
        )


def inspect_documents(files: Sequence[Path]) -> list[InspectedDocument]:
    """Inspect documents, each in a separate process; one that cannot be read is returned with the reason."""
    bounds = ParseSettings()
    taken: set[str] = set()
    found = []
    for file in files:
        doc_id = _unique_name(file.stem, taken)
        try:
            if not file.exists():
                raise DocumentError("it does not exist: check its name")
            if file.is_dir():
                raise DocumentError("it is a folder: name the files in it")
            source = Source(file.name, str(file), regime="")
            tree = isolate.parse(source, isolate.read_bytes(source.uri), bounds)
            found.append(InspectedDocument(file, doc_id, tree))
        except (DocumentError, StorageError) as error:
            found.append(InspectedDocument(file, doc_id, None, str(error)))
    return found


def draft_settings(seen: Sequence[InspectedDocument], config: Path) -> str:
    """Write settings for the documents that could be read.

    Args:
        seen: from ``inspect_documents``.
        config: where the settings will lie; paths are relative to its folder where that is the working folder.

    Raises:
        SettingsError: if none could be read; the message has every reason.
    """
    readable = [one for one in seen if one.tree]
    if not readable:
        raise SettingsError("; ".join(f"{one.path}: {one.reason}" for one in seen))
    base = config.resolve().parent
    here = base == Path.cwd()
    places = [one.path.resolve() for one in readable]
    inside = here and all(place.is_relative_to(base) for place in places)
    root = base if inside else Path(os.path.commonpath([place.parent for place in places]))
    run_id = _unique_name(config.stem, set())
    out = Path("out") if here else base / "out"
    lines = [
        f"# Settings for {len(readable)} documents, written by `antinomy init`. Correct what is wrong, then",
        f"#   antinomy run --config {config}",
        "# Every setting: `antinomy schema`, or docs/settings.md.",
        "",
        f"run_id: {_value(run_id)}  # the run's name; run again under the same name to resume a stopped run",
        *([] if inside else [f"data_root: {_value(str(root))}  # the folder that the documents lie below"]),
        f"warehouse: {_value(str(out / 'warehouse'))}  # tables, of any number of runs; reports lie beside it",
        "",
        "documents:",
    ]
    for one, place in zip(readable, places, strict=True):
        lines += _document(one, str(place.relative_to(root)))
    lines += _remaining_settings(readable)
    unreadable = [one for one in seen if not one.tree]
    lines += ["", *(line for one in unreadable for line in _comment(f"Not listed: {one.path}: {one.reason}"))] * bool(
        unreadable
    )
    return "\n".join(lines) + "\n"


def _document(one: InspectedDocument, path: str) -> list[str]:
    seen = one.tree
    assert seen is not None
    pages = f"{seen.pages:,} pages, " if seen.pages else ""
    notes = [
        f"{one.path.name}: {seen.media_type}, {pages}{len(seen.sections):,} sections, which hold {seen.coverage:.2%} "
        "of the words in the file."
    ]
    if _plain(seen.title) != one.title:
        notes.append(f"It calls itself “{textwrap.shorten(_plain(seen.title), 300, placeholder=' …')}”.")
    notes.append(f"Its outline is read as {seen.grammar}: {seen.chosen_because}.")
    notes += [f"Note: {warning}" for warning in seen.warnings]
    if seen.faults:
        more = f"; and {len(seen.faults) - _FAULTS:,} more" if len(seen.faults) > _FAULTS else ""
        notes.append(f"Places where the outline looks wrong: {'; '.join(seen.faults[:_FAULTS])}{more}.")
    if seen.in_force_from or seen.in_force_to:
        until = f" until {seen.in_force_to}" if seen.in_force_to else ""
        notes.append(
            f"In force from {seen.in_force_from or '?'}{until}, by its own words; in_force_from replaces that date."
        )
    else:
        notes.append(
            "No date of entry into force was recognised: `--as-of` takes it as in force; in_force_from sets a date."
        )
    return [
        *(f"  {line}" for sentence in notes for line in _comment(sentence)),
        f"  - doc_id: {_value(one.doc_id)}",
        f"    path: {_value(path)}",
        f"    regime: {_value(one.regime)}",
        "    # grammar: recognised from the content unless given",
        *([f"    title: {_value(one.title)}"] if one.title else []),
        "    # aliases: [names by which the other documents cite it]",
    ]


def _remaining_settings(seen: Sequence[InspectedDocument]) -> list[str]:
    lines = [""]
    if len(seen) == 1:
        lines += ["# One document only: list a second one above, or compare its provisions with each other:"]
        lines += ["link: {groups: within}", ""]
    elif len({one.regime for one in seen}) == 1:
        lines += [
            "link:",
            f"  groups: documents  # all are of one regime ({seen[0].regime}): each is compared with each",
        ]
        lines += [""]
    else:
        lines += ["# Documents of different regimes are compared, those of one regime are not.", ""]
    return [
        *lines,
        "judge:",
        "  backend: default  # needs no server; docs/judges.md says how to use a served model",
    ]


def _comment(sentence: str) -> list[str]:
    return textwrap.wrap(
        _plain(sentence), _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
    )


def _plain(text: str) -> str:
    """Fold white space and take out what YAML does not allow even in a comment."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _value(value: Any) -> str:
    return yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=10_000).strip()[1:-1]


def _unique_name(stem: str, taken: set[str]) -> str:
    """Return a name that a run or a document may have, and that is not taken yet; it then is."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("._-")[:90].lower() or "document"
    free = next(n for n in (name, *(f"{name}-{i}" for i in range(2, 10_000))) if n not in taken)
    taken.add(free)
    return free
