"""`hannan serve` over real sockets: the usual loop, waiting, events, limits, tokens, and what hostile clients send."""
import hashlib
import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

import server
from server import RESERVES, Server, ServerTest, main


class UsualLoop(ServerTest):
    def test_decides_learns_and_proves(self):
        self.make()
        for i in range(50):
            now = self.server.json("GET", "/v1/learners/a/decision")
            answer = self.server.json("POST", "/v1/learners/a/outcomes",
                                      {"id": f"o{i}", "decision": now["decision"], "outcome": [0.3, 0.1 * (i % 7), 0.5]})
            self.assertEqual((answer["accepted"], answer["last"]), (1, i + 1))
        self.assertEqual(len(self.verify()), 52)
        report = self.server.json("GET", "/v1/learners/a/report")
        self.assertEqual(report["played"]["drift"], 0)

    def test_a_stop_finishes_and_a_start_goes_on(self):
        self.make()
        self.server.json("POST", "/v1/learners/a/outcomes", {"id": "1", "outcome": [0.3, 0.2, 0.5]})
        before = self.server.ask("GET", "/v1/learners/a/decision")[2]
        status, out, err = self.server.stop()
        self.assertEqual((status, err), (0, ""))
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision")[2], before)

    def test_a_decision_is_cached_by_its_name(self):
        self.make()
        _, headers, _ = self.server.ask("GET", "/v1/learners/a/decision")
        self.assertEqual(headers["ETag"], '"g1.1"')
        status, _, body = self.server.ask("GET", "/v1/learners/a/decision", headers={"If-None-Match": '"g1.1"'})
        self.assertEqual((status, body), (304, b""))

    def test_waits_for_a_newer_decision(self):
        self.make()
        threading.Timer(0.3, lambda: self.server.json("POST", "/v1/learners/a/outcomes",
                                                      {"id": "1", "outcome": [0.3, 0.2, 0.5]})).start()
        begin = time.monotonic()
        answer = self.server.json("GET", "/v1/learners/a/decision?after=g1.1&wait=20")
        self.assertEqual(answer["decision"], "g1.2")
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision?after=g1.2&wait=1")["decision"], "g1.2")

    def test_streams_events_and_goes_on_from_the_last(self):
        self.make()
        self.server.json("POST", "/v1/learners/a/outcomes", {"id": "1", "outcome": [0.3, 0.2, 0.5]})
        connection = self.server.connection(timeout=10)
        connection.request("GET", "/v1/learners/a/events")
        answer = connection.getresponse()
        text = b""
        while b"event: round" not in text or not text.endswith(b"\n\n"):
            text += answer.read1(4096)
        self.assertIn(b"id: 1\n", text)
        connection.close()

    def test_floors_are_for_all_who_may_see_them(self):
        self.make("f", {**RESERVES, "slots": ["x", "y", "*"], "cap": 4.0, "currency": "EUR"})
        status, headers, body = self.server.ask("GET", "/v1/learners/f/floors.json?schema=2")
        floors = json.loads(body)
        self.assertEqual((status, headers["Access-Control-Allow-Origin"], floors["floorsSchemaVersion"]), (200, "*", 2))
        self.assertEqual(floors["modelGroups"][0]["modelVersion"], "g1.1")

    def test_money_is_divided_by_the_cap(self):
        self.make("m", {**RESERVES, "slots": ["x", "y", "*"], "cap": 4.0})
        answer = self.server.json("POST", "/v1/learners/m/outcomes", {"id": "1", "unit": "money", "outcome": [1, 2, 4]})
        self.assertEqual(answer["accepted"], 1)
        record = self.server.ask("GET", "/v1/learners/m/record")[2].splitlines()
        self.assertEqual(json.loads(record[1])["outcome"], [0.25, 0.5, 1])
        status, _, body = self.server.ask("POST", "/v1/learners/m/outcomes",
                                          {"id": "2", "unit": "money", "outcome": [1, 2, 4.1]})
        self.assertEqual((status, json.loads(body)["error"]["code"]), (400, "H205"))

    def test_figures_for_prometheus(self):
        self.make()
        self.server.json("POST", "/v1/learners/a/outcomes", {"id": "1", "outcome": [0.3, 0.2, 0.5]})
        text = self.server.ask("GET", "/metrics")[2].decode()
        self.assertIn('hannan_outcomes_total{result="accepted"} 1\n', text)
        self.assertIn('hannan_learners{status="ready"} 1\n', text)
        for line in text.splitlines():
            if not line.startswith("#"):
                float(line.rpartition(" ")[2])


class ManyClients(ServerTest):
    def test_every_outcome_counts_once_whoever_sends_it(self):
        self.make()
        failures = []

        def client(number):
            connection = self.server.connection()
            for i in range(60):
                body = json.dumps({"id": f"{number}-{i}", "outcome": [0.1, 0.2, 0.01 * i]})
                for _ in range(2):  # each is sent twice, as after an answer that was lost
                    connection.request("POST", "/v1/learners/a/outcomes", body)
                    answer = connection.getresponse()
                    if answer.status != 200:
                        failures.append(answer.read())
                    answer.read()
            connection.close()

        clients = [threading.Thread(target=client, args=(n,)) for n in range(6)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        self.assertEqual(failures, [])
        lines = self.verify()
        self.assertEqual([line["t"] for line in lines[1:-1]], list(range(1, 361)))


class Hostile(ServerTest):
    FLAGS = ("--max-body", "1", "--max-batch", "10")

    def raw(self, data, timeout=20):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=timeout) as connection:
            connection.sendall(data)
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer

    def test_what_is_no_request_gets_one_answer_and_the_service_lives(self):
        for data, status in [(b"nonsense\r\n\r\n", b" 400 "),
                             (b"GET / HTTP/1.1\r\nX: " + b"a" * 40000 + b"\r\n\r\n", b" 431 "),
                             (b"POST /v1/batch HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b" 413 "),
                             (b"GET /v1/learners/%2e%2e/x HTTP/1.1\r\nConnection: close\r\n\r\n", b" 400 ")]:
            self.assertIn(status, self.raw(data).split(b"\r\n")[0], data[:40])
        self.assertEqual(self.server.ask("GET", "/healthz")[0], 200)

    def test_too_many_outcomes_are_refused(self):
        self.make()
        many = {"outcomes": [{"id": str(i), "outcome": [0, 0, 0.5]} for i in range(11)]}
        status, _, body = self.server.ask("POST", "/v1/learners/a/outcomes", many)
        self.assertEqual((status, json.loads(body)["error"]["code"]), (413, "H208"))
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 0)

    def test_clients_that_vanish_leave_nothing_behind(self):
        self.make()
        for _ in range(50):
            connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=10)
            connection.sendall(b"POST /v1/learners/a/outcomes HTTP/1.1\r\nContent-Length: 500\r\n\r\n{")
            connection.close()
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 0)

    def test_a_second_process_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "H209"):
            Server(self.folder)

    def test_a_second_process_is_refused_whatever_link_it_takes(self):
        self.make()
        tell = {"id": "1", "outcome": [0, 0, 0.5]}
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", tell)[0], 200)
        log = self.folder / "log.db"
        (self.folder / "soft.db").symlink_to(log)
        (self.folder / "hard.db").hardlink_to(log)
        for name in ("soft.db", "hard.db"):
            with self.assertRaisesRegex(RuntimeError, "H209.*another process"):
                Server(self.folder, "--db", str(self.folder / name))
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", {**tell, "id": "2"})[0], 200)
        self.server.stop()
        (self.folder / "hard.db").unlink()
        self.server.flags = (*self.FLAGS, "--db", str(self.folder / "soft.db"))
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision")["round"], 3)


class Tokens(ServerTest):
    def setUp(self):
        super().setUp()
        self.server.stop()
        lines = [f"{hashlib.sha256(token.encode()).hexdigest()} {scopes} {pattern} {token}"
                 for token, scopes, pattern in [("root", "read,observe,admin", "*"), ("reader", "read", "shop-*")]]
        self.tokens = self.folder / "tokens.txt"
        self.tokens.write_text("\n".join(lines) + "\n")
        self.server.flags = ("--tokens", str(self.tokens))
        self.server.start()

    def ask(self, token, method, path, body=None):
        return self.server.ask(method, path, body, {"Authorization": "Bearer " + token} if token else {})[0]

    def test_each_token_opens_what_it_names(self):
        self.assertEqual(self.ask(None, "PUT", "/v1/learners/shop-a", RESERVES), 401)
        self.assertEqual(self.ask("wrong", "PUT", "/v1/learners/shop-a", RESERVES), 401)
        self.assertEqual(self.ask("reader", "PUT", "/v1/learners/shop-a", RESERVES), 403)
        self.assertEqual(self.ask("root", "PUT", "/v1/learners/shop-a", RESERVES), 201)
        self.assertEqual(self.ask("root", "PUT", "/v1/learners/other", RESERVES), 201)
        self.assertEqual(self.ask("reader", "GET", "/v1/learners/shop-a/decision"), 200)
        self.assertEqual(self.ask("reader", "GET", "/v1/learners/other/decision"), 403)
        self.assertEqual(self.ask("reader", "POST", "/v1/learners/shop-a/outcomes", {"outcome": [0, 0, 0]}), 403)

    def test_what_several_lines_allow_one_token_adds_up(self):
        for name in ("shop-a", "home", "other"):
            self.assertEqual(self.ask("root", "PUT", "/v1/learners/" + name, RESERVES), 201)
        line = hashlib.sha256(b"two").hexdigest()
        with self.tokens.open("a") as file:
            file.write(f"{line} observe home two\n{line} read shop-* two\n")
        self.server.stop()
        self.server.start()
        # The name of the scheme may be written in any case.
        for scheme in ("Bearer", "bearer", "BEARER"):
            def ask(method, path, body=None):
                return self.server.ask(method, path, body, {"Authorization": scheme + " two"})[0]
            self.assertEqual(ask("GET", "/v1/learners/shop-a/decision"), 200)
            self.assertEqual(ask("POST", "/v1/learners/home/outcomes", {"id": "1", "outcome": [0, 0, 0]}), 200)
            listed = self.server.json("GET", "/v1/learners", headers={"Authorization": scheme + " two"})
            self.assertEqual([one["name"] for one in listed["learners"]], ["shop-a"])
            # Whether there is such a learner is not told.
            self.assertEqual(ask("GET", "/v1/learners/none/decision"), 403)
            self.assertEqual(ask("GET", "/v1/learners/none/floors.json"), 403)
            for method, path in (("GET", "/v1/learners/home/decision"), ("GET", "/v1/learners/other/decision"),
                                 ("GET", "/metrics"), ("DELETE", "/v1/learners/home")):
                self.assertEqual(ask(method, path), 403, path)
            self.assertEqual(ask("POST", "/v1/learners/shop-a/outcomes", {"id": "1", "outcome": [0, 0, 0]}), 403)
        for header in ("Basic two", "Bearer", "Bearertwo", ""):
            self.assertEqual(self.server.ask("GET", "/v1/learners/shop-a", headers={"Authorization": header})[0], 401)

    def test_a_batch_is_for_those_whom_its_learners_are_for(self):
        for name in ("shop-a", "shop-b", "other"):
            self.assertEqual(self.ask("root", "PUT", "/v1/learners/" + name, RESERVES), 201)
        with self.tokens.open("a") as file:
            file.write(f"{hashlib.sha256(b'observer').hexdigest()} observe shop-* observer\n")
        self.server.stop()
        self.server.start()

        def batch(*names, bids=(0, 0, 0.5)):
            return "\n".join(json.dumps({"in": name, "id": "1", "outcome": bids}) for name in names)
        self.assertEqual(self.ask("observer", "POST", "/v1/batch", batch("shop-a", "shop-b")), 200)
        # Of others' learners it learns nothing, not even whether they are there.
        for body in (batch("shop-a", "other"), batch("other", bids=[1]), batch("unknown"), batch("shop-a") + "\n" + batch("unknown")):
            self.assertEqual(self.ask("observer", "POST", "/v1/batch", body), 403, body)
        self.assertEqual(self.ask("observer", "POST", "/v1/batch", batch("shop-unknown")), 404)
        self.assertEqual(self.ask("observer", "POST", "/v1/batch", batch("shop-a") + "\n{" + batch("other")), 400)
        self.assertEqual(self.ask("reader", "POST", "/v1/batch", batch("shop-a")), 403)
        for body in (batch("shop-a"), "", "{"):
            self.assertEqual(self.ask(None, "POST", "/v1/batch", body), 401)
        self.assertEqual(self.ask("root", "POST", "/v1/batch", batch("shop-a", "other")), 200)

    def test_the_file_is_read_again_when_asked(self):
        self.tokens.write_text("")
        self.server.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while self.ask("root", "GET", "/v1/learners") != 401:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


class NewLearners(ServerTest):
    FLAGS = ("--max-learners", "2")

    def test_learners_that_were_ended_leave_room_for_others(self):
        self.make("a")
        self.make("b")
        status, _, body = self.server.ask("PUT", "/v1/learners/c", RESERVES)
        self.assertEqual((status, json.loads(body)["error"]["code"]), (507, "H822"))
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("c")
        self.assertEqual(self.server.ask("PUT", "/v1/learners/a", RESERVES)[0], 507)
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.ask("PUT", "/v1/learners/d", RESERVES)[0], 507)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/b")[0], 204)
        self.make("a")

    def test_two_bidders_have_two_names(self):
        for slots in (["x", "y", "x"], ["*", "x", None]):
            status, _, body = self.server.ask("PUT", "/v1/learners/a", {**RESERVES, "slots": slots})
            error = json.loads(body)["error"]
            self.assertEqual((status, error["code"], error["at"]), (400, "H105", "slots[2]"))
        self.make("a", {**RESERVES, "slots": ["x", "X", "*"]})

    def test_a_learner_with_two_bidders_of_one_name_goes_on(self):
        """As earlier versions made them."""
        body = {**RESERVES, "slots": ["x", "y", "z"]}
        self.make("a", body)
        self.server.stop()
        log = sqlite3.connect(self.folder / "log.db")
        log.execute("update learner set config = replace(config, '\"z\"', '\"x\"')")
        log.commit()
        log.close()
        self.server.start()
        self.assertEqual(self.server.ask("PUT", "/v1/learners/a", {**body, "slots": ["x", "y", "x"]})[0], 200)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", {"id": "1", "outcome": [0, 0, 1]})[0], 200)


class Quarantine(ServerTest):
    def test_is_left_by_a_reset_for_the_decision_that_is_there_alone(self):
        self.make()
        for i in range(3):
            self.server.ask("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": [0, 0, 0.5]})
        self.server.kill()
        log = sqlite3.connect(self.folder / "log.db")
        log.execute("update round set line = replace(line, '\"loss\":', '\"loss\":9') where t = 2")
        log.commit()
        log.close()
        self.server.start()
        # At once, and when it was found to be damaged. No decision of it is known.
        for _ in range(2):
            status, _, body = self.server.ask("POST", "/v1/learners/a/reset", headers={"If-Match": '"g1.4"'})
            self.assertEqual((status, json.loads(body)["error"]["code"]), (412, "H807"))
            self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision")[0], 500)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset")[0], 200)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset", headers={"If-Match": '"g2.9"'})[0], 412)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset", headers={"If-Match": '"g2.1"'})[0], 200)


class OtherPages(ServerTest):
    def test_a_page_of_another_origin_changes_nothing(self):
        self.make()
        tell = {"id": "1", "outcome": [0, 0, 0.5]}
        own = f"http://127.0.0.1:{self.server.port}"
        for origin in ("http://evil.example", "null", "http://127.0.0.1", f"http://localhost:{self.server.port}", own + ".evil.example"):
            for method, path, body in (("POST", "/v1/learners/a/reset", None), ("POST", "/v1/learners/a/outcomes", tell),
                                       ("POST", "/v1/batch", {"in": "a", **tell}), ("DELETE", "/v1/learners/a", None),
                                       ("PUT", "/v1/learners/b", RESERVES)):
                status, _, answer = self.server.ask(method, path, body, {"Origin": origin, "Content-Type": "text/plain"})
                self.assertEqual((status, json.loads(answer)["error"]["code"]), (403, "H812"), (origin, path))
            self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision", headers={"Origin": origin})[0], 200)
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["generation"], 1)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", tell)[0], 200)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset", headers={"Origin": own})[0], 200)
        # A proxy may say another Host; the browser knows.
        behind = {"Origin": "https://shop.example", "Sec-Fetch-Site": "same-origin"}
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset", headers=behind)[0], 200)
        beside = {"Origin": "https://other.shop.example", "Sec-Fetch-Site": "same-site"}
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset", headers=beside)[0], 403)


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refusal(self, listen, database="x.db", *flags):
        binary = pathlib.Path(server.BINARY).resolve()
        return subprocess.run([binary, "serve", "--db", database, "--listen", listen, *flags], cwd=self.folder,
                              capture_output=True, text=True, timeout=20)

    def test_a_log_that_is_not_on_disk_is_refused(self):
        for name in ("", ":memory:", "file::memory:", "file:x.db?mode=memory", "file:x.db"):
            for flags in ((name,), ("x.db", "--copy-from", name)) if name else ((name,),):
                done = self.refusal("127.0.0.1:0", *flags)
                self.assertEqual(done.returncode, 2, (flags, done.stderr))
                self.assertIn("H100", done.stderr)
                self.assertIn("path of a file", done.stderr)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"x.db", "x.db.lock"})

    def test_a_socket_has_a_path(self):
        done = self.refusal("unix:")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("H100", done.stderr)

    def test_other_machines_need_tokens(self):
        done = self.refusal("0.0.0.0:0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("H100", done.stderr)

    def test_a_file_that_is_no_socket_is_kept(self):
        file = self.folder / "prices.csv"
        file.write_text("0.5\n")
        done = self.refusal(f"unix:{file}")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no socket", done.stderr)
        self.assertEqual(file.read_text(), "0.5\n")

    def test_a_socket_in_use_is_kept_and_one_that_was_left_is_not_in_the_way(self):
        path = self.folder / "s"
        with socket.socket(socket.AF_UNIX) as used:
            used.bind(str(path))
            used.listen()
            done = self.refusal(f"unix:{path}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("listens to", done.stderr)
            self.assertTrue(path.exists())
        process = subprocess.Popen([server.BINARY, "serve", "--db", self.folder / "x.db", "--listen", f"unix:{path}"],
                                   stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("unix:", process.stdout.readline())
        finally:
            process.terminate()
            process.communicate(timeout=60)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    main()
