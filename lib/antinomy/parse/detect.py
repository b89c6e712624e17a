"""Which outline grammar reads a document, told from its content; and in which language it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from antinomy.errors import DocumentError
from antinomy.parse.content import GRAMMARS, Content
from antinomy.parse.eu.lines import has_articles, is_adopted
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Line
from antinomy.settings.source import Source

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: Media type of the XML in which the EU publishes its acts.
_FORMEX = "application/formex+xml"
#: A handbook's outline: "II.C Title", and what examiners' handbooks print.
_ROMAN_PARTS = re.compile(r"[IVX]{1,5}\.[A-Z](?:\.\d+(?:\([a-z]\))?)?\.?(?:\s|$)")
_HANDBOOK = re.compile(
    r"(?:Action Summary|Tier [12] Objectives|(?:Examination )?Objectives? \d+\b.*|Examination Procedures)$"
)
#: In a text that is numbered through, there is a number at least every so many words; in a handbook far fewer.
_WORDS_PER_NUMBER = 120
#: Fewer numbers say nothing of a document.
_MIN_NUMBERS = 10
#: So many words from the middle of a document tell its language; fewer do not.
_SAMPLE_WORDS, _MIN_WORDS = 1_500, 30
#: A line of the sample has at least so many words: tables and names say little.
_MIN_WORDS_OF_LINE = 4
_MIN_PROBABILITY = 0.99
#: A fifth of the words of any English rule are of these: then no model need be asked, which takes a second to load.
_ENGLISH = frozenset(
    {"the", "of", "and", "to", "in", "or", "for", "shall", "must", "be", "that", "by", "is", "with", "which"}
)
_MIN_ENGLISH_SHARE = 0.2
_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "es": "Spanish", "et": "Estonian", "fi": "Finnish", "fr": "French", "ga": "Irish", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "mt": "Maltese", "nb": "Norwegian", "nl": "Dutch", "nn": "Norwegian", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian",
    "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """The grammar that reads a document, a clause that gives the reason for the choice, and whether that settles it."""

    grammar: str
    why: str
    sure: bool = True


def choose(source: Source, content: Content, media_type: str) -> Choice:
    """Choose the outline grammar for a document.

    Args:
        source: its ``grammar`` decides where it is not empty.
        content: as the reader gave it.
        media_type: of the file.
    """
    if content.atoms:
        articles = any(atom.type == "article" for atom in content.atoms)
        union = media_type in (_FORMEX, "text/html") or (source.regime == "eu" and articles)
        european = source.grammar == "eu" or (not source.grammar and union)
        return Choice("eu" if european else "stated", f"the {media_type} states its structure")
    if source.grammar:
        return Choice(source.grammar, "set in the settings")
    lines = content.lines
    if is_adopted(lines):
        return Choice("eu", "it has the enacting words of an EU act")
    if has_articles(lines):
        return Choice("eu", "it has articles, as an EU act has", sure=False)
    words = sum(len(line.text.split()) for line in lines)
    numbers, handbook = _counted(lines)
    if handbook >= 3:
        return Choice("us", f"{handbook} lines are headings of a supervisory handbook")
    if source.regime in GRAMMARS and numbers < _MIN_NUMBERS:
        return Choice(source.regime, f"little in it is numbered, and its regime is {source.regime}", False)
    if numbers * _WORDS_PER_NUMBER < words:
        return Choice("us", f"few numbers ({numbers:,}) stand at the beginnings of its lines, as in a handbook", False)
    return Choice("numbered", f"{numbers:,} numbers stand at the beginnings of its lines, and it is no EU act")


def _counted(lines: Sequence[Line]) -> tuple[int, int]:
    """Count the numbers at the beginnings of lines, and the lines that only a handbook has."""
    numbers = handbook = 0
    for line in lines:
        if _HANDBOOK.match(line.text) or (_ROMAN_PARTS.match(line.text) and len(line.text) < 120):
            handbook += 1
            continue
        cells = line.text[:300].strip("| ").split("|") if line.text.startswith("|") else [line.text[:300]]
        marks = next(filter(None, (leading_labels(cell.strip()) for cell in cells)), ())
        if marks and marks[0].style != "bullet" and marks[0].firm >= 0.5:
            numbers += len(marks)
    return numbers, handbook


def require_english(content: Content) -> None:
    """Refuse a document in another language than English.

    Raises:
        DocumentError: naming the language.
    """
    found = language(content.lines)
    if found not in ("", "en"):
        name = _LANGUAGES.get(found, f"a language with the code {found!r}")
        raise DocumentError(f"this document is in {name}, and only English is read: take its English version")


def language(lines: Sequence[Line]) -> str:
    """Return the ISO 639-1 code of the language of lines, "" if they are too few to tell."""
    texts = [line.text for line in lines if sum(word.isalpha() for word in line.text.split()) >= _MIN_WORDS_OF_LINE]
    middle = texts[len(texts) // 3 :] + texts[: len(texts) // 3]
    sample: list[str] = []
    for text in middle:
        sample += text.split()
        if len(sample) >= _SAMPLE_WORDS:
            break
    if len(sample) < _MIN_WORDS:
        return ""
    words = [word.strip(".,;:()").lower() for word in sample[:_SAMPLE_WORDS]]
    if sum(word in _ENGLISH for word in words) >= _MIN_ENGLISH_SHARE * len(words):
        return "en"
    code, sure = _identifier().classify(" ".join(sample[:_SAMPLE_WORDS]))
    return str(code) if sure >= _MIN_PROBABILITY else ""


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
