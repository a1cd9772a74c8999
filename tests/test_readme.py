"""The README and the pages that it leads to: their commands run, their links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from markdown_it.token import Token

from events.store.stores import open_store
from tests.web.rulechange.reader import judge_on_page
from web.cli.main import main
from web.replica.replicator import Replicator

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PACKAGES = ("events", "engine", "projections", "replays", "web")


def tracked() -> list[Path]:
    """What git knows; all that lies there where this is no checkout."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.split("\0") if name]
    folders = [ROOT / name for name in (*PACKAGES, "tests", ".readme")]
    return [README, *(file for folder in folders for file in folder.rglob("*") if file.is_file())]


FILES = frozenset(tracked())
PAGES = sorted(file for file in FILES if file.suffix == ".md" and file.exists())


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def tokens(page: Path) -> list[Token]:
    """Of a page's Markdown, those within a line among the others."""
    blocks = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return [token for block in blocks for token in (block, *(block.children or ()))]


def steps(page: Path) -> Iterator[tuple[str, str]]:
    """What a reader does, in the page's order: commands to type, and files to write by their names.

    A page that goes on where another ends says so: <!-- after: OTHER.md -->
    """
    for token in tokens(page):
        if token.type == "html_block" and (before := re.search(r"after: (\S+)", token.content)):
            yield from steps((page.parent / before[1]).resolve())
        elif token.type == "fence" and " " in token.info:
            yield token.info.split()[1], token.content
        elif token.type == "fence" and not token.info:
            lines = [part.strip() for part in re.split(r"&&|\n", token.content.strip())]
            if lines[0].startswith(("lacitta ", "pip ", "pytest")):  # or an example of a file
                yield from (("", line) for line in lines)


def commands(page: Path) -> list[list[str]]:
    lines = [shlex.split(line, comments=True) for file, line in steps(page) if not file]
    return [words for words in lines if words[0] == "lacitta"]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=name)
def test_the_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in steps(page):
        words = shlex.split(text, comments=True)
        if file:
            Path(file).write_text(text, encoding="utf-8")
        elif words[:2] == ["lacitta", "serve"]:
            replicate(words[2:])
        elif "--page" in words:
            assert judge_on_page(words[1:]) == 0, text
        elif words[0] == "lacitta":
            result = CliRunner().invoke(main, words[1:])
            # `verify` says by its exit code that a ruleset changes something.
            fine = (0, 1) if words[1] == "verify" else (0,)
            assert result.exit_code in fine, (text, result.output)


def replicate(words: list[str]) -> None:
    """Of a server only its replica: other commands go on with that."""
    options = main.commands["serve"].make_context("serve", words).params
    if replica := options["replica"]:
        with open_store(options["db"], replicated=True):
            replicator = Replicator(Path(options["db"]), replica)
            replicator.start()
            replicator.stop()


def test_the_server_serves(tmp_path: Path) -> None:
    command = next(words for words in commands(README) if words[1] == "serve")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "web.cli", *command[1:], "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0]) as page:
            assert b"Play now" in page.read()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
    assert (tmp_path / "lacitta.db").exists()


def test_every_command_is_documented() -> None:
    typed = {words[1] for page in PAGES for words in commands(page)}
    assert typed == set(main.commands)


def spans(page: Path) -> list[str]:
    """What stands in a sentence as code."""
    return [token.content for token in tokens(page) if token.type == "code_inline"]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_within_a_sentence_exist(page: Path) -> None:
    for words in (span.split() for span in spans(page) if re.match("lacitta [a-z]", span)):
        known = {option for each in main.commands[words[1]].params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known | {"--help"}, words


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_within_a_sentence_exist(page: Path) -> None:
    for span in spans(page):
        if re.fullmatch(rf"({'|'.join(PACKAGES)}|tests)/[\w./-]+\.\w+", span):
            assert ROOT / span in FILES, span
        elif module := re.match(r"python -m ([\w.]+)", span):
            place = ROOT / module[1].replace(".", "/")
            assert {place.with_suffix(".py"), place / "__main__.py"} & FILES, span


def anchors(page: Path) -> set[str]:
    """A page's headings as addresses lead to them."""
    blocks = tokens(page)
    headings = [blocks[n + 1].content for n, t in enumerate(blocks) if t.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The file and the heading in it of every link that stays here."""
    for token in tokens(page):
        address = str(token.attrGet("href") or token.attrGet("src") or "")
        if address and not re.match(r"[a-z]+:", address):
            file, _, heading = address.partition("#")
            yield (page.parent / file).resolve() if file else page, heading


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for file, heading in links(page):
        assert file in FILES
        assert file.exists()
        assert not heading or heading in anchors(file), (name(file), heading)


def test_every_page_is_found_from_the_readme() -> None:
    found, new = {README}, [README]
    while new:
        leads = {file for file, _ in links(new.pop()) if file in PAGES}
        new += leads - found
        found |= leads
    assert found == set(PAGES)


def test_pages_of_the_wheel_link_to_what_it_carries() -> None:
    for page in PAGES:
        if page.relative_to(ROOT).parts[0] in PACKAGES:
            for file, _ in links(page):
                assert file.relative_to(ROOT).parts[0] in PACKAGES, (name(page), file)


def test_the_readme_fits_on_two_screens() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 100
    assert [line for line in lines if len(line) > 120 and not line.startswith(("|", "!"))] == []
