"""What tests of the dashboard share: a service with learners and a browser that looks at it."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

import chromium
from chromium import until

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "service"))
import server  # noqa: E402  (it reads the path of the program from the arguments)

HOME = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 3, "levels": 8}}, "slots": ["dsp1", "dsp2", "*"],
        "cap": 5.0, "currency": "USD", "tags": {"site": "news"}}


def bids(coins):
    return [round(coins.betavariate(2, 4), 6) if coins.random() < 0.8 else 0 for _ in range(3)]


def tell(service, name, outcomes, first=1):
    body = {"outcomes": [{"id": f"a{first + i}", "outcome": outcome} for i, outcome in enumerate(outcomes)]}
    answer = service.json("POST", f"/v1/learners/{name}/outcomes", body)
    assert answer.get("accepted") == len(outcomes), answer


class Dashboard(chromium.PageTest):
    FLAGS = ()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.coins = random.Random(5)
        cls.place = pathlib.Path(folder.name)
        cls.prepare(cls.place)
        cls.service = server.Server(folder.name, *cls.FLAGS)
        cls.addClassCleanup(lambda: cls.service.process.poll() is None and cls.service.kill())
        cls.fill(cls.service)

    @classmethod
    def prepare(cls, folder):
        pass

    @classmethod
    def fill(cls, service):
        pass

    def open(self, path="", width=1280, height=900, scheme="light"):
        chromium.size(self.driver, width, height)
        chromium.scheme(self.driver, scheme)
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(f"http://127.0.0.1:{self.service.port}/{path}")

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector).replace("\u00a0", " ")

    def says(self, selector, part):
        try:
            until(lambda: part in self.text(selector))
        except AssertionError:
            self.fail(f"{selector} says {self.text(selector)[:500]!r}, expected {part!r} in it")

    def key(self, name):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        ActionChains(self.driver).send_keys(getattr(Keys, name, name)).perform()

    def requests(self):
        """Addresses that were asked for since the page was opened."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found


def main():
    if chromium.missing():
        print("SKIPPED: no browser to test pages in; missing:", ", ".join(chromium.missing()), "(scripts/setup --tests installs them)")
        sys.exit(chromium.SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
