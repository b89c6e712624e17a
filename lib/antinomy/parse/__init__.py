"""Bytes of a regulation → a tree of its sections."""

from __future__ import annotations

from antinomy.errors import DocumentError

# Importing a module registers its readers and grammars.
from antinomy.parse import akoma, cfr, docx, eu, formex, html, invisible, numbered, pdf, text, us  # noqa: F401
from antinomy.parse.breaks import breaks
from antinomy.parse.choice import choose, require_english
from antinomy.parse.content import GRAMMARS, READERS, Content
from antinomy.parse.model import ParsedDocument, Source
from antinomy.parse.provisions import outline_stated

__all__ = ["GRAMMARS", "READERS", "detect", "parse_document", "read"]


def parse_document(source: Source, data: bytes) -> ParsedDocument:
    """Read one document and build its tree.

    Args:
        source: what the settings say of it; its ``media_type`` and ``grammar`` pick reader and grammar, else its
            content does.
        data: the file.

    Returns:
        The tree, with its account of words; ``media_type`` is what the bytes turned out to be.

    Raises:
        DocumentError: if the file cannot be read or holds no provision; the message says why and what to do.
    """
    if source.grammar and source.grammar not in GRAMMARS:
        known = ", ".join(sorted(GRAMMARS))
        raise DocumentError(f"no outline grammar {source.grammar!r} for {source.doc_id}: set grammar to one of {known}")
    media_type = source.media_type or detect(data)
    try:
        content = read(media_type, data)
        chosen = choose(source, content, media_type)
        require_english(content)
        # What the format states needs no search for it; EU acts have ids and labels of their own.
        stated = bool(content.atoms) and chosen.grammar != "eu"
        document = outline_stated(content, source) if stated else GRAMMARS[chosen.grammar](content, source)
    except RecursionError as error:
        raise DocumentError("it is nested too deeply to be a legal text") from error
    if not document.sections:
        raise DocumentError(
            f"the {chosen.grammar!r} grammar, chosen because {chosen.why}, found no provision in this {media_type}: check "
            "that it is the file meant, or set its grammar"
        )
    document.breaks += breaks(document.sections)
    document.media_type = media_type
    document.title = source.title or document.title
    return document


def detect(data: bytes) -> str:
    """Tell a file's media type from its content.

    Raises:
        DocumentError: if the file is empty or of no type that has a reader.
    """
    if not data.strip():
        raise DocumentError("this file is empty; download it again")
    head = data[:4096]
    for media_type, (sniff, _) in READERS.items():
        if sniff(head):
            return media_type
    known = ", ".join(READERS)
    raise DocumentError(f"this file is none of {known} (it begins with {head[:16]!r}); convert it to one of these")


def read(media_type: str, data: bytes) -> Content:
    """Read a file of a known media type.

    Raises:
        DocumentError: if there is no reader for the type or the file is broken.
    """
    if media_type not in READERS:
        raise DocumentError(f"no reader for {media_type!r}: set media_type to one of {', '.join(READERS)}")
    if not data.strip():
        raise DocumentError("this file is empty; download it again")
    content = READERS[media_type][1](data)
    invisible.remove(content)
    return content
