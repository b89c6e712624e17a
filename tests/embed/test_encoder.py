"""The embedding model that the settings name: what is said where it cannot be had."""

from collections.abc import Callable

import pytest

from antinomy.embed.encoder import Encoder, token_counter
from antinomy.errors import EnvironmentFault


@pytest.mark.parametrize("load", [Encoder, token_counter])
def test_a_model_that_cannot_be_had_is_named_with_what_to_do(
    load: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EnvironmentFault, match=r"model nobody/nothing cannot be loaded \(.+\): check embed\.model"):
        load("nobody/nothing")
