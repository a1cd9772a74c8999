"""Modules linked into one script: all of ours can be, and a real engine runs what comes out."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from web.site.assets.modules import CannotLink, link
from web.site.assets.static_files import FOLDER

MODULES = {
    "words": "export const words = [];\nexport function say(word) {\n  words.push(word);\n}",
    "first": 'import { say } from "./words.js";\nsay("first");\nexport async function late() {}',
    "broken": 'import {\n  say,\n} from "./words.js";\nsay("broken");\nthrow new Error("lost");\n'
    "export class Never {}",
    "hurt": 'import { Never } from "./broken.js";\nimport { words } from "./words.js";\n'
    'words.push("hurt");',
    "last": 'import "./first.js";\nimport { say as tell, words } from "./words.js";\n'
    'tell("last");\nconsole.log(words.join());',
}


def test_each_runs_once_in_order_and_one_that_fails_stops_only_its_own() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("nothing here runs a script")
    script = link(["first", "hurt", "last"], MODULES.__getitem__)
    reports = 'globalThis.reportError = ({ message }) => console.log("reported", message);\n'
    ran = subprocess.run(
        [node, "--input-type=module", "--eval", reports + script],
        capture_output=True,
        text=True,
        check=True,
    )
    lost, hurt, said = ran.stdout.splitlines()
    assert lost == "reported lost"
    assert re.match("reported .*undefined", hurt)
    assert said == "first,broken,last"


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;",
        "export let changing = 1;",
        "export { one };",
        'import one from "./two.js";',
        'import * as one from "./two.js";',
        'const one = await import("./two.js");',
        "const here = import.meta.url;",
    ],
)
def test_other_forms_are_refused_by_name(text: str) -> None:
    with pytest.raises(CannotLink, match=re.escape(f"odd.js: {text}")):
        link(["odd"], {"odd": text, "two": ""}.__getitem__)


def test_a_circle_is_refused() -> None:
    texts = {"one": 'import "./two.js";', "two": 'import "./one.js";'}
    with pytest.raises(CannotLink, match="one imports two imports one"):
        link(["one"], texts.__getitem__)


def test_all_scripts_of_the_site_can_be_linked() -> None:
    names = [path.stem for path in sorted(FOLDER.glob("*.js"))]
    text = link(names, lambda name: (FOLDER / f"{name}.js").read_text(encoding="utf-8"))
    assert text.count(" = run(() => {") == len(names)
    if node := shutil.which("node"):
        subprocess.run(
            [node, "--check", "--input-type=module", "-"], input=text, text=True, check=True
        )
