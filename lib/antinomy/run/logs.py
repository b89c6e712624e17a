"""Log lines of the driver, one per event with run_id and stage: as text for people, as JSON for a log collector."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import TracebackType

log = logging.getLogger("antinomy")


class LogFormat(StrEnum):
    """How log lines are written."""

    text = "text"
    json = "json"


@dataclass
class _LogContext:
    """Run, stage and format of this process; a global, since threads that log would not see a context variable."""

    run_id: str = "-"
    stage: str = "-"
    format: LogFormat = LogFormat.text


_context = _LogContext()


class _ContextFilter(logging.Filter):
    """Adds run_id and stage to every record, including those of libraries; drops py4j's records about broken calls."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.run_id, record.stage = _context.run_id, _context.stage
        # It logs the trace of every call that is interrupted, as if it were the root; who made the call tells of it.
        return "/py4j/" not in record.pathname


class _StderrHandler(logging.StreamHandler):  # type: ignore[type-arg]  # only a stub has the argument
    """Writes to what stderr is now: above a live line while there is one (see ``progress``)."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr  # not by setStream: it flushes the old one, which may be closed
        super().emit(record)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "run_id": _context.run_id,
            "stage": _context.stage,
            "message": record.getMessage(),
        }
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=False)


def configure(run_id: str = "-", verbose: bool = False, form: LogFormat = LogFormat.text) -> None:
    """Set up logging of this process on stderr.

    Args:
        run_id: of the run that this process works on.
        verbose: events too, not only warnings; as JSON they always come.
        form: of the lines. As JSON, warnings of Python and an error that ends the process are lines like the others.
    """
    _context.run_id, _context.format = run_id, form
    handler = _StderrHandler(sys.stderr)
    handler.addFilter(_ContextFilter())
    if form is LogFormat.json:
        handler.setFormatter(_JsonFormatter())
        logging.captureWarnings(True)
        sys.excepthook = _log_defect
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s run=%(run_id)s stage=%(stage)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    log.setLevel(logging.INFO if verbose or form is LogFormat.json else logging.WARNING)


def is_json() -> bool:
    """Return whether stderr is read by a program."""
    return _context.format is LogFormat.json


def run_id() -> str:
    """Return the run that this process works on, "-" if none."""
    return _context.run_id


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Add the stage's name to lines logged inside this context."""
    _context.stage = name
    try:
        yield
    finally:
        _context.stage = "-"


def report_failure(message: str) -> None:
    """Report the error that ended the command, in one line on stderr."""
    line = " ".join(message.split())
    if is_json():
        log.error(line)
    else:
        print(f"antinomy: {line}", file=sys.stderr)


def _log_defect(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("ended by a defect: %s", error, exc_info=(kind, error, trace))
