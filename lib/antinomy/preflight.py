"""What can be told before Spark starts: a run that would fail, or could find nothing, costs no minute of waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antinomy import storage
from antinomy.errors import SettingsError, StorageError
from antinomy.link import sides

if TYPE_CHECKING:
    from antinomy.settings import Settings


def require(settings: Settings, stages: tuple[str, ...]) -> None:
    """Refuse what the stages could not do.

    Args:
        settings: of the run.
        stages: that are to run; one document may well be parsed alone, to look at it.

    Raises:
        SettingsError: if nothing could be compared, a grammar or media type is unknown, or ``out`` is another run's.
        StorageError: if a file that the settings name is not there, or the warehouse cannot be written.
    """
    if stages != ("parse",):
        sides.require_pairs(settings.link, {doc.doc_id: doc.regime for doc in settings.documents})
    if "parse" in stages:
        _require_readers(settings)
        _require_documents(settings)
    _require_files(settings, stages)
    _require_own_out(settings)
    storage.require_writable(settings.warehouse)


def _require_readers(settings: Settings) -> None:
    from antinomy.parse import GRAMMARS, READERS

    for key, names in (("grammar", GRAMMARS), ("media_type", READERS)):
        unknown = [doc for doc in settings.documents if getattr(doc, key) and getattr(doc, key) not in names]
        if unknown:
            listed = ", ".join(f"{getattr(doc, key)!r} of {doc.doc_id}" for doc in unknown)
            raise SettingsError(f"documents: {key} {listed} is none of {', '.join(sorted(names))}; or leave it out")


def _require_documents(settings: Settings) -> None:
    missing = [source.uri for source in settings.sources() if not storage.exists(source.uri)]
    if missing:
        raise StorageError(
            f"not there: {', '.join(missing)}; the documents' paths count from data_root, which is "
            f"{settings.data_root}: check data_root and the paths"
        )


def _require_files(settings: Settings, stages: tuple[str, ...]) -> None:
    named = {
        "report.calibration": settings.report.calibration if "report" in stages else "",
        "ask.questions": settings.ask.questions if "ask" in stages else "",
        "evaluate.key": settings.evaluate.key if {"report", "evaluate"} & set(stages) else "",
    }
    missing = [f"{name} ({uri})" for name, uri in named.items() if uri and not storage.exists(uri)]
    if missing:
        raise StorageError(
            f"not there: {', '.join(missing)}; relative paths count from the folder of the settings file, those of "
            "--set from the working folder"
        )


def _require_own_out(settings: Settings) -> None:
    uri = storage.join(settings.out, "manifest.json")
    if not storage.exists(uri):
        return
    try:
        owner = storage.read_json(uri)["run_id"]
    except (StorageError, KeyError, TypeError):
        return  # Nobody's any more: this run writes a whole one.
    if owner != settings.run_id:
        raise SettingsError(
            f"out ({settings.out}) holds the report of run {owner}, which this run ({settings.run_id}) would "
            "overwrite: set out to another folder, or leave it out of the settings and every run gets its own"
        )
