"""The link stage: vectors → candidate pairs."""

from __future__ import annotations

import tempfile

from antinomy.link.plan import link
from antinomy.stage import Context, Stage, groups


def run(ctx: Context) -> None:
    """Write ``similar``; counts what judging every pair would take."""
    settings = ctx.settings
    # What is listed first in the settings stands on the left.
    names = [doc.regime if settings.link.groups == "regimes" else doc.doc_id for doc in settings.documents]
    with tempfile.TemporaryDirectory(prefix="antinomy-index-") as folder:
        pairs = link(
            ctx.read("units"),
            ctx.read("embeddings"),
            settings.link,
            folder,
            list(dict.fromkeys(names)),
            ctx.counts,
        )
        ctx.write(pairs, "similar")


STAGE = Stage("link", decides=groups("link"), needs=("embed",), run=run)
