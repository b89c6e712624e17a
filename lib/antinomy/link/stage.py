"""The link stage: vectors → candidate pairs."""

from __future__ import annotations

import tempfile

from antinomy.link.plan import link
from antinomy.stage import Context, Stage, groups


def run(ctx: Context) -> None:
    """Write ``similar``; counts what judging every pair would take."""
    settings = ctx.settings.link
    listed = ctx.settings.documents
    order = [d.regime if settings.groups == "regimes" else d.doc_id for d in listed]
    with tempfile.TemporaryDirectory(prefix="antinomy-link-") as folder:
        pairs = link(ctx.read("units"), ctx.read("embeddings"), settings, folder, order, ctx.counts)
        ctx.write(pairs, "similar")


STAGE = Stage("link", decides=groups("link"), needs=("embed",), run=run)
