"""Clauses: the sentences and list items of a unit, which are compared one by one."""

from __future__ import annotations

import re

#: A place between two tokens where a sentence ends; ``Art. 5`` and ``e.g. this`` go on.
_SENTENCE_END = re.compile(
    r"(?<=[.;:?!])(?<!\b[A-Z]\.)(?<!\b(?:No|no|cf|Cf|eg|ie|vs)\.)(?<!\b(?:Art|art|e\.g|i\.e)\.)\s+"
)
#: Words that a clause has at least: what is shorter is a label or a heading and goes with the clause after it.
_FEWEST_WORDS = 3


def clauses(text: str) -> list[tuple[int, int]]:
    """Cut a text into its clauses.

    Lines are list items or paragraphs; within a line a clause ends with its sentence. Fragments of fewer than three
    words belong to the clause that follows, the last one to the clause before.

    Returns:
        Offsets (start, end) into ``text``, in order, without white space around them; a single one for a text that
        is one clause, none for a blank text.
    """
    found: list[tuple[int, int]] = []
    open_from: int | None = None
    for start, end in _sentences(text):
        begin = start if open_from is None else open_from
        if len(text[begin:end].split()) < _FEWEST_WORDS:
            open_from = begin
        else:
            found.append((begin, end))
            open_from = None
    if open_from is not None:
        end = len(text.rstrip())
        found = [*found[:-1], (found[-1][0], end)] if found else [(open_from, end)]
    return found


def _sentences(text: str) -> list[tuple[int, int]]:
    found = []
    for line in re.finditer(r"[^\n]+", text):
        at = line.start()
        for cut in [*_SENTENCE_END.finditer(line[0]), None]:
            end = line.end() if cut is None else line.start() + cut.start()
            piece = text[at:end]
            if piece.strip():
                at += len(piece) - len(piece.lstrip())
                found.append((at, at + len(piece.strip())))
            at = end if cut is None else line.start() + cut.end()
    return found
