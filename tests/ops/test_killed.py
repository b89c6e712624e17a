"""The short form of the reliability suite: a driver that is killed. The whole of it is `make soak`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ops.conftest import Place, wait_for

pytestmark = [pytest.mark.long, pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


def test_a_driver_killed_while_it_writes_leaves_nothing_that_a_second_run_stumbles_over(
    place: Callable[..., Place],
) -> None:
    undisturbed = place()
    undisturbed.run("parse")
    killed = place()
    process = killed.start("parse")
    wait_for(lambda: list(killed.warehouse.glob("sections/run_id=r")), process)
    process.kill()
    assert killed.end(process)[0] == -9
    assert not (killed.warehouse / "_stages/run_id=r/parse.json").exists()
    killed.run("parse")
    killed.require_same(undisturbed, "parse")
