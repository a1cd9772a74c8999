"""The GitHub Action and the pre-commit hook: their commands run here, with nothing from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from replays.rulechange.revision.checkout import HERE
from tests.replays.made import write_corpus

ACTION = HERE / "replays" / "rulechange" / "action" / "action.yml"
HOOKS = HERE / ".pre-commit-hooks.yaml"


class Runner:
    """A machine that runs the steps of the action: `lacitta` and `gh` are found on its path."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "bin"
        self.bin.mkdir()
        self.program("lacitta", f'exec {sys.executable} -m web.cli "$@"')
        self.program("gh", 'echo "$@" > commented; cat "$5" >> commented')
        write_corpus(folder / "games", games=2)
        self.action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))

    def program(self, name: str, line: str) -> None:
        (self.bin / name).write_text(f"#!/bin/bash\n{line}\n")
        (self.bin / name).chmod(0o755)

    def run(self, step: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        found = next(each for each in self.action["runs"]["steps"] if each.get("id") == step)
        given = {name: each.get("default", "") for name, each in self.action["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        env = {key: self.filled(value, given) for key, value in found.get("env", {}).items()}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", found["run"]],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(HERE),
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "GITHUB_STEP_SUMMARY": str(self.folder / "step-summary"),
                "GITHUB_OUTPUT": str(self.folder / "output"),
                **env,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def filled(self, value: str, inputs: dict[str, str]) -> str:
        for name, given in inputs.items():
            value = value.replace(f"${{{{ inputs.{name} }}}}", given)
        value = value.replace("${{ runner.temp }}", str(self.folder))
        value = value.replace("${{ github.event.pull_request.html_url }}", "the-request")
        return value.replace("${{ github.token }}", "a-token")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_the_action_tells_a_change_and_comments_it(runner: Runner) -> None:
    done = runner.run("verify", ruleset="flush no-limits", when_illegal="bot")
    assert done.returncode == 0, done.stderr
    assert runner.read("output") == "changed=true\n"
    summary = runner.read("lacitta-summary.md")
    assert summary == runner.read("step-summary") == done.stdout
    assert "### as recorded → flush" in summary
    assert "### as recorded → no-limits" in summary
    assert (runner.folder / "lacitta").is_dir()
    assert runner.run("comment").returncode == 0
    words, said = runner.read("commented").split("\n", 1)
    assert words.startswith("pr comment the-request --body-file ")
    assert words.endswith(" --edit-last --create-if-none")
    assert said == summary
    assert runner.run("judge").returncode == 1


def test_the_action_says_that_nothing_changes_and_fails_on_an_error(runner: Runner) -> None:
    done = runner.run("verify")
    assert done.returncode == 0, done.stderr
    assert runner.read("output") == "changed=false\n"
    done = runner.run("verify", ruleset="klingon")
    assert done.returncode == 2
    assert "no ruleset named klingon" in done.stderr


def test_the_hook_is_the_command(runner: Runner) -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    (hook,) = hooks
    for words, status in (([], 0), (["--ruleset", "flush"], 1)):
        done = subprocess.run(
            [str(runner.bin / "lacitta"), *hook["entry"].split()[1:], *hook["args"], *words],
            cwd=runner.folder,
            env={**os.environ, "PYTHONPATH": str(HERE)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
    assert hook["pass_filenames"] is False
