"""Small wrong edits to the rules: the recorded corpus finds every one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.amounts import one_in
from tests.replays.corpus.mutation.mutants import Mutant, edited, judged, load_mutants

MUTANTS = load_mutants()
NOT_A_RULE = ("NameError", "ImportError", "ModuleNotFoundError", "SyntaxError")
RULE_MODULES = {
    *("chance/dealer.py", "state.py"),
    *("material/numbers.py", "material/land.py", "material/board.py"),
    *("actions/check.py", "actions/check_politics.py", "actions/check_people.py"),
    *(
        "actions/legal.py",
        "rules/setup.py",
        "rules/year.py",
        "rules/politics.py",
        "rules/options.py",
    ),
    *(
        "rules/options.py",
        "rules/sites.py",
        "rules/relocation.py",
        "rules/demolition.py",
        "rules/people.py",
    ),
    *("rules/scoring.py", "rules/take_back.py", "rules/resignation.py"),
}


def test_the_list_fits_the_code() -> None:
    for mutant in MUTANTS:
        assert edited(mutant)
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    assert {mutant.file for mutant in MUTANTS} >= RULE_MODULES


@pytest.fixture(scope="session")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the corpus says to the code as it is."""
    return judged(tmp_path_factory.mktemp("baseline"))


def test_the_code_as_it_is_has_nothing_to_be_found(baseline: str) -> None:
    assert baseline == ""


def test_against_a_baseline_that_is_not_green_nothing_is_found(tmp_path: Path) -> None:
    """What is wrong already would be found in every mutant, and prove nothing."""
    with pytest.raises(NotGreen, match="nothing can be found by it: tables: other"):
        found_by_corpus(MUTANTS[0], tmp_path, baseline="tables: other")


def found_by_corpus(mutant: Mutant, folder: Path, baseline: str) -> str:
    if baseline:
        raise NotGreen(f"the corpus is not as recorded, so nothing can be found by it: {baseline}")
    return judged(folder, mutant)


class NotGreen(Exception):
    """Mutants are judged against a baseline that holds."""


@pytest.mark.parametrize("mutant", one_in(6, MUTANTS), ids=lambda mutant: mutant.name)
def test_the_corpus_finds(mutant: Mutant, tmp_path: Path, baseline: str) -> None:
    found = found_by_corpus(mutant, tmp_path, baseline)
    assert found, f"nobody notices that {mutant.breaks} ({mutant.rule})"
    assert not found.startswith(NOT_A_RULE), found
