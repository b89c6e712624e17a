"""Pairs for the tests, in invented words."""

from __future__ import annotations

import hashlib

from antinomy.judge.protocol import Pair, Provision


def provision(text: str, context: str = "") -> Provision:
    digest = hashlib.sha256(f"{text}\n{context}".encode("utf-8", "surrogatepass")).hexdigest()
    return Provision(f"doc#{digest[:8]}", digest[:8], "Article 1", text, context, digest)


def pair(left: str, right: str, left_context: str = "", right_context: str = "") -> Pair:
    a, b = provision(left, left_context), provision(right, right_context)
    return Pair(hashlib.sha256(f"{a.sha256}\n{b.sha256}".encode()).hexdigest()[:32], a, b)


def conflicting(number: int = 0) -> Pair:
    """A pair that the tests' server finds in conflict."""
    return pair(
        f"Reports on outages of branch {number} shall reach the supervisor within 72 hours of discovery.",
        f"Management must send reports on outages of branch {number} to the supervisor within 24 hours.",
    )


def unrelated(number: int = 0) -> Pair:
    """A pair that the tests' server finds unrelated."""
    return pair(
        f"Reports on outages of branch {number} shall reach the supervisor within 72 hours of discovery.",
        f"Paint may be blue ({number}).",
    )
