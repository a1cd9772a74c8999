"""One browser for every benchmark that needs one."""

from tests.browser.conftest import browser, playwright, server

__all__ = ["browser", "playwright", "server"]
