"""The files of `web/deploy` on a machine without containers: each part of the compose file started
by its own command with the same configuration, and a page seen through all of them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import site
import subprocess
import sys
import time
import tomllib
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.events.server import Server
from tests.events.store.test_older_stores import RELEASES
from tests.web.deploy.test_proxies import DEPLOY, PATIENCE, Behind, free_port, homed, program, reach
from tests.web.served import ROOT, Served
from tests.web.world import World
from web.settings import load

CHOSEN = {
    "LACITTA_SITE": "localhost",
    "LACITTA_REGISTRATION": "open",
    "POSTGRES_PASSWORD": "of0the0database",
    "METRICS_TOKEN": "of0the0metrics",
    "GRAFANA_PASSWORD": "of0grafana",
}
"""What a host puts into .env."""


def interpolate(value: Any, chosen: Mapping[str, str]) -> Any:
    """A value of the compose file, with what it takes from the environment."""
    if isinstance(value, dict):
        return {key: interpolate(each, chosen) for key, each in value.items()}
    if isinstance(value, list):
        return [interpolate(each, chosen) for each in value]
    if not isinstance(value, str):
        return value

    def take(found: re.Match[str]) -> str:
        name, kind, default = found[1], found[2], found[3]
        assert kind == ":-" or chosen.get(name), f"{name} is needed"
        return chosen.get(name) or default or ""

    return re.sub(r"\$\{(\w+)(:-|:\?)([^}]*)\}", take, value)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = interpolate(yaml.safe_load(text), CHOSEN)
    return found


def container_lines() -> list[tuple[str, str]]:
    """The instructions of the container file, each with its words."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines if line]


def container_environment() -> dict[str, str]:
    words = [
        word for name, line in container_lines() if name == "ENV" for word in shlex.split(line)
    ]
    return dict(word.split("=", 1) for word in words)


def test_the_example_names_all_that_the_compose_file_asks_for() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    example = (DEPLOY / "environment.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^(\w+)=", example, re.M))
    assert set(re.findall(r"\$\{(\w+)", text)) | {"METRICS_TOKEN"} == named == set(CHOSEN)


def test_every_file_and_setting_of_the_compose_file_exists(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (
                (DEPLOY / source).is_file()
                if source.startswith(".")
                else source in compose["volumes"]
            )
        assert set(service.get("networks", [])) <= set(compose["networks"])
    app = services["app"]
    assert (DEPLOY / app["build"]["context"] / app["build"]["dockerfile"]).is_file()
    assert (DEPLOY / app["build"]["context"]).resolve() == ROOT
    settings = load(environment=container_environment() | app["environment"])
    assert settings.proxy.trusted == services["caddy"]["networks"]["outside"]["ipv4_address"]
    assert settings.server.url == "https://localhost"
    assert settings.metrics.token == CHOSEN["METRICS_TOKEN"]
    assert services["caddy"]["environment"]["LACITTA_SERVER"] == f"app:{settings.server.port}"


def test_the_container_file_copies_all_that_is_installed() -> None:
    copied = [shlex.split(words)[:-1] for name, words in container_lines() if name == "COPY"]
    names = {name for words in copied for name in words if not name.startswith(("-", "/"))}
    assert {"events", "engine", "projections", "replays", "web", "pyproject.toml"} <= names
    assert all((ROOT / name).exists() for name in names)


@contextmanager
def database(environment: Mapping[str, str], port: int) -> Iterator[None]:
    """PostgreSQL as its image sets it up: a user with a password, asked for by TCP."""
    server = Server()
    user, password, name = (environment[f"POSTGRES_{key}"] for key in ("USER", "PASSWORD", "DB"))
    try:
        with psycopg.connect(server.url(), autocommit=True) as conn:
            conn.execute(f"ALTER USER {user} PASSWORD '{password}'".encode())
            conn.execute(f"CREATE DATABASE {name} OWNER {user}".encode())
        server.kill()
        hba = server.data / "pg_hba.conf"
        hba.write_text("host all all 127.0.0.1/32 scram-sha-256\n")
        listen = ["-k", "", "-h", "127.0.0.1", "-p", str(port)]
        server.process = subprocess.Popen(
            [server.programs / "postgres", "-D", server.data, *listen],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=server.user,
            cwd=server.folder,
        )
        end = time.monotonic() + PATIENCE
        while True:  # until it is healthy, as the app waits for it
            try:
                place = {"host": "127.0.0.1", "port": port, "dbname": name}
                psycopg.connect(**place, user=user, password=password).close()
                break
            except psycopg.OperationalError:
                assert time.monotonic() < end
                time.sleep(0.1)
        yield
    finally:
        server.stop()


@contextmanager
def caddy(environment: Mapping[str, str], folder: Path, port: int) -> Iterator[None]:
    """Caddy with the same file; it listens elsewhere and asks nobody for a certificate."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    quiet = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n"
    (folder / "Caddyfile").write_text(text.replace("{\n\tservers {", f"{quiet}\tservers {{"))
    assert environment["LACITTA_SITE"] == "localhost"
    process = subprocess.Popen(
        [program("caddy"), "run", "--config", str(folder / "Caddyfile")],
        stderr=subprocess.DEVNULL,
        env=homed(folder) | environment | {"LACITTA_SITE": f"localhost:{port}"},
    )
    try:
        reach(port)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def build(folder: Path) -> Path:
    """What the container file does before it changes users, as a shell does it: the files copied,
    an environment made, the tree installed. Packages of others are those that are here."""
    source, target = folder / "src", folder / "opt"
    source.mkdir()
    for name, line in container_lines():
        words = shlex.split(line)
        if name == "COPY" and not words[0].startswith("--from"):
            for each in words[:-1]:
                place = source / (each if words[-1] == "./" else words[-1])
                (shutil.copytree if (ROOT / each).is_dir() else shutil.copy)(ROOT / each, place)
    runs = [shlex.split(line) for name, line in container_lines() if name == "RUN"]
    made, installed = runs[0], runs[1]
    assert made == ["python", "-m", "venv", "/opt/lacitta"]
    assert installed[:2] == ["/opt/lacitta/bin/pip", "install"]
    venv.create(target, with_pip=False)
    (packages,) = target.glob("lib/*/site-packages")
    here = [path for path in site.getsitepackages() if Path(path).is_dir()]
    here += [path for path in sys.path if path.endswith("site-packages")]
    (packages / "here.pth").write_text("\n".join(dict.fromkeys(here)))
    extras = re.fullmatch(r"\.\[(.+)\]", installed[-1])
    assert extras is not None
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{extra} = [" in declared for extra in extras[1].split(","))
    pip = [str(target / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--ignore-installed", str(source)], check=True, capture_output=True)
    return target


@pytest.mark.long
def test_a_page_comes_through_all_parts(compose: dict[str, Any], tmp_path: Path) -> None:
    services, ports = compose["services"], (free_port(), free_port())
    app, entry = services["app"], dict(container_lines())
    environment = container_environment() | app["environment"]
    environment.pop("PATH")
    for name, here, there in (
        ("LACITTA_SERVER_DB", f"@127.0.0.1:{ports[0]}/", "@db:5432/"),
        ("LACITTA_SERVER_HOST", "127.0.0.1", "0.0.0.0"),
        ("LACITTA_SERVER_PORT", "0", "8000"),
        ("LACITTA_PROXY_TRUSTED", "127.0.0.1", "172.30.84.2"),
    ):
        assert there in environment[name]
        environment[name] = environment[name].replace(there, here)
    words = json.loads(entry["ENTRYPOINT"]) + json.loads(entry["CMD"])
    assert words == ["lacitta", "serve"]
    installed = build(tmp_path)
    launch = f"import os; os.execv({str(installed / 'bin/lacitta')!r}, {words!r})"
    with (
        database(services["db"]["environment"], ports[0]),
        Served("", ["-c", launch], environment | {"PYTHONPATH": ""}) as served,
        caddy(
            services["caddy"]["environment"] | {"LACITTA_SERVER": f"127.0.0.1:{served.port}"},
            tmp_path,
            ports[1],
        ),
    ):
        behind = Behind("caddy", ports[1], served.port, environment["LACITTA_SERVER_DB"])
        page = behind.ask("/", headers={"Host": f"localhost:{ports[1]}"})
        assert page.status == 200
        assert "La Città" in page.read().decode()
        asked = {"Host": f"localhost:{ports[1]}", "Authorization": "Bearer of0the0metrics"}
        assert behind.ask("/metrics", headers=asked).status == 200
        assert behind.ask("/metrics", headers={"Host": asked["Host"]}).status == 403
        (check,) = (line for name, line in container_lines() if name == "HEALTHCHECK")
        healthy = json.loads(check.partition("CMD ")[2])[2].replace("8000", str(served.port))
        assert subprocess.run([sys.executable, "-c", healthy]).returncode == 0


def test_the_settings_to_begin_with() -> None:
    settings = load(DEPLOY / "lacitta.toml")
    assert settings.server.url == "https://play.example.org"
    assert settings.proxy.trusted == "127.0.0.1"
    assert not Path(settings.server.db).is_absolute()


def test_the_page_names_files_that_are_there() -> None:
    page = (DEPLOY / "DEPLOY.md").read_text(encoding="utf-8")
    named = set(re.findall(r"web/deploy/[\w.-]+", page))
    assert len(named) >= 4
    assert all((ROOT / name).is_file() for name in named)
    chosen = set(re.findall(r"\^(\w+)=", page)) | set(
        re.findall(r"for name in ([^;]+);", page)[0].split()
    )
    assert chosen - {"$name"} <= set(CHOSEN)


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "web" / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)$", text, re.M)
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert versions[0] == declared["project"]["version"]
    # Of every release before there is a store that the tests open.
    assert [f"store-{version}" for version in versions[1:]] == sorted(RELEASES, reverse=True)


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "lacitta.service").read_text(encoding="utf-8")
    assert text.count("/opt/lacitta/bin/lacitta serve ") == 1
    analyze = program("systemd-analyze")
    unit = tmp_path / "lacitta.service"
    unit.write_text(text.replace("/opt/lacitta/bin/lacitta serve", f"{sys.executable} serve"))
    done = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    # Of 100, the more it could do to the machine the more.
    safe = [analyze, "security", "--offline=true", "--threshold=20", unit]
    assert subprocess.run(safe, capture_output=True).returncode == 0


def test_every_figure_of_the_load_page_exists(tmp_path: Path) -> None:
    page = json.loads((DEPLOY / "grafana" / "load.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in page["panels"] for target in panel.get("targets", ())]
    names = {name for expr in asked for name in re.findall(r"\b(?:lacitta|process)_\w+", expr)}
    routes = {route for expr in asked for route in re.findall(r'route="([^"]+)"', expr)}
    workers = {worker for expr in asked for worker in re.findall(r'worker="([^"]+)"', expr)}
    world = World(tmp_path)
    world.nobody().get("/")
    known = {rule.rule for rule in world.app.url_map.iter_rules()}
    text = world.nobody().get("/metrics").text
    world.close()
    families = list(text_string_to_metric_families(text))
    ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
    there = {f.name + end for f in families for end in ends.get(f.type, ("",))}
    assert names <= there
    assert routes <= known
    assert workers <= {"replica"}
    assert len({panel["id"] for panel in page["panels"]}) == len(page["panels"])


def test_prometheus_asks_the_app(compose: dict[str, Any]) -> None:
    file = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
    (job,) = file["scrape_configs"]
    (targets,) = (each["targets"] for each in job["static_configs"])
    assert [target.split(":")[0] for target in targets] == ["app"]
    secret = Path(job["authorization"]["credentials_file"]).name
    assert compose["services"]["prometheus"]["secrets"] == [secret]
    assert compose["secrets"][secret] == {"environment": "METRICS_TOKEN"}
    assert os.path.basename(job["metrics_path"]) == "metrics"
