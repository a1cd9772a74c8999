"""What every test finds: English, compiled modules for the processes it starts, and `--long`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

import pytest

from tests.amounts import Amount
from tests.browser.browsers import MISSING

os.environ["LACITTA_LANGUAGE"] = "en"
# Nothing is kept in the cache of whoever runs the tests, nor taken from it.
os.environ["LACITTA_CACHE"] = os.path.join(tempfile.gettempdir(), f"lacitta-cache-{os.getpid()}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        action="store_true",
        help="run the long tests too, and insist on a browser; with -m long, only the long ones",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: runs only with --long")
    if sys.dont_write_bytecode:
        # Or each of the many processes that tests start compiles everything once more.
        folder = tempfile.mkdtemp(prefix="lacitta-bytecode-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        sys.dont_write_bytecode, sys.pycache_prefix = False, folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More than there are cores: tests wait for browsers and servers, the long ones most."""
    cores = os.cpu_count() or 1
    return cores * 2 if config.getoption("long") else cores + cores // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("long"):
        # These do less in an ordinary run, so `-m long` has to run them again.
        for item in items:
            if "amount" in getattr(item, "fixturenames", ()):
                item.add_marker("long")
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def amount(request: pytest.FixtureRequest) -> Amount:
    """How much of something a test takes."""
    whole: bool = request.config.getoption("long")
    return lambda ordinary, long: long if whole else ordinary


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped]
    if reason := next((reason for reason in reasons if reason.startswith(MISSING)), ""):
        terminalreporter.write_line(reason, yellow=True)
