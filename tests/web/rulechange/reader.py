"""Somebody who judges a change on its page without a browser: reads it, presses keys, signs."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE = 120.0
"""Seconds until something that should happen has not happened."""


def judge_on_page(words: list[str], key: str = "A") -> int:
    """Run a command with --page, judge every cause by one key, and give its exit code."""
    process = subprocess.Popen(
        [sys.executable, "-m", "web.cli", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "LANG": "C"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+/\S+", process.stdout.readline())
        assert found is not None
        address, until = found[0], time.monotonic() + PATIENCE
        page = read(address)
        # Once the last page was shown, nobody answers any more.
        while 'class="ending"' not in page and time.monotonic() < until:
            if 'class="signing"' in page:
                page = read(f"{address}sign", by="Anna", why="It was meant.")
            elif cause := re.search(r'name="cause" value="([^"]*)"', page):
                page = read(f"{address}press", key=key, cause=html.unescape(cause[1]))
            else:
                time.sleep(0.1)
                page = read(address)
        process.communicate(timeout=PATIENCE)
        return process.returncode
    finally:
        process.kill()
        process.communicate()


def read(address: str, **form: str) -> str:
    """A page, or the page that a form leads to."""
    data = urllib.parse.urlencode(form).encode() if form else None
    with urllib.request.urlopen(address, data) as answer:
        found: bytes = answer.read()
    return found.decode()
