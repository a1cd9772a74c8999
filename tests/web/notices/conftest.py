"""One mail server for the letters of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.notices.mailing import Office, post_office


@pytest.fixture(scope="module")
def mail_server() -> Iterator[Office]:
    with post_office() as office:
        yield office
