"""``antinomy verify``: read every Parquet file of a warehouse to its end, and have the damaged ones made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from antinomy.run.lock import run_lock
from antinomy.run.stage import STAGES, markers_folder
from antinomy.store import schemas, storage

#: Table → the stage that makes it; what is not here (decisions) no stage can make again.
_STAGE_OF_TABLE = {
    "documents": "parse", "sections": "parse", "citations": "parse", "units": "embed", "embeddings": "embed",
    "mpnet_embeddings": "embed", "similar": "link", "verdicts": "judge", "findings": "report", "coverage": "report",
    "counterparts": "report", "runs": "report", "facts": "facts", "answers": "ask",
}  # fmt: skip


@dataclass(frozen=True)
class Damage:
    """A file that cannot be read to its end.

    Attributes:
        uri: of the file.
        reason: what the reader says.
        remedy: what ``set_aside`` does about it, "" if nothing can.
    """

    uri: str
    reason: str
    remedy: str


def find_damaged(warehouse: str) -> Iterator[Damage]:
    """Read all files of caches and tables, pages against their checksums, and return the damaged ones."""
    for table in ("cache", *schemas.TABLES):
        for name in storage.find(storage.join(warehouse, table)):
            parts = name.split("/")
            if name.endswith(".parquet") and not any(part.startswith(("_", ".")) for part in parts):
                uri = storage.join(warehouse, table, name)
                reason = _read_error(uri)
                if reason:
                    yield Damage(uri, reason, _remedy(table, parts[0]))


def set_aside(warehouse: str, damage: Damage) -> None:
    """Move a damaged file to ``<warehouse>/_damaged`` and mark what was in it for recomputation.

    Of a cache, the next run misses the rows and makes them again; of a run's table, the same run makes the table
    again, and what is built on it. Nothing is done about a file without a remedy.

    Raises:
        LockError: if somebody works on the run.
    """
    if not damage.remedy:
        return
    name = damage.uri.removeprefix(warehouse).lstrip("/")
    table, part = name.split("/")[:2]
    if table != "cache":
        run_id = part.removeprefix("run_id=")
        with run_lock(warehouse, run_id):
            storage.remove(storage.join(markers_folder(warehouse, run_id), f"{_STAGE_OF_TABLE[table]}.json"))
    storage.move(damage.uri, storage.join(warehouse, "_damaged", name))


def _remedy(table: str, part: str) -> str:
    if table == "cache":
        return f"put aside; the next run makes again what was in it ({part})"
    if table in _STAGE_OF_TABLE:
        run_id = part.removeprefix("run_id=")
        stage = _STAGE_OF_TABLE[table]
        command = "run" if stage in STAGES else stage
        return f"put aside; the next `antinomy {command}` of {run_id} makes {table} again (stage {stage})"
    return ""


def _read_error(uri: str) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fs, path = storage.filesystem(uri)
    try:
        with fs.open(path, "rb") as file:
            for _ in pq.ParquetFile(file, page_checksum_verification=True).iter_batches():
                pass
    except FileNotFoundError:
        return ""  # put together with others since the folder was listed
    except (OSError, ValueError, pa.ArrowException) as error:  # ValueError: a column's name is no text any more
        return " ".join(str(error).split())
    return ""
