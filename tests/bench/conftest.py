"""One browser for every benchmark that needs one."""

from tests.browser.conftest import browser, server

__all__ = ["browser", "server"]
