"""A headless browser, where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--force-prefers-reduced-motion",
    "--window-size=1360,900",
)  # fmt: skip


def options() -> tuple[ChromeOptions, ChromeService]:
    """Return what ``webdriver.Chrome`` takes to run headless; skips with a reason where there is no browser."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no chromium or chromedriver on PATH: apt-get install chromium chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    made = webdriver.ChromeOptions()
    made.binary_location = chromium
    made.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in _FLAGS:
        made.add_argument(flag)
    return made, webdriver.ChromeService(driver)


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """Chromium driven by Selenium."""
    chosen = options()
    from selenium.webdriver import Chrome

    session = Chrome(*chosen)
    yield session
    session.quit()
