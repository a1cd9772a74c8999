"""How all tests run: in English, and by one worker more than the machine has cores."""

from __future__ import annotations

import os

os.environ["LACITTA_LANGUAGE"] = "en"


def pytest_xdist_auto_num_workers() -> int:
    """Browsers, servers and databases keep many tests waiting, in which others can run."""
    return (os.cpu_count() or 1) + 1
