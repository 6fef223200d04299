"""Clients that are many, slow, gone, or up to no good: the service answers each with one error, or none, and goes on."""
import hashlib
import json
import os
import pathlib
import re
import resource
import selectors
import socket
import time

from server import RESERVES, ServerTest, main

# As many connections as this process and the service may have, at most 10,000.
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
MANY = 10_000 if HARD == resource.RLIM_INFINITY else min(10_000, HARD - 400)


def seconds_of(process):
    """CPU time of a process so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class RawTest(ServerTest):
    def open(self, data=b""):
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
        self.addCleanup(connection.close)
        connection.sendall(data)
        return connection

    def raw(self, data):
        with self.open(data) as connection:
            answer = b""
            try:
                while part := connection.recv(65536):
                    answer += part
            except ConnectionResetError:
                pass
            return answer

    def status(self, data):
        first = self.raw(data).split(b"\r\n")[0]
        return int(first.split()[1]) if first else None

    def alive(self):
        self.assertEqual(self.server.ask("GET", "/healthz")[0], 200)


class ManyConnections(RawTest):
    FLAGS = ("--connections", str(MANY), "--threads", "1")

    def setUp(self):
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (HARD, HARD))
        self.addCleanup(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, soft))
        super().setUp()

    def test_all_wait_at_no_cost_and_are_answered_at_once_and_one_more_is_told(self):
        self.make()
        ask = b"GET /v1/learners/a/decision?after=g1.1&wait=120 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        tell = self.server.connection(timeout=60)
        tell.connect()
        chosen = selectors.DefaultSelector()
        self.addCleanup(chosen.close)
        for _ in range(MANY - 1):
            chosen.register(self.open(ask), selectors.EVENT_READ)
        time.sleep(1)
        refused = self.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertIn(b" 503 ", refused.split(b"\r\n")[0])
        self.assertIn(b"H821", refused)
        self.assertIn(b"Retry-After: 1", refused)
        before = seconds_of(self.server.process)
        time.sleep(1)
        self.assertLess(seconds_of(self.server.process) - before, 0.3)
        self.assertEqual(chosen.select(timeout=0), [])
        tell.request("POST", "/v1/learners/a/outcomes", json.dumps({"id": "1", "outcome": [0.3, 0.2, 0.5]}))
        self.assertEqual(tell.getresponse().status, 200)
        left, deadline = MANY - 1, time.monotonic() + 60
        while left:
            self.assertLess(time.monotonic(), deadline, f"{left} were not answered")
            for key, _ in chosen.select(timeout=1):
                answer = key.fileobj.recv(65536)
                self.assertIn(b'"decision":"g1.2"', answer)
                chosen.unregister(key.fileobj)
                key.fileobj.close()
                left -= 1
        self.alive()


class Waiting(RawTest):
    FLAGS = ("--connections", "20")

    def test_clients_that_left_while_they_waited_leave_room_for_others(self):
        self.make()
        for path in ("/v1/learners/a/decision?after=g1.1&wait=300", "/v1/learners/a/events"):
            for _ in range(60):  # three times as many as may be open
                self.open(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()).close()
                time.sleep(0.01)
            deadline = time.monotonic() + 20
            while self.status(b"GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n") != 200:
                self.assertLess(time.monotonic(), deadline)

    def test_a_stop_does_not_wait_for_those_who_wait(self):
        self.make()
        for path in ("/v1/learners/a/decision?after=g1.1&wait=300", "/v1/learners/a/events"):
            self.open(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.3)
        begin = time.monotonic()
        self.assertEqual(self.server.stop()[0], 0)
        self.assertLess(time.monotonic() - begin, 8)

    def test_a_reset_and_an_end_wake_those_who_wait(self):
        self.make()
        ask = b"GET /v1/learners/a/decision?after=g%d.1&wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        first = self.open(ask % 1)
        time.sleep(0.2)
        self.server.json("POST", "/v1/learners/a/reset")
        self.assertIn(b'"decision":"g2.1"', first.recv(65536))
        second = self.open(ask % 2)
        time.sleep(0.2)
        self.server.ask("DELETE", "/v1/learners/a")
        self.assertIn(b" 404 ", second.recv(65536))

    def test_events_come_soon_and_at_most_ten_a_second(self):
        self.make()
        events = self.open(b"GET /v1/learners/a/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.5)
        events.recv(65536)
        begin = time.monotonic()
        self.server.json("POST", "/v1/learners/a/outcomes", {"id": "0", "outcome": [0, 0, 0.5]})
        self.assertIn(b"event: round", events.recv(65536))
        self.assertLess(time.monotonic() - begin, 10)
        tell = self.server.connection()
        begin, told = time.monotonic(), 1
        while time.monotonic() - begin < 2:
            tell.request("POST", "/v1/learners/a/outcomes", json.dumps({"id": str(told), "outcome": [0, 0, 0.5]}))
            tell.getresponse().read()
            told += 1
        events.settimeout(5)
        text = b""
        while b"id: %d\n" % told not in text:
            text += events.recv(65536)
        self.assertLess(text.count(b"event: round"), 10 * (time.monotonic() - begin) + 2)


class Slow(RawTest):
    def test_slow_clients_are_ended_and_do_not_hold_up_others(self):
        self.make()
        header = [self.open(b"GET /healthz HTT") for _ in range(50)]
        body = [self.open(b"POST /v1/learners/a/outcomes HTTP/1.1\r\nContent-Length: 50\r\n\r\n{") for _ in range(50)]
        begin = time.monotonic()
        for i in range(20):
            self.server.json("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": [0, 0, 0.5]})
        self.assertLess(time.monotonic() - begin, 10)
        time.sleep(5)
        for connection in header:  # a byte now and then does not help: the time is that of the whole header
            connection.sendall(b"P")
        self.assertIn(b" 408 ", header[0].recv(65536))
        self.assertLess(time.monotonic() - begin, 25)
        for connection in body:
            connection.close()
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 20)

    def test_replies_that_are_taken_a_part_at_a_time_are_whole(self):
        whole = self.server.ask("GET", "/")[2]
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.settimeout(20)
            slow.connect(("127.0.0.1", self.server.port))
            one = b"GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
            slow.sendall(one % b"" * 99 + one % b"Connection: close\r\n")
            time.sleep(0.2)  # until neither end takes more
            answers = b""
            while part := slow.recv(65536):
                answers += part
        self.assertEqual(answers.count(whole), 100)

    def test_a_reader_that_does_not_read_does_not_hold_up_the_writer(self):
        self.make()
        lines = "".join(json.dumps({"id": str(i), "outcome": [0.125, 0.25, i % 7 / 8]}) + "\n" for i in range(2000))
        self.server.ask("POST", "/v1/learners/a/outcomes", lines, {"Content-Type": "application/x-ndjson"})
        stuck = [self.open(b"GET /v1/learners/a/record HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(20)]
        begin = time.monotonic()
        for i in range(20):
            told = self.server.json("POST", "/v1/learners/a/outcomes", {"id": f"n{i}", "outcome": [0, 0, 0.5]})
            self.assertEqual(told["accepted"], 1)
        self.assertLess(time.monotonic() - begin, 10)
        for connection in stuck:
            connection.close()


class Malformed(RawTest):
    FLAGS = ("--max-body", "1")

    def test_header_bombs_and_requests_that_are_two(self):
        line = b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\n"
        cases = {
            b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n": {400, 431},
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n": {431},
            b"GET / HTTP/1.1\r\nX: " + b"\x00" * 10 + b"\r\n\r\n": {400},
            line + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n": {400},
            line + b"Content-Length: -1\r\n\r\n": {400},
            line + b"Content-Length: 99999999999999999999999\r\n\r\n": {400, 413},
            line + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": {400},
            line + b"Transfer-Encoding: chunked\r\n\r\n200000\r\n" + b"a" * 0x200000 + b"\r\n0\r\n\r\n": {413},
            line + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n": {400, 413},
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03": {400, 408, None},  # TLS
            b"GET / HTTP/9.9\r\n\r\n": {400},
            b"GET / HTTP/1.1\r\n\r\n": {400},
            b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n": {400},
            b"GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n": {403},
            b"GET / HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n": {200},
            line + b"Transfer-Encoding: gzip\r\n\r\n": {400},
            line + b"Sec-Fetch-Site: cross-site\r\nConnection: close\r\nContent-Length: 0\r\n\r\n": {403},
            b"GET /v1/learners?limt=3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n": {400},
        }
        for data, wanted in cases.items():
            self.assertIn(self.status(data), wanted, data[:70])
            self.alive()

    def test_half_requests_change_nothing(self):
        self.make()
        whole = (b'POST /v1/learners/a/outcomes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 34\r\n\r\n'
                 b'{"id":"1","outcome":[0.5,0.5,0.5]}')
        for cut in range(0, len(whole), 9):
            self.open(whole[:cut]).close()
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 0)
        self.assertEqual(self.status(whole), 200)

    def test_requests_sent_at_once_are_answered_in_turn(self):
        paths = [b"/healthz", b"/v1/learners/none"] * 1000  # more bytes than are read at once
        last = b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answers = self.raw(b"".join(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path for path in paths) + last)
        self.assertEqual(re.findall(rb"HTTP/1.1 (\d+) ", answers), [b"200", b"404"] * 1000 + [b"200"])
        self.assertTrue(answers.endswith(b"\r\n\r\n"), "the reply to HEAD has a body")

    def test_path_tricks_reach_nothing(self):
        for path, wanted in {"/v1/learners/../../etc/passwd": {400}, "/v1/learners/%2e%2e/state": {400},
                             "/v1/learners/a%2fb": {404}, "/v1/learners/a%00": {400}, "/v1//learners": {400},
                             "/v1/learners/%zz": {400}, "/v1/learners/a%": {400}, "//": {400}, "*": {400},
                             "http://elsewhere/v1": {400}, "/v1/learners/a/state/": {404, 400},
                             "/V1/learners": {404}, "/v1/learners/a'--": {404},
                             "/v1/learners/%22%3Cscript%3E": {404}}.items():
            data = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            self.assertIn(self.status(data), wanted, path)

    def test_names_and_tags_of_others_stay_data(self):
        for name in ("%3Cimg%20src=x%3E", "a'%20or%201=1", "a;drop%20table%20round", "%22", "a" * 65, "..", "%C3%A9"):
            self.assertEqual(self.server.ask("PUT", f"/v1/learners/{name}", RESERVES)[0], 400, name)
        injected = "</script><script>alert(1)</script>"
        self.make("a", {**RESERVES, "tags": {injected: injected}})
        told = {"id": "'); drop table round; --\u2028\"", "outcome": [0, 0, 0.5]}
        self.assertEqual(self.server.json("POST", "/v1/learners/a/outcomes", told)["accepted"], 1)
        self.assertEqual(self.server.json("POST", "/v1/learners/a/outcomes", told)["duplicates"], 1)
        status, headers, body = self.server.ask("GET", "/v1/learners/a")
        self.assertEqual((status, headers["Content-Type"], headers["X-Content-Type-Options"]),
                         (200, "application/json", "nosniff"))
        self.assertEqual(json.loads(body)["tags"], {injected: injected})
        self.assertNotIn(injected, self.server.ask("GET", "/")[2].decode())
        self.assertNotIn("<script>", self.server.ask("GET", "/metrics")[2].decode())


class WrongTokens(RawTest):
    def setUp(self):
        super().setUp()
        self.server.stop()
        self.digest = hashlib.sha256(b"secret").hexdigest()
        tokens = self.folder / "tokens.txt"
        tokens.write_text(f"{self.digest} read,observe,admin * root\n{hashlib.sha256(b'').hexdigest()} read x* none\n")
        self.server.flags = ("--tokens", str(tokens))
        self.server.start()

    def test_only_the_token_opens(self):
        for value in ("secret", "Bearer", "Bearer ", "Bearer  secret", "Bearer secret ", "Bearer Secret", "Basic secret",
                      f"Bearer {self.digest}", "Bearer secretsecret", "Bearer " + "s" * 10_000, "Bearer secret, Bearer x"):
            status, headers, _ = self.server.ask("GET", "/v1/learners", headers={"Authorization": value})
            # White space around a header's value is not part of it.
            self.assertEqual(status, 200 if value == "Bearer secret " else 401, value[:40])
            if status == 401:
                self.assertEqual(headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(self.server.ask("GET", "/v1/learners", headers={"Authorization": "Bearer secret"})[0], 200)
        self.assertEqual(self.server.ask("GET", "/v1/learners?token=secret")[0], 401)
        self.assertEqual(self.server.ask("GET", "/healthz")[0], 200)


if __name__ == "__main__":
    main()
