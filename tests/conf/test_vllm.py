"""The model server's files: the two ways to start it agree with each other, and with what the judge's settings ask."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from antinomy import settings

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "conf" / "vllm"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What serve.sh starts: a `vllm` on PATH writes its arguments down."""
    folder = tmp_path_factory.mktemp("bin")
    recorder = folder / "vllm"
    recorder.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    recorder.chmod(0o755)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "VLLM_API_KEY": "k-123"}
    done = subprocess.run([FOLDER / "serve.sh"], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    return {item["kind"]: item for item in yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text())}


def flags(arguments: list[str]) -> dict[str, str]:
    """Arguments by flag, however they are written: `--a b`, `--a=b` or `--a`."""
    found: dict[str, str] = {}
    last = ""
    for argument in arguments:
        if argument.startswith("--"):
            last, _, value = argument.partition("=")
            found[last] = value
        elif last:
            found[last] = argument
    return found


def container(manifests: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = manifests["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    return first


def test_both_ways_give_the_server_the_same_flags(served: list[str], manifests: dict[str, Any]) -> None:
    pod = container(manifests)
    assert [*pod["command"][1:]] == served[:2]
    assert flags(pod["args"]) == flags(served)


def test_the_server_is_what_the_settings_of_a_cluster_ask_for(served: list[str]) -> None:
    asked = settings.load(str(ROOT / "conf" / "cluster.yaml")).judge.openai
    given = flags(served)
    assert given["--served-model-name"] == asked.model
    assert int(given["--max-model-len"]) >= asked.context_tokens
    assert json.loads(given["--default-chat-template-kwargs"]) == asked.extra_body["chat_template_kwargs"]
    assert json.loads(given["--structured-outputs-config"])["backend"] == "xgrammar"
    assert {"--enable-prefix-caching", "--enable-prompt-tokens-details"} <= given.keys()
    assert given["--generation-config"] == "vllm"


def test_the_key_is_needed_and_on_no_command_line(served: list[str], manifests: dict[str, Any]) -> None:
    assert not any("k-123" in argument for argument in served)
    without = {"PATH": os.environ["PATH"]}
    refused = subprocess.run([FOLDER / "serve.sh"], env=without, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "VLLM_API_KEY" in refused.stderr
    key = next(item for item in container(manifests)["env"] if item["name"] == "VLLM_API_KEY")
    assert "value" not in key
    assert key["valueFrom"]["secretKeyRef"]["name"] == "vllm-api-key"


def test_the_manifests_fit_together(manifests: dict[str, Any]) -> None:
    pod = container(manifests)
    labels = manifests["Deployment"]["spec"]["template"]["metadata"]["labels"]
    for selector in (
        manifests["Deployment"]["spec"]["selector"]["matchLabels"],
        manifests["Service"]["spec"]["selector"],
        manifests["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    port = pod["ports"][0]
    assert manifests["Service"]["spec"]["ports"][0]["targetPort"] == port["name"]
    assert flags(pod["args"])["--port"] == str(port["containerPort"])
    assert pod["resources"]["limits"]["nvidia.com/gpu"] == pod["resources"]["requests"]["nvidia.com/gpu"] == "1"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert pod[probe]["httpGet"]["path"] == "/health"
    claim = manifests["PersistentVolumeClaim"]["metadata"]["name"]
    volumes = manifests["Deployment"]["spec"]["template"]["spec"]["volumes"]
    assert volumes[0]["persistentVolumeClaim"]["claimName"] == claim


def test_the_systemd_unit_starts_the_same_script() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(FOLDER / "vllm.service")
    assert unit["Service"]["ExecStart"].endswith("/conf/vllm/serve.sh")
    assert "KEY" not in " ".join(f"{k}={v}" for k, v in unit["Service"].items() if k == "Environment")
    if shutil.which("systemd-analyze"):
        checked = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", FOLDER / "vllm.service"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Unknown" not in checked.stderr
