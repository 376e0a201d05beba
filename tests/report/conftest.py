import pytest

from tests.browser import CHROMIUM, Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A window of a headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here")
    window = Browser(tmp_path_factory.mktemp("browser"))
    yield window
    window.close()
