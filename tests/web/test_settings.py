"""Settings: three sources, one line for each mistake, and a server that heeds them."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import web
from tests.web.cli.serving.test_serve import first_address, serving
from web.settings import BadSettings, load, summary

MAIL = {
    "LACITTA_MAIL_HOST": "mail.example.org",
    "LACITTA_MAIL_SENDER": "games@example.org",
    "LACITTA_SERVER_URL": "https://play.example.org/",
}


def test_later_sources_win(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[server]\nport = 1\nhost = "a"\ndb = "file.db"\n[notices]\nwait = 5\n')
    found = load(file, {"LACITTA_SERVER_PORT": "2", "PATH": "x"}, {"server": {"port": 3}})
    assert (found.server.port, found.server.host, found.server.db) == (3, "a", "file.db")
    assert found.notices.wait == 5
    assert load(file, {"LACITTA_SERVER_PORT": "2"}, {"server": {"port": None}}).server.port == 2
    assert load().server.port == 8000


def test_cookies_are_secure_where_the_address_is() -> None:
    assert load(environment=MAIL).secure_cookies
    assert not load(environment={**MAIL, "LACITTA_SERVER_SECURE_COOKIES": "false"}).secure_cookies
    assert not load().secure_cookies
    assert load(environment=MAIL).server.url == "https://play.example.org"


@pytest.mark.parametrize(
    ("text", "environment", "says"),
    [
        ("[mail]\nport = 99999", {}, "mail.port"),
        ("[mail]\nhots = 'x'", {}, "hots"),
        ("[mial]\nhost = 'x'", {}, "mial"),
        ("mail = 3", {}, "mail"),
        ("[mail", {}, "settings.toml"),
        ("", {"LACITTA_SERVER_PORT": "many"}, "server.port"),
        ("", {"LACITTA_MAIL_HOTS": "x"}, "LACITTA_MAIL_HOTS"),
        ("", {"LACITTA_SERVER_URL": "play.example.org"}, "server.url"),
        ("", {"LACITTA_SERVER_URL": "https://a:b@example.org"}, "server.url"),
        ("", {"LACITTA_SERVER_URL": "https://[::1"}, "server.url"),
        ("", {"LACITTA_MAIL_HOST": "x"}, "server.url"),
        ("", {**MAIL, "LACITTA_MAIL_SENDER": "a\nb@c"}, "mail.sender"),
        ("", {**MAIL, "LACITTA_MAIL_USER": "u", "LACITTA_MAIL_SECURITY": "none"}, "mail.security"),
        ("", {"LACITTA_PROXY_TRUSTED": "*"}, "proxy.trusted"),
        ("", {"LACITTA_PROXY_HEADERS": "x-real-ip"}, "proxy.headers"),
        ("", {"LACITTA_NOTICES_WAIT": "-1"}, "notices.wait"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(
    text: str, environment: dict[str, str], says: str, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BadSettings, match=says) as told:
        load(file, environment)
    assert "\n" not in str(told.value)


def test_the_example_for_hosts_can_be_used(tmp_path: Path) -> None:
    page = (Path(web.__file__).parent / "HOSTING.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(\[server\]\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    file = tmp_path / "lacitta.toml"
    file.write_text(example, encoding="utf-8")
    found = load(file)
    assert found.mail.gate == 587
    assert found.secure_cookies


def test_no_password_is_ever_shown() -> None:
    found = load(environment={**MAIL, "LACITTA_MAIL_USER": "u", "LACITTA_MAIL_PASSWORD": "hush"})
    assert "hush" not in " ".join(summary(found))
    assert any("mail.example.org:587" in line for line in summary(found))


def test_the_command_ends_with_one_line(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[server]\nport = 'x'\n")
    done = subprocess.run(
        [sys.executable, "-m", "web.cli", "serve", "--settings", str(file)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lacitta: settings: server.port: ")
    assert done.stderr.count("\n") == 1


def test_a_named_proxy_says_who_asks(tmp_path: Path) -> None:
    """Rate limits and metrics see the real address behind a proxy, and only behind that one."""
    file = tmp_path / "settings.toml"
    file.write_text(
        f'[server]\nport = 0\ndb = "{tmp_path / "games.db"}"\nurl = "https://play.example.org"\n'
        '[proxy]\ntrusted = "127.0.0.1"\n'
    )
    with serving("--settings", str(file)) as process:
        address = first_address(process)

        def status(**headers: str) -> int:
            asked = urllib.request.Request(f"{address}metrics", headers=headers)
            try:
                with urllib.request.urlopen(asked) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                error.close()
                return error.code

        assert status() == 200
        assert status(**{"X-Forwarded-For": "203.0.113.9"}) == 403
