"""The vector of one question from a process of its own: a model is loaded there while the tables are read here.

``python -m antinomy.ask.question_vector MODEL REVISION MAX_TOKENS`` reads a text from stdin, writes its vector
as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import EnvironmentFault

if TYPE_CHECKING:
    from antinomy.settings import EmbedSettings


def elsewhere(text: str, embed: EmbedSettings) -> NDArray[np.float32]:
    """Return the vector of a text, made in another process.

    Raises:
        EnvironmentFault: if the model cannot be loaded there.
    """
    command = [sys.executable, "-m", "antinomy.ask.question_vector", embed.model, embed.revision, str(embed.max_tokens)]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise EnvironmentFault(f"the question cannot be encoded: {said[-1] if said else 'the process ended'}")
    return np.array(json.loads(done.stdout), dtype=np.float32)


def main() -> None:
    """Encode stdin."""
    from antinomy.embed.encoder import Encoder

    model, revision, max_tokens = sys.argv[1:]
    # The CPU: one question is one short text, and loading onto a GPU would take longer than that.
    vector = Encoder(model, revision, "cpu", int(max_tokens)).encode([sys.stdin.buffer.read().decode()])[0]
    sys.stdout.write(json.dumps([float(value) for value in vector]))


if __name__ == "__main__":
    main()
