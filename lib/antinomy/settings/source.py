"""A document as the settings list it, and what bounds it."""

from __future__ import annotations

from dataclasses import dataclass

#: No regulation is larger; a larger file could fill the disk or the memory.
MOST_BYTES = 512 * 2**20
#: A tree with a lower score is poor.
POOR = 0.95


@dataclass(frozen=True, slots=True)
class Source:
    """One document as the settings list it.

    Attributes:
        doc_id: CELEX number for EU acts, else a slug; first half of every section id.
        uri: where the bytes are.
        regime: legal system or issuer, any name; ``eu`` and ``us`` decide the outline grammar where the text does not.
        title: overrides the title found in the document where not empty.
        media_type: overrides the detection by content where not empty.
        grammar: name of the outline grammar; empty: the text decides.
        aliases: names by which other documents cite this one ("Information Security booklet").
        in_force_from: ISO date that replaces the one that the document says, "" if none.
        in_force_to: likewise.
    """

    doc_id: str
    uri: str
    regime: str
    title: str = ""
    media_type: str = ""
    grammar: str = ""
    aliases: tuple[str, ...] = ()
    in_force_from: str = ""
    in_force_to: str = ""
