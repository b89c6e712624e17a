"""What `antinomy doctor` says of a served judge."""

from __future__ import annotations

from antinomy.cli.doctor import run_checks
from antinomy.settings import Settings
from judge.server import MODEL, JudgeServer


def test_the_endpoint_is_described_in_words() -> None:
    with JudgeServer() as server:
        settings = Settings.model_validate(
            {"documents": [{"doc_id": "act", "path": "act", "regime": "eu"}],
             "judge": {"backend": "openai", "openai": {"base_url": server.url, "model": MODEL}}}
        )  # fmt: skip
        (endpoint,) = (check for check in run_checks(settings) if check.name == "endpoint")
        assert (endpoint.ok, endpoint.found) == (True, f"{MODEL} at {server.url}, window of 8192 tokens")
