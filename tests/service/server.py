"""The service as a client meets it: started on a free port of this machine, and stopped by its process id."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

BINARY = sys.argv[1] if len(sys.argv) > 1 else "hannan"
# Seconds after which something hangs. Long work has a low priority: beside four busy programs a test of long requests took 12 times as long.
PATIENCE = 240
RESERVES = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 3, "levels": 10}},
            "learner": {"params": {"track": "powers"}}}


def ask(connection, method, path, body=None, headers=None):
    """Status, headers, whose names may be written in any case, and body of the answer to one request."""
    try:
        text = body if isinstance(body, (str, bytes)) or body is None else json.dumps(body)
        connection.request(method, path, text, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Server:
    def __init__(self, folder, *flags):
        self.folder, self.flags, self.process, self.port = pathlib.Path(folder), flags, None, 0
        self.start()

    def start(self, port=0):
        """On a free port, or on this one: that of the process before, for those who come back to it."""
        database = [] if "--db" in self.flags or "HANNAN_DB" in os.environ else ["--db", str(self.folder / "log.db")]
        self.process = subprocess.Popen([BINARY, "serve", *database, "--listen", f"127.0.0.1:{port}", *self.flags],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if line.startswith("hannan: copied"):
            line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise RuntimeError("the service did not start: " + line + self.process.communicate(timeout=PATIENCE)[1])
        self.port = int(found[1])

    def connection(self, timeout=PATIENCE):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None):
        status, found, answer = ask(self.connection(), method, path, body, headers)
        return status, dict(found), answer

    def json(self, method, path, body=None, headers=None):
        return json.loads(self.ask(method, path, body, headers)[2])

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


class ServerTest(unittest.TestCase):
    FLAGS = ()
    VERIFY_SECONDS = 120

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = Server(folder.name, *self.FLAGS)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def make(self, name="a", body=None):
        status, _, answer = self.server.ask("PUT", "/v1/learners/" + name, body or RESERVES)
        self.assertEqual(status, 201, answer)

    def verified(self, name="a", *earlier):
        """What `hannan verify` ends with and says of a learner's record, alone or with the earlier parts before it, and its lines."""
        status, _, record = self.server.ask("GET", f"/v1/learners/{name}/record")
        self.assertEqual(status, 200)
        path = self.folder / "record.jsonl"
        path.write_bytes(record)
        done = subprocess.run([BINARY, "verify", *map(str, earlier), str(path)], capture_output=True, text=True,
                              timeout=self.VERIFY_SECONDS)
        return done.returncode, done.stdout + done.stderr, [json.loads(line) for line in record.splitlines()]

    def verify(self, name="a", *earlier):
        """The lines of its record, which verifies."""
        status, said, lines = self.verified(name, *earlier)
        self.assertEqual(status, 0, said)
        return lines


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
