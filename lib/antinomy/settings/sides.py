"""Which documents are compared: the default where the settings leave it open, an error where none could be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from antinomy.errors import SettingsError
from antinomy.settings.link import LinkSettings

if TYPE_CHECKING:
    from antinomy.settings import Settings


def with_default_groups(settings: LinkSettings, regimes: Sequence[str]) -> LinkSettings:
    """Return the settings with ``groups`` as chosen where it was not set.

    By regime where there are several, else by document: two documents of one regime are compared with each other.

    Args:
        settings: as written.
        regimes: of all documents.
    """
    if "groups" in settings.model_fields_set or len(set(regimes)) > 1:
        return settings
    return settings.model_copy(update={"groups": "documents"})


def require_pairs(settings: LinkSettings, documents: Mapping[str, str]) -> None:
    """Refuse settings under which no two provisions could ever meet.

    Args:
        settings: with ``groups`` chosen.
        documents: doc_id → regime.

    Raises:
        SettingsError: saying why, and what to write.
    """
    if settings.groups == "within":
        return
    if len(documents) < 2:
        raise SettingsError(
            f"there is one document only, {', '.join(documents)}: list a second under documents, or set link.groups to "
            "`within` to compare its provisions with each other"
        )
    if settings.groups == "pairs":
        _require_known("link.pairs", [name for pair in settings.pairs for name in pair], list(documents))
        return
    names = list(dict.fromkeys(documents.values() if settings.groups == "regimes" else documents))
    if len(names) < 2:
        raise SettingsError(
            f"link.groups is `regimes` and all documents are of regime {names[0]}: set link.groups to `documents`, or "
            "give the documents different regimes"
        )
    _require_known("link.left", settings.left, names)
    if set(settings.left) == set(names):
        raise SettingsError(
            f"link.left names all there is ({', '.join(names)}), so nothing is left for the right: name one side only"
        )


def check(settings: Settings) -> None:
    """Refuse a run in which no two provisions could ever meet; for stages that compare."""
    require_pairs(settings.link, {document.doc_id: document.regime for document in settings.documents})


def comparable(settings: LinkSettings, documents: Mapping[str, str]) -> bool:
    """Return whether provisions of these documents (doc_id → regime) could meet."""
    if settings.groups == "within":
        return bool(documents)
    if settings.groups == "pairs":
        return any(left in documents and right in documents for left, right in settings.pairs)
    names = set(documents.values() if settings.groups == "regimes" else documents)
    lefts = names & set(settings.left)
    return bool(lefts and names - lefts) if settings.left else len(names) > 1


def _require_known(setting: str, wanted: Sequence[str], names: Sequence[str]) -> None:
    unknown = [name for name in dict.fromkeys(wanted) if name not in names]
    if unknown:
        raise SettingsError(f"{setting}: there is no {', '.join(unknown)}; there are {', '.join(names)}")
