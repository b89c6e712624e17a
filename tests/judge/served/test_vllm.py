"""The judge against a real vLLM server. The model is tiny and its opinions are chance: what is tested is the wiring."""

from __future__ import annotations

import os
import re
import socket
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from antinomy.judge.protocol import Verdict
from antinomy.judge.served.estimate import size
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.judge.served.ready import ready
from antinomy.settings.served import OpenAISettings
from judge import candidates, vllm_server
from judge.pairs import pair

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

#: As the link stage gives them: each left provision with ten neighbours.
PAIRS = [
    pair(f"{left} {'Records of it shall be kept and reviewed. ' * 8}", f"{right} {'The board must approve it. ' * 8}")
    for left, right in candidates.texts(4, 10)
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Address of the server: one that runs, or the one that is made in a folder and started here."""
    named = os.environ.get("ANTINOMY_VLLM", "")
    if not named:
        pytest.skip(
            "ANTINOMY_VLLM is not set: make a folder by `python tests/judge/vllm_server.py FOLDER` and name it, "
            "or name a server that runs (http://…/v1)"
        )
    if named.startswith("http"):
        yield named
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with vllm_server.serving(Path(named).absolute(), port) as started:
        yield started


@pytest.fixture(scope="module")
def settings(url: str) -> OpenAISettings:
    return OpenAISettings(
        base_url=url,
        model=vllm_server.MODEL,
        prompt="threeway",
        context_tokens=vllm_server.WINDOW,
        # Nothing is explained unless a test asks for it: that takes the most time and proves the least.
        screen_threshold=1.0,
        max_tokens=160,
        max_in_flight=8,
        timeout_s=300,
    )


@pytest.fixture(scope="module")
def cached_before(settings: OpenAISettings) -> dict[str, float]:
    return cache_counts(settings)


@pytest.fixture(scope="module")
def verdicts(settings: OpenAISettings, cached_before: dict[str, float]) -> dict[str, Verdict]:
    return {verdict.pair_key: verdict for verdict in OpenAIJudge(settings).judge(PAIRS)}


def cache_counts(settings: OpenAISettings) -> dict[str, float]:
    """Read how many prompt tokens the server looked up in its prefix cache, and how many it found."""
    with urllib.request.urlopen(settings.base_url.removesuffix("/v1") + "/metrics") as response:
        text = response.read().decode()
    return {
        name: sum(float(n) for n in re.findall(rf"^vllm:prefix_cache_{name}_total{{.*}} (\S+)$", text, re.M))
        for name in ("queries", "hits")
    }


def test_the_server_is_ready(settings: OpenAISettings) -> None:
    found = ready(settings)
    assert (found.model, found.window) == (vllm_server.MODEL, vllm_server.WINDOW)
    assert "cached tokens" not in " ".join(found.warnings)
    assert found.label_mass > 0.5


def test_every_pair_gets_a_verdict(verdicts: dict[str, Verdict]) -> None:
    assert set(verdicts) == {asked.pair_key for asked in PAIRS}
    assert Counter(verdict.status for verdict in verdicts.values()) == {"ok": len(PAIRS)}
    for verdict in verdicts.values():
        assert verdict.label_mass is not None
        assert 0.5 < verdict.label_mass <= 1.001
        assert verdict.input_tokens > verdict.cached_tokens >= 0


def test_the_servers_cache_serves_what_the_order_of_the_pairs_promises(
    settings: OpenAISettings, cached_before: dict[str, float], verdicts: dict[str, Verdict]
) -> None:
    now = cache_counts(settings)
    queries, hits = (now[name] - cached_before[name] for name in ("queries", "hits"))
    told = sum(verdict.cached_tokens for verdict in verdicts.values())
    assert hits == pytest.approx(told, rel=0.05)
    assert hits / queries >= 0.6
    expected = size(PAIRS, settings)
    assert hits / queries == pytest.approx(expected.screen_cached / expected.screen_tokens, abs=0.1)


def test_a_second_run_says_the_same(settings: OpenAISettings, verdicts: dict[str, Verdict]) -> None:
    again = {verdict.pair_key: verdict for verdict in OpenAIJudge(settings).judge(PAIRS)}
    flips = [key for key, verdict in verdicts.items() if again[key].relation != verdict.relation]
    assert len(flips) <= 0.02 * len(PAIRS)


def test_an_explanation_is_read_or_refused_with_a_reason(settings: OpenAISettings) -> None:
    explained = settings.model_copy(update={"screen_threshold": 0.0})
    for verdict in OpenAIJudge(explained).judge(PAIRS[:3]):
        assert verdict.explain_calls == 2
        if verdict.status == "error":
            # So small a model may not come to an end, or leave out what the schema cannot demand.
            assert verdict.error.split(":")[0] in {"truncated", "schema"}
        else:
            assert verdict.rationale
            assert verdict.evidence_verified is (verdict.status == "ok")
