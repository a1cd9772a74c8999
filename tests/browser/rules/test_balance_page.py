"""The page that `lacitta balance` writes, in a browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner

from tests.amounts import one_in
from web.cli.main import main


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("balance") / "page.html"
    words = ["balance", "ageing-display", "--games", "6", "--players", "2", "--bots", "random"]
    assert CliRunner().invoke(main, [*words, "--html", str(file)]).exit_code == 0
    return file.as_uri()


@pytest.mark.parametrize(("width", "scheme"), one_in(2, [(390, "light"), (1440, "dark")]))
def test_it_fits_the_screen_and_axe_finds_nothing(browser, address, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    try:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert Axe().run(page).response["violations"] == []
    finally:
        page.close()
