"""Embeds questions: in this process, or one in another, which loads the model while this one reads the tables.

``python -m antinomy.ask.question_vector MODEL REVISION MAX_TOKENS`` loads the model, reads a text from stdin and writes
its vector as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.embed.encoder import worker_encoder
from antinomy.errors import EnvironmentFault

if TYPE_CHECKING:
    from antinomy.ask.retrieve import Encode
    from antinomy.settings import EmbedSettings


@cache
def vector(text: str, embed: EmbedSettings) -> NDArray[np.float32]:
    """Return the vector of a text, made in this process."""
    # The CPU: one question is one short text, and loading onto a GPU would take longer than that.
    model = worker_encoder(embed.model, embed.revision, "cpu", embed.max_tokens)
    made: NDArray[np.float32] = model.encode([text])[0]
    return made


@contextmanager
def question_encoder(embed: EmbedSettings) -> Iterator[Encode]:
    """Begin to load a model in another process; yield a function that embeds the first text there, further ones here.

    The process ends unused if the question needs no vector.
    """
    command = [sys.executable, "-m", "antinomy.ask.question_vector", embed.model, embed.revision, str(embed.max_tokens)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        made: dict[str, NDArray[np.float32]] = {}

        def encode(text: str) -> NDArray[np.float32]:
            """Return the vector.

            Raises:
                EnvironmentFault: if the model cannot be loaded.
            """
            if text not in made:
                made[text] = vector(text, embed) if made else in_the_other(text)
            return made[text]

        def in_the_other(text: str) -> NDArray[np.float32]:
            out, err = process.communicate(text.encode())
            if process.returncode:
                output = err.decode(errors="replace").strip().splitlines()
                raise EnvironmentFault(
                    f"the question cannot be encoded: {output[-1] if output else 'the process ended'}"
                )
            return np.array(json.loads(out), dtype=np.float32)

        try:
            yield encode
        finally:
            process.kill()


def main() -> None:
    """Encode stdin."""
    from antinomy.embed.encoder import Encoder

    model, revision, max_tokens = sys.argv[1:]
    encoder = Encoder(model, revision, "cpu", int(max_tokens))
    made = encoder.encode([sys.stdin.buffer.read().decode()])[0]
    sys.stdout.write(json.dumps([float(value) for value in made]))


if __name__ == "__main__":
    main()
