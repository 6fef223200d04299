"""A PostgreSQL server of a test's own, on a socket in its folder, and nodes of the service on it."""
import glob
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from server import Server, ServerTest

FOLDERS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))


class Cluster:
    """PostgreSQL does not run as root: there the user `postgres` of its package runs it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.prefix:
            subprocess.run(["chown", "postgres", folder], check=True)
        self.databases = 0
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

    def make_database(self):
        """A new one, which the calls below are about from now on."""
        self.ask(f"create database d{self.databases + 1}", "postgres")
        self.databases += 1

    @property
    def database(self):
        return f"d{self.databases}"

    def ask(self, sql, database=None):
        """The rows of an answer, a list of texts each."""
        done = subprocess.run([f"{FOLDERS[-1]}/psql", "-h", self.folder, "-U", "hannan", "-d", database or self.database, "-X", "-q", "-A",
                               "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql], check=True, capture_output=True,
                              text=True, timeout=60)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def url_at(self, folder):
        return f"postgresql:///{self.database}?host={folder}&user=hannan"

    @property
    def url(self):
        return self.url_at(self.folder)


class PostgresServer(Server):
    def __init__(self, folder, url, *flags):
        self.url = url
        super().__init__(folder, *flags)

    def start(self):
        self.flags = tuple(f for f in self.flags if f not in ("--db", self.url)) + ("--db", self.url)
        super().start()


@unittest.skipUnless(FOLDERS, "PostgreSQL is not there")
class PostgresTest(ServerTest):
    """Without a server yet: node() starts one on a database of the test's own."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(folder.name)
        cls.addClassCleanup(lambda: (cls.cluster.folder / "data" / "postmaster.pid").exists() and cls.cluster.stop())

    def setUp(self):
        self.folder = self.temporary_folder()
        self.cluster.make_database()

    def temporary_folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def node(self, *flags, url=None):
        server = PostgresServer(self.folder, url or self.cluster.url, *flags)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def wait_for(self, condition, seconds, what):
        """Asks again and again; the seconds it took."""
        begin = time.monotonic()
        while not condition():
            self.assertLess(time.monotonic() - begin, seconds, what)
            time.sleep(0.02)
        return time.monotonic() - begin
