"""Headless Chromium by way of Selenium, for pages opened from disk: started, bounded in time, stopped."""
import contextlib
import pathlib
import shutil
import tempfile
import time
import unittest

PATIENCE = 60  # seconds
SKIPPED = 77  # the exit status by which ctest knows a skipped test
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1"]


def missing():
    """What of the browser is not here; nothing where it all is."""
    lacking = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    try:
        import selenium  # noqa: F401
    except ImportError:
        lacking.append("python3-selenium")
    return lacking


@contextlib.contextmanager
def browser(width=1200, height=900):
    """A browser of its own profile; whatever happens it is ended, with its driver."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory() as profile:
        options = Options()
        for flag in [*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"]:
            options.add_argument(flag)
        options.binary_location = shutil.which("chromium")
        # Everything the console says and everything that is asked of a network, to be looked at.
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        try:
            driver.set_page_load_timeout(PATIENCE)
            driver.set_script_timeout(PATIENCE)
            yield driver
        finally:
            driver.quit()


def size(driver, width, height):
    """The size of the page itself, whatever the least window of the system is."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


def scheme(driver, name):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})


def until(holds):
    """Waits for something that a page does a little later. It takes as long as it must: a busy machine is no defect."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"did not come true within {PATIENCE} s")
        time.sleep(0.05)


class PageTest(unittest.TestCase):
    """Pages that a module makes in one folder, seen in one browser."""

    folder = driver = None

    def js(self, code, *args):
        return self.driver.execute_script(code, *args)


def set_up(make_pages):
    """One browser and one set of pages for all tests of a module; both end with them. Called from its setUpModule."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    PageTest.folder = pathlib.Path(folder.name)
    make_pages(PageTest.folder)
    running = browser()
    PageTest.driver = running.__enter__()
    unittest.addModuleCleanup(running.__exit__, None, None, None)
