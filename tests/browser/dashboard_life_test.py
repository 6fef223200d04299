"""The dashboard with a thousand learners, with a service that is killed and started again, and with tokens."""
import hashlib
import http.server
import json
import signal
import threading

import chromium
from chromium import until
from dashboard import Dashboard, HOME, bids, main, tell

ELEMENTS_OF_A_ROW = 40


class Thousand(Dashboard):
    @classmethod
    def fill(cls, service):
        body = json.dumps({"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 4}}, "slots": ["dsp1", "*"], "cap": 5, "currency": "USD",
                           "tags": {"site": "news", "team": "yield", "country": "de", "format": "banner"}})
        connection = service.connection()
        for i in range(1000):
            connection.request("PUT", f"/v1/learners/learner-{i:04d}", body)
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()
            answer.read()
        lines = "".join(json.dumps({"in": f"learner-{i:04d}", "id": str(k), "outcome": [0.2 + 0.1 * k, 0.7]}) + "\n" for i in range(1000) for k in range(5))
        connection.request("POST", "/v1/batch", lines, {"Content-Type": "application/x-ndjson"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        connection.close()

    def test_a_thousand_learners_without_lag(self):
        rows = lambda: self.js("return document.querySelectorAll('.list tbody tr').length")  # noqa: E731
        self.open()
        self.says("#count", "1,000 of 1,000 learners")
        self.assertEqual(rows(), 200)
        self.js("document.querySelector('#find').value = '0777'; document.querySelector('#find').dispatchEvent(new Event('input'))")
        self.says("#count", "1 of 1,000")
        self.assertEqual(rows(), 1)
        self.js("document.querySelector('#find').value = ''; document.querySelector('#find').dispatchEvent(new Event('input'))")
        self.says("#count", "1,000 of 1,000")
        for shown in (400, 600, 800, 1000):
            self.js("document.querySelector('.more button').click()")
            until(lambda: rows() == shown)
        self.assertTrue(self.js("return document.querySelector('.more button').hidden"))
        # Nothing that is asked for is large, nor what is drawn of it.
        sizes = self.js("return performance.getEntriesByType('resource').map((e) => [e.name, e.decodedBodySize])")
        lists = [size for name, size in sizes if "learners?" in name]
        self.assertTrue(lists)
        self.assertLess(max(lists), 200_000)
        inside = self.js("return document.querySelectorAll('.list tbody tr *').length")
        self.assertLess(inside, 1000 * ELEMENTS_OF_A_ROW)



class Killed(Dashboard):
    @classmethod
    def fill(cls, service):
        service.json("PUT", "/v1/learners/home", HOME)
        tell(service, "home", [bids(cls.coins) for _ in range(150)])

    def test_a_service_that_is_killed_and_started_again(self):
        for path, here in (("#/home", ".lede"), ("", ".list")):
            rounds = self.service.json("GET", "/v1/learners/home")["rounds"]
            self.open(path)
            self.says(here, f"{rounds:,}")
            self.js("window.same = true")
            port = self.service.port
            self.service.kill()
            self.says("#banner", "Connection lost")
            self.assertTrue(self.js("return document.getElementById('main').classList.contains('old')"))
            self.says("#health", "No answer")
            self.assertIn(f"{rounds:,}", self.text(here))  # old figures stay
            self.assertIn("Trying again in", self.text("#banner"))
            self.service.start(port)
            self.js("document.querySelector('#banner button')?.click()")
            self.says("#banner", "The service is back")
            self.assertFalse(self.js("return document.getElementById('main').classList.contains('old')"))
            tell(self.service, "home", [bids(self.coins) for _ in range(25)], first=rounds + 1)
            self.says(here, f"{rounds + 25:,}")
            if path:
                self.says(".multi", "the service was away for")
            until(lambda: self.js("return document.getElementById('banner').hidden"))
            self.assertTrue(self.js("return window.same"), "the page was not loaded again")

    def test_a_service_that_stands_still_is_noticed_and_found_again(self):
        self.open("#/home")
        self.says("#health", "Healthy")
        self.assertLessEqual(self.js("return HEALTH_EVERY + TICK + HEALTH_TIMEOUT"), 5000)
        self.service.process.send_signal(signal.SIGSTOP)
        try:
            self.says("#banner", "Connection lost")
        finally:
            self.service.process.send_signal(signal.SIGCONT)
        self.says("#banner", "The service is back")


class Tokens(Dashboard):
    @classmethod
    def prepare(cls, folder):
        lines = [f"{hashlib.sha256(text.encode()).hexdigest()} {scopes} {pattern} x\n" for text, scopes, pattern in (("all", "admin", "*"), ("some", "read", "home*"))]
        (folder / "tokens").write_text("".join(lines))
        cls.FLAGS = ("--tokens", str(folder / "tokens"))

    @classmethod
    def fill(cls, service):
        status, _, answer = service.ask("PUT", "/v1/learners/home", HOME, {"Authorization": "Bearer all"})
        assert status == 201, answer

    def give(self, text):
        self.js("document.querySelector('#token').value = arguments[0]; document.querySelector('#token').form.requestSubmit()", text)

    def test_a_token_is_asked_for_and_never_in_an_address(self):
        self.open()
        self.says("h1", "This service asks for a token")
        self.assertEqual(self.js("return document.activeElement.id"), "token")
        self.assertNotIn("home", self.service.ask("GET", "/")[2].decode().split("<main")[1].split("</main>")[0])
        self.give("wrong")
        self.says("h1", "This token is not known here")
        self.give("some")  # lists the learners that it is for
        self.says("#count", "1 of 1 learner")
        self.open("#/home")
        self.says("h1", "No auction has been played")
        self.js("sessionStorage.clear()")
        self.open()
        self.says("h1", "This service asks for a token")
        self.give("all")
        self.says("#count", "1 of 1 learner")
        self.open("#/home")
        self.says("h1", "No auction has been played")
        service = self.service.ask("POST", "/v1/learners/home/outcomes", {"id": "1", "outcome": [0.2, 0.3, 0.1]}, {"Authorization": "Bearer all"})
        self.assertEqual(service[0], 200)
        self.says("h1", "1 auction is too few")  # events carry the token too
        for text in ("all", "some", "wrong"):
            self.assertEqual([url for url in self.requests() if text in url.partition("?")[2]], [])
        self.assertEqual(self.js("return [Object.keys(localStorage).length, document.cookie]"), [0, ""])

    def test_starting_again_needs_the_name(self):
        self.open()
        self.js("sessionStorage.setItem('hannan-token', 'all')")
        self.open("#/home")
        until(lambda: self.js("return Boolean(document.querySelector('details.fold'))"))
        self.js("document.querySelector('details.fold').open = true")
        form = "document.querySelector('#reset-name')"
        self.js(f"{form}.value = 'hom'; {form}.dispatchEvent(new Event('input'))")
        self.assertTrue(self.js(f"return {form}.form.querySelector('button').disabled"))
        self.js(f"{form}.value = 'home'; {form}.dispatchEvent(new Event('input')); {form}.form.requestSubmit()")
        self.says("details.fold", "a new generation has begun")
        answer = json.loads(self.service.ask("GET", "/v1/learners/home", headers={"Authorization": "Bearer all"})[2])
        self.assertEqual((answer["generation"], answer["rounds"]), (2, 0))


class BlankPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class OtherPages(Dashboard):
    @classmethod
    def fill(cls, service):
        service.json("PUT", "/v1/learners/home", HOME)

    def test_its_own_page_starts_a_learner_again_and_another_does_not(self):
        generation = lambda: self.service.json("GET", "/v1/learners/home")["generation"]  # noqa: E731
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), BlankPage)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{self.service.port}/v1/learners/home/reset"
        send = "return fetch(arguments[0], {method: 'POST', mode: 'no-cors'}).then((answer) => answer.type)"
        self.driver.get(f"http://127.0.0.1:{other.server_port}/")
        self.assertEqual(self.js(send, address), "opaque")
        self.assertEqual(generation(), 1)
        self.open("#/home")
        self.assertEqual(self.js(send, address), "basic")
        self.assertEqual(generation(), 2)


def setUpModule():
    chromium.set_up(lambda folder: None)


if __name__ == "__main__":
    main()
