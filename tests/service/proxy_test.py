"""`hannan serve` behind nginx and behind Caddy, each started with the file that is shipped for it."""
import gzip
import hashlib
import json
import subprocess
import sys
import threading
import time
import unittest

import server
from postgres import FOLDERS, Cluster
from proxies import SKIPPED, Caddy, Nginx, ProxyTest, SocketServer, missing
from server import RESERVES, Server

SHOP = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 10}}, "cap": 4.0,
        "slots": ["a-bidder-of-some-length-so-that-the-file-is-worth-packing", "*"]}
LIMIT = 8 << 20  # --max-body


def outcome(i):
    return {"id": f"o{i}", "outcome": [0.3, 0.1 * (i % 7), 0.5]}


class ThroughNginx(ProxyTest):
    # How a request that is too long may be sent and still hear why it is refused: its length said before, not said, HTTP/2.
    REFUSED = (["--http1.1"], ["--http1.1", "--header", "Transfer-Encoding: chunked"], ["--http2"])

    def test_decisions_outcomes_and_errors_come_as_the_service_sent_them(self):
        self.json("PUT", "/v1/learners/a", RESERVES, status=201)
        status, headers, body = self.ask("GET", "/v1/learners/a/decision")
        self.assertEqual((status, headers["ETag"], headers["Cache-Control"]), (200, '"g1.1"', "no-store"))
        self.assertEqual(self.ask("GET", "/v1/learners/a/decision", headers={"If-None-Match": headers["ETag"]})[0], 304)
        told = self.json("POST", "/v1/learners/a/outcomes", outcome(0), {"If-Match": '"g1.1"'})
        self.assertEqual((told["accepted"], told["next"]["decision"]), (1, "g1.2"))
        self.assertEqual(self.json("POST", "/v1/learners/a/outcomes", outcome(0))["duplicates"], 1)
        self.assertEqual(self.json("GET", "/v1/learners/a/decisions/g1.1")["action"], json.loads(body)["action"])
        for method, path, sent, headers, status, code in (
                ("GET", "/v1/learners/b", None, {}, 404, "H107"),
                ("PUT", "/v1/learners/a", SHOP, {}, 409, "H801"),
                ("POST", "/v1/learners/a/outcomes", {"id": "o0", "outcome": [0, 0, 0]}, {}, 422, "H802"),
                ("POST", "/v1/learners/a/outcomes", outcome(1), {"If-Match": '"g1.1"'}, 412, "H807"),
                ("POST", "/v1/learners/a/outcomes", {"outcome": [9, 0, 0]}, {}, 400, "H105")):
            self.assertEqual(self.json(method, path, sent, headers, status)["error"]["code"], code)
        self.assertEqual(self.ask("HEAD", "/v1/learners/a/decision")[2], b"")
        self.assertIn(b"<html", self.ask("GET", "/")[2])  # the dashboard
        self.assertEqual(self.ask("DELETE", "/v1/learners/a?purge=true")[0], 204)

    def test_http_2_over_tls(self):
        self.assertEqual(self.curl("/healthz", "--http2", "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}"),
                         "2 200")

    def curl(self, path, *flags):
        done = subprocess.run(["curl", "--silent", "--show-error", "--insecure", *flags, f"https://localhost:{self.proxy.port}{path}"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_what_is_too_large_is_for_the_service_to_say(self):
        self.json("PUT", "/v1/learners/a", RESERVES, status=201)
        rows = "\n".join(json.dumps(outcome(i)) for i in range(10_000))
        told = self.json("POST", "/v1/learners/a/outcomes", rows, {"Content-Type": "application/x-ndjson"})
        self.assertEqual((told["accepted"], told["last"]), (10_000, 10_000))
        last = json.dumps(outcome(10_000))
        told = self.json("POST", "/v1/learners/a/outcomes", last + " " * (LIMIT - len(last)))
        self.assertEqual(told["accepted"], 1)
        (self.folder / "long").write_text(last + " " * (LIMIT + 1 - len(last)))
        for flags in self.REFUSED:
            refused = self.curl("/v1/learners/a/outcomes", "--data-binary", f"@{self.folder}/long", *flags)
            self.assertEqual(json.loads(refused)["error"]["code"], "H208", flags)
        # The record of all that comes whole.
        path = self.folder / "record.jsonl"
        path.write_bytes(self.ask("GET", "/v1/learners/a/record")[2])
        done = subprocess.run([server.BINARY, "verify", str(path)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_events_are_passed_on_one_by_one(self):
        self.json("PUT", "/v1/learners/a", RESERVES, status=201)
        connection = self.proxy.connection(timeout=10)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/learners/a/events")
        stream = connection.getresponse()
        self.assertEqual((stream.status, stream.getheader("Content-Type")), (200, "text/event-stream"))

        def next_round():
            while True:
                line = stream.readline()
                self.assertTrue(line, "the stream ended")
                if line.startswith(b"data: ") and b'"decision"' in line:
                    return json.loads(line[6:])["decision"]["decision"]

        self.assertEqual(next_round(), "g1.1")
        for i in range(5):  # each is there before the next one is sent
            self.json("POST", "/v1/learners/a/outcomes", outcome(i))
            self.assertEqual(next_round(), f"g1.{i + 2}")

    def test_a_decision_is_waited_for(self):
        self.json("PUT", "/v1/learners/a", RESERVES, status=201)
        found = []
        asker = threading.Thread(target=lambda: found.append(self.ask("GET", "/v1/learners/a/decision?after=g1.1&wait=30")))
        asker.start()
        time.sleep(0.5)
        self.assertEqual(found, [])
        self.json("POST", "/v1/learners/a/outcomes", outcome(0))
        asker.join(timeout=20)
        self.assertEqual(json.loads(found[0][2])["decision"], "g1.2")

    def test_nothing_is_lost_or_doubled_when_the_service_is_killed_behind_it(self):
        self.json("PUT", "/v1/learners/a", RESERVES, status=201)
        failed = []

        def client(number):
            connection = self.proxy.connection()
            for i in range(60):
                body = json.dumps({"id": f"{number}-{i}", "outcome": [0.3, 0.1 * (i % 7), 0.5]})
                until = time.monotonic() + 60
                while time.monotonic() < until:
                    connection.request("POST", "/v1/learners/a/outcomes", body)
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status == 200:
                        break
                    if answer.status not in (502, 503):
                        failed.append(answer.status)
                    time.sleep(0.02)
                else:
                    failed.append(f"{number}-{i}")
            connection.close()

        clients = [threading.Thread(target=client, args=(n,)) for n in range(4)]
        for one in clients:
            one.start()
        for _ in range(2):
            time.sleep(0.2)
            self.server.kill()
            self.server.start()
        for one in clients:
            one.join()
        self.assertEqual(failed, [])
        self.assertEqual(self.json("GET", "/v1/learners/a/decision")["decision"], "g1.241")

    def test_floors_have_tags_and_are_packed_where_that_is_asked_for(self):
        self.json("PUT", "/v1/learners/shop", SHOP, status=201)
        path = "/v1/learners/shop/floors.json"
        status, headers, body = self.ask("GET", path)
        self.assertEqual((status, headers["Cache-Control"], headers["Access-Control-Allow-Origin"]), (200, "public, max-age=600", "*"))
        for _ in range(2):
            status, again, nothing = self.ask("GET", path, headers={"If-None-Match": headers["ETag"]})
            self.assertEqual((status, again["ETag"], nothing), (304, headers["ETag"], b""))
            status, packed, bytes_ = self.ask("GET", path, headers={"Accept-Encoding": "gzip"})
            self.assertEqual((status, packed["Content-Encoding"], gzip.decompress(bytes_)), (200, "gzip", body))
            self.assertEqual(self.ask("GET", path)[2], body)
        self.assertEqual(self.ask("GET", path + "?schema=2")[0], 200)
        self.assertNotEqual(self.ask("GET", path + "?schema=2")[2], body)


class ThroughCaddy(ThroughNginx):
    PROXY = Caddy
    REFUSED = (["--http2"],)  # it may reset a connection of HTTP/1.1 whose request it has not read to its end


class WithTokens(ProxyTest):
    """Public floors, and floors that need a token, from one service."""

    def start_service(self):
        tokens = self.folder / "tokens"
        tokens.write_text(hashlib.sha256(b"sesame").hexdigest() + " read,observe,admin * all\n")
        return SocketServer(self.folder, "--tokens", tokens)

    def test_a_file_for_a_token_is_given_to_no_one_else(self):
        key = {"Authorization": "Bearer sesame"}
        self.json("PUT", "/v1/learners/shop", SHOP, key, 201)
        path = "/v1/learners/shop/floors.json"
        self.assertEqual(self.json("GET", path, status=401)["error"]["code"], "H810")
        status, headers, _ = self.ask("GET", path, headers=key)
        self.assertEqual((status, headers["Cache-Control"]), (200, "private, max-age=600"))
        self.assertEqual(self.ask("GET", path, headers={**key, "If-None-Match": headers["ETag"]})[0], 304)
        self.assertEqual(self.ask("GET", path)[0], 401)
        self.json("POST", "/v1/learners/shop/outcomes", {"id": "1", "outcome": [0.5, 0.2]}, key)
        self.assertEqual(self.json("GET", path, headers=key)["modelVersion"], "g1.2")  # from no cache
        self.assertEqual(self.ask("GET", path, headers={"If-None-Match": headers["ETag"]})[0], 401)


class WithTokensThroughCaddy(WithTokens):
    PROXY = Caddy


class CacheOfNginx(ProxyTest):
    def test_floors_are_asked_for_once_and_outlive_the_service(self):
        self.json("PUT", "/v1/learners/shop", {**SHOP, "floors_age": 2}, status=201)
        path = "/v1/learners/shop/floors.json"
        self.assertEqual(self.json("GET", path)["modelVersion"], "g1.1")
        begin = time.monotonic()
        self.json("POST", "/v1/learners/shop/outcomes", {"id": "1", "outcome": [0.5, 0.2]})
        seen = self.json("GET", path)["modelVersion"]
        if time.monotonic() - begin < 1:
            self.assertEqual(seen, "g1.1")
        until = time.monotonic() + 20
        while self.json("GET", path)["modelVersion"] != "g1.2":  # when its time is over
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        self.server.kill()
        time.sleep(2.1)
        for _ in range(3):
            self.assertEqual(self.json("GET", path)["modelVersion"], "g1.2")
        self.assertEqual(self.ask("GET", "/v1/learners/shop/decision")[0], 502)  # no cache for these
        self.server.start()
        self.json("POST", "/v1/learners/shop/outcomes", {"id": "2", "outcome": [0.5, 0.2]})
        until = time.monotonic() + 20
        while self.json("GET", path)["modelVersion"] != "g1.3":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)


@unittest.skipUnless(FOLDERS, "PostgreSQL is not there")
class Nodes(ProxyTest):
    """The proxy stands before one of two nodes; the other one has some of the learners."""
    STATUS = 421

    def start_service(self):
        self.database = self.folder / "database"
        self.database.mkdir()
        cluster = Cluster(str(self.database))
        self.addCleanup(cluster.stop)
        cluster.make_database()
        self.other = Server(self.folder, "--db", cluster.url)
        self.addCleanup(lambda: self.other.process.poll() is None and self.other.kill())
        return SocketServer(self.folder, "--db", cluster.url, "--url", "https://decisions.example.org", *self.FLAGS)

    def test_the_place_of_a_learner_on_another_node_is_said_unchanged(self):
        until = time.monotonic() + 30
        while len(self.json("GET", "/v1/nodes")["nodes"]) < 2 or self.other_has() is None:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        name = self.other_has()
        target = f"/v1/learners/{name}/decision?after=g1.1&wait=0"
        until = time.monotonic() + 30
        while True:
            status, headers, body = self.ask("GET", target)
            if status == self.STATUS or time.monotonic() > until:
                break
            time.sleep(0.1)
        self.assertEqual((status, headers["Location"]), (self.STATUS, f"http://127.0.0.1:{self.other.port}{target}"))
        self.assertEqual((json.loads(body)["error"]["code"], headers["Cache-Control"]), ("H808", "no-store"))
        status, headers, _ = self.ask("POST", f"/v1/learners/{name}/outcomes", outcome(0))
        self.assertEqual((status, headers["Location"]),
                         (self.STATUS, f"http://127.0.0.1:{self.other.port}/v1/learners/{name}/outcomes"))

    def other_has(self):
        """A learner that the other node has made."""
        for i in range(40):
            if self.other.ask("PUT", f"/v1/learners/n{i}", RESERVES)[0] in (200, 201):
                if self.ask("GET", f"/v1/learners/n{i}")[0] == self.STATUS:
                    return f"n{i}"
        return None


class NodesThroughCaddy(Nodes):
    PROXY = Caddy


class RedirectingNodes(Nodes):
    STATUS, FLAGS = 307, ("--redirect",)


class RedirectingNodesThroughCaddy(RedirectingNodes):
    PROXY = Caddy


if __name__ == "__main__":
    lacking = missing()
    if lacking:
        print("not installed, and so not tried:", ", ".join(lacking))
    if len(lacking) == 2:
        sys.exit(SKIPPED)
    server.main()
