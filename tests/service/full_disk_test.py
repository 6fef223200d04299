"""A file of SQLite that may not grow: outcomes are refused, decisions go on, and nothing is lost when there is space again."""
import json
import resource
import signal
import subprocess
import time

import server
from server import RESERVES, Server, ServerTest, main


class SmallDisk(Server):
    """A limit on the size of files stands for a disk that is full. It can be lifted while the service runs."""

    def start(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write that is too long fails, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))

        popen = subprocess.Popen
        try:
            server.subprocess.Popen = lambda *a, **k: popen(*a, preexec_fn=limit, restore_signals=False, **k)
            super().start()
        finally:
            server.subprocess.Popen = popen

    def lift(self):
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class FullDisk(ServerTest):
    def setUp(self):
        super().setUp()
        self.server.stop()
        self.server = SmallDisk(self.folder)

    def tell(self, i):
        return self.server.ask("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": [0.3, 0.1 * (i % 7), 0.5]})

    def test_refuses_and_goes_on_when_there_is_space(self):
        self.make("a", RESERVES)
        told = refused = 0
        while refused < 4:  # once the write-ahead log is full, and made short by a new start; then the file is
            status, headers, body = self.tell(told)
            if status == 200:
                told, refused = told + 1, 0
                self.assertLess(told, 2000)
                continue
            refused += 1
            self.assertEqual((status, headers["Retry-After"], json.loads(body)["error"]["code"]), (503, "1", "H821"))
        self.assertGreater(told, 3)
        self.assertEqual(self.server.ask("GET", "/readyz")[0], 503)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision")["round"], told + 1)
        self.server.lift()
        until = time.monotonic() + 20
        while self.server.ask("GET", "/readyz")[0] != 200:  # by itself: clients that see it not ready send nothing
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        for i in range(told + 5):  # the refused one is applied, the others are there
            answer = json.loads(self.tell(i)[2])
            self.assertEqual((answer["accepted"], answer["duplicates"]), (0, 1) if i < told else (1, 0))
        self.assertEqual([line["t"] for line in self.verify()[1:-1]], list(range(1, told + 6)))
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision")["round"], told + 6)


if __name__ == "__main__":
    main()
