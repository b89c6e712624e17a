"""The link stage: vectors → candidate pairs."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import TYPE_CHECKING

from antinomy.embed import encoder
from antinomy.errors import SettingsError
from antinomy.link.build import UNIT
from antinomy.link.plan import link
from antinomy.link.result import LinkResult
from antinomy.run.stage import Context, Stage, settings_of
from antinomy.settings import sides
from antinomy.store import tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from antinomy.link.build import Batches
    from antinomy.settings import EmbedSettings


def run(ctx: Context) -> LinkResult:
    """Write ``similar``."""
    settings = ctx.settings
    # What is listed first in the settings stands on the left.
    names = [doc.regime if settings.link.groups == "regimes" else doc.doc_id for doc in settings.documents]
    vectors: dict[str, Batches] = {
        channel: partial(
            tables.read_batches,
            settings.warehouse,
            "mpnet_embeddings" if channel == "mpnet" else "embeddings",
            settings.run_id,
        )
        for channel in settings.link.channels
        if channel != "lexical"
    }
    with tempfile.TemporaryDirectory(prefix="antinomy-index-") as folder:
        pairs, searched = link(
            ctx.spark,
            ctx.arrow("units", UNIT),
            vectors,
            settings.link,
            folder,
            list(dict.fromkeys(names)),
            lambda theme: _encode(theme, settings.embed),
        )
        return searched.model_copy(update={"similar": ctx.write(pairs, "similar")})


def _encode(theme: str, settings: EmbedSettings) -> NDArray[np.float32]:
    """Embed the focus on the driver, which need not have the workers' GPU."""
    read = encoder.token_counter(settings.model, settings.revision)(theme) + encoder.SPECIAL_TOKENS
    if read > settings.max_tokens:
        raise SettingsError(f"link.focus is {read} tokens long, the model reads {settings.max_tokens}: say it shorter")
    model = encoder.worker_encoder(settings.model, settings.revision, "cpu", settings.max_tokens)
    vector: NDArray[np.float32] = model.encode([theme])[0]
    return vector


STAGE = Stage("link", settings_used=settings_of("link"), upstream=("embed",), run=run, check=sides.check)
