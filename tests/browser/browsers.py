"""Which browsers of Chromium's family this machine has."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

MISSING = "No browser for the browser's tests"
HOW_TO_GET_ONE = (
    "install Chromium or Chrome, run `playwright install chromium`, or name one in LACITTA_BROWSER."
)

COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
MAC = ("Chromium", "Google Chrome", "Microsoft Edge")
WINDOWS = (
    "Chromium/Application/chrome.exe",
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
# Playwright's downloads; the shell without windows first, as it does the same for a quarter.
DOWNLOADED = (
    "chromium_headless_shell-*/*/*headless*shell*",
    "chromium-*/*/chrome",
    "chromium-*/*/chrome.exe",
    "chromium-*/*/*.app/Contents/MacOS/*",
)


def browsers() -> list[Path]:
    """Every browser there is, the most welcome first; only that of LACITTA_BROWSER where it is
    set."""
    if named := os.environ.get("LACITTA_BROWSER"):
        return [Path(named)]
    return [*downloaded(), *installed()]


def is_shell(browser: Path) -> bool:
    """Whether it is the shell without windows."""
    return "headless" in browser.name


def downloaded() -> Iterator[Path]:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or default_downloads())
    for pattern in DOWNLOADED:
        yield from sorted(filter(Path.is_file, folder.glob(pattern)), reverse=True)


def default_downloads() -> Path:
    if sys.platform == "win32":
        return Path.home() / "AppData" / "Local" / "ms-playwright"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def installed() -> Iterator[Path]:
    for command in COMMANDS:
        if found := shutil.which(command):
            yield Path(found)
    places = [Path("/Applications", f"{name}.app", "Contents", "MacOS", name) for name in MAC]
    folders = filter(
        None, map(os.environ.get, ("ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"))
    )
    places += [Path(folder, place) for folder in folders for place in WINDOWS]
    yield from filter(Path.is_file, places)


if __name__ == "__main__":
    found = browsers()
    print(*found, sep="\n")
    sys.exit(not found)
