"""Low-rank matrices in a frozen transformer while they are trained (LoRA: Hu et al., arXiv 2106.09685)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from antinomy.embed.adapter import DOWN, UP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

#: Factor of the product of two matrices ("alpha / r" in the paper).
_SCALE = 2.0


def add_matrices(body: Any, layers: Iterable[Any], rank: int) -> None:
    """Freeze a transformer and add the product of two trained matrices to each linear layer; it is zero at first.

    Args:
        body: the transformer.
        layers: its parts whose linear layers get matrices.
        rank: of the matrices.
    """
    import torch

    for parameter in body.parameters():
        parameter.requires_grad = False
    for layer in layers:
        for module in list(layer.modules()):
            if isinstance(module, torch.nn.Linear):
                _add(module, rank)


def matrices(body: Any) -> dict[str, NDArray[np.float32]]:
    """Return the trained matrices as ``embed.adapter.merge`` takes them."""
    return {
        name: value.detach().float().cpu().numpy() * (_SCALE if name.endswith(DOWN) else 1.0)
        for name, value in body.named_parameters()
        if value.requires_grad
    }


def set_matrices(body: Any, fitted: Mapping[str, NDArray[np.float32]]) -> None:
    """Give the matrices of a transformer the values that ``matrices`` returned."""
    import torch

    with torch.no_grad():
        for name, value in body.named_parameters():
            if value.requires_grad:
                value.copy_(torch.from_numpy(fitted[name]) / (_SCALE if name.endswith(DOWN) else 1.0))


def rank_of(fitted: Mapping[str, NDArray[np.float32]]) -> int:
    """Return the rank of what ``matrices`` returned."""
    return next(len(value) for name, value in fitted.items() if name.endswith(DOWN))


def _add(module: Any, rank: int) -> None:
    import torch

    weight = module.weight
    down = torch.nn.Parameter(torch.empty(rank, module.in_features, device=weight.device))
    up = torch.nn.Parameter(torch.zeros(module.out_features, rank, device=weight.device))
    torch.nn.init.kaiming_uniform_(down, a=math.sqrt(5))
    module.register_parameter(DOWN.removeprefix("."), down)
    module.register_parameter(UP.removeprefix("."), up)

    def added(_: Any, inputs: tuple[Any], output: Any) -> Any:
        (x,) = inputs
        linear = torch.nn.functional.linear
        return output + linear(linear(x, down.to(x.dtype) * _SCALE), up.to(x.dtype))

    module.register_forward_hook(added)
