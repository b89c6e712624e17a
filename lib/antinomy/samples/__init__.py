"""Two short made-up regulations with known conflicts: what the demo runs on and what its figures refer to.

``eu-orr`` imitates an EU act, ``us-trr`` a US examination handbook; each lies here as ``.txt`` and as the
``.pdf`` that ``make_pdfs`` prints from it. ``key.jsonl`` names pairs of their provisions with the relation
between them, one JSON object a line: ``left`` and ``right`` (section ids), ``relation``, ``kind``,
``governs`` (as in a verdict) and ``note`` (why, for people). Pairs that it does not name are no conflict.

``questions.jsonl`` holds questions about the two with what answers them, see ``evaluate.answers.read``. One half of
them (``half``: ``held-out``) was written before there was any query form, and nothing was fitted to it.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
#: doc_id (also the files' stem) → regime.
DOCUMENTS = {"eu-orr": "eu", "us-trr": "us"}
KEY = FOLDER / "key.jsonl"
QUESTIONS = FOLDER / "questions.jsonl"
