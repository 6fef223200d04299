"""The log in PostgreSQL: a server of the test's own, on a socket in its folder, stopped and started under load."""
import glob
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from server import Server, ServerTest, main

FOLDERS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))


class Cluster:
    """PostgreSQL does not run as root: there the user `postgres` of its package runs it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.prefix:
            subprocess.run(["chown", "postgres", folder], check=True)
        self.run("initdb", "-D", self.data, "-U", "hannan", "--auth=trust", "-E", "UTF8", "--no-sync")
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def run(self, name, *arguments):
        subprocess.run([*self.prefix, f"{FOLDERS[-1]}/{name}", *arguments], check=True, timeout=120, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def start(self):
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", str(self.folder / "log"), "-o",
                 f"-c listen_addresses='' -k {self.folder}")

    def stop(self):
        self.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", self.data)

    @property
    def url(self):
        return f"postgresql:///postgres?host={self.folder}&user=hannan"


class PostgresServer(Server):
    def __init__(self, folder, url, *flags):
        self.url = url
        super().__init__(folder, *flags)

    def start(self):
        self.flags = tuple(f for f in self.flags if f not in ("--db", self.url)) + ("--db", self.url)
        super().start()


@unittest.skipUnless(FOLDERS, "PostgreSQL is not there")
class Postgres(ServerTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        cluster = tempfile.TemporaryDirectory()
        self.addCleanup(cluster.cleanup)
        self.cluster = Cluster(cluster.name)
        self.addCleanup(self.cluster.stop)
        self.server = PostgresServer(folder.name, self.cluster.url)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def tell(self, i):
        return self.server.ask("POST", "/v1/learners/a/outcomes",
                               {"id": f"o{i} \"\\'", "outcome": [0.3, 0.1 * (i % 7), 0.5]})

    def test_survives_kills_and_moves_between_stores(self):
        self.make()
        for i in range(30):
            self.assertEqual(self.tell(i)[0], 200)
            if i % 10 == 9:
                self.server.kill()
                self.server.start()
        self.assertEqual(json.loads(self.tell(3)[2])["duplicates"], 1)
        self.assertEqual(len(self.verify()), 32)
        before = self.server.ask("GET", "/v1/learners/a/record")[2]
        with self.assertRaisesRegex(RuntimeError, "H209"):
            PostgresServer(self.folder, self.cluster.url)
        self.server.stop()
        moved = Server(self.folder, "--copy-from", self.cluster.url)
        self.addCleanup(lambda: moved.process.poll() is None and moved.kill())
        self.server = moved
        self.assertEqual(moved.ask("GET", "/v1/learners/a/record")[2], before)
        self.assertEqual(self.tell(30)[0], 200)
        self.assertEqual(len(self.verify()), 33)

    def test_goes_on_when_the_database_comes_back(self):
        self.make()
        self.assertEqual(self.tell(0)[0], 200)
        self.cluster.stop()
        status, _, body = self.tell(1)
        self.assertEqual((status, json.loads(body)["error"]["code"]), (503, "H821"))
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision")[0], 200)  # from memory
        self.cluster.start()
        deadline = time.monotonic() + 30
        while self.tell(1)[0] != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertEqual([line.get("t") for line in self.verify()][1:-1], [1, 2])


if __name__ == "__main__":
    main()
