"""Secrets come from files and the environment, never from arguments, and no message has one; --check-config says what a start
would find and changes nothing."""
import hashlib
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

import server
from postgres import PostgresTest
from server import RESERVES, Server, ask, main

SECRET = "s3cr3t-w0rd"
TOKEN_LINE = hashlib.sha256(b"T").hexdigest() + " read,observe,admin * all\n"


def run(*words, **environment):
    """The program, which ends by itself: status and all that it printed."""
    names = {k: v for k, v in os.environ.items() if not k.startswith("HANNAN_")}
    done = subprocess.run([server.BINARY, "serve", *map(str, words)], capture_output=True, text=True, timeout=60, env={**names, **environment})
    return done.returncode, done.stdout + done.stderr


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, text, mode=0o600):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def check(self, *words, status=0, **environment):
        found, text = run("--check-config", *words, **environment)
        self.assertEqual(found, status, text)
        self.assertNotIn(SECRET, text)
        for line in text.splitlines():
            self.assertRegex(line, r"^(ok|warning|error) (--[a-z-]+|learners.*): \S")
        return text


class Secrets(FolderTest):
    def test_a_password_in_an_argument_is_refused_in_every_spelling(self):
        for flag in ("--db", "--copy-from"):
            for address in (f"postgresql://me:{SECRET}@127.0.0.1:1/x", f"postgres://me:{SECRET}@127.0.0.1:1/x",
                            f"postgresql://127.0.0.1:1/x?user=me&password={SECRET}", f"postgresql:///x?pass%77ord={SECRET}",
                            f"postgresql:///x?sslpassword={SECRET}"):
                with self.subTest(address):
                    status, text = run(flag, address, *(("--db", self.folder / "log.db") if flag != "--db" else ()))
                    self.assertEqual(status, 2, text)
                    self.assertRegex(text, f"H100: {flag}: found a password in an argument")
                    self.assertNotIn(SECRET, text)
        self.assertFalse((self.folder / "log.db").exists())

    def test_what_is_no_address_is_refused_without_being_shown(self):
        for address in (f"postgresql://me:{SECRET}@x@127.0.0.1:1/x", f"postgresql://me:x@{SECRET}@127.0.0.1:1/x",
                        f"postgresql://me@127.0.0.1:{SECRET}/x", f"postgresql://me:{SECRET}/x@127.0.0.1:1/x",
                        f"postgresql://me:12/{SECRET}@127.0.0.1:1/x", f"postgresql:///x?{SECRET}", f"postgresql:///x?unknown={SECRET}",
                        f"mysql://me:{SECRET}@127.0.0.1/x", f"host=127.0.0.1 password={SECRET}"):
            for words, environment in ((("--db", address), {}), ((), {"HANNAN_DB": address}), (("--db", f"@{self.file('db', address)}"), {})):
                with self.subTest((address, words)):
                    status, text = run(*words, **environment)
                    self.assertEqual(status, 2, text)
                    self.assertIn("H100", text)
                    self.assertNotIn(SECRET, text)

    def test_a_server_that_does_not_answer_is_named_and_the_password_is_not(self):
        address = f"postgresql://me:{SECRET}@127.0.0.1:1/x"
        for words, environment in ((("--db", f"@{self.file('db', address)}"), {}), ((), {"HANNAN_DB": address})):
            status, text = run(*words, **environment)
            self.assertEqual(status, 3, text)
            self.assertIn("127.0.0.1", text)
            self.assertNotIn(SECRET, text)

    def test_files_with_an_address_are_checked(self):
        for name, text, code in (("empty", "\n \n", "H206"), ("two", "a.db\nb.db\n", "H202"), ("long", "x" * 20000, "H202")):
            status, said = run("--db", f"@{self.file(name, text)}")
            self.assertEqual(status, 3, said)
            self.assertIn(code, said)
        self.assertIn("H201", run("--db", f"@{self.folder}/none")[1])
        self.assertIn("H100", run("--db", "@")[1])

    def test_a_token_in_place_of_a_file_is_not_shown(self):
        for lines in (f"{SECRET} read *\n", f"{'0' * 64} {SECRET} *\n", f"{'0' * 64} read,{SECRET} *\n"):
            status, text = run("--db", self.folder / "log.db", "--tokens", self.file("tokens", lines))
            self.assertEqual((status, "H202" in text, SECRET in text), (3, True, False), text)
        status, text = run("--db", self.folder / "log.db", "--tokens", SECRET)
        self.assertEqual((status, "H201: --tokens" in text, SECRET in text), (3, True, False), text)

    def test_the_environment_has_the_log_and_the_tokens(self):
        os.environ.update(HANNAN_DB=str(self.folder / "other.db"), HANNAN_TOKENS=TOKEN_LINE)
        try:
            started = Server(self.folder)
        finally:
            del os.environ["HANNAN_DB"], os.environ["HANNAN_TOKENS"]
        self.addCleanup(started.kill)
        self.assertTrue((self.folder / "other.db").exists())
        self.assertEqual(started.ask("GET", "/v1/learners")[0], 401)
        self.assertEqual(started.ask("GET", "/v1/learners", headers={"Authorization": "Bearer T"})[0], 200)
        started.process.send_signal(1)  # SIGHUP: there is no file to read again
        self.assertEqual(started.ask("GET", "/v1/learners", headers={"Authorization": "Bearer T"})[0], 200)


class CheckConfig(FolderTest):
    def test_a_good_start_is_told_line_by_line_and_nothing_is_made(self):
        text = self.check("--db", self.folder / "log.db", "--tokens", self.file("tokens", TOKEN_LINE), "--listen", "0.0.0.0:8080",
                          "--url", "https://shop.example/")
        self.assertIn("ok --tokens: 1 lines", text)
        self.assertIn("which a start makes", text)
        self.assertIn("other machines reach, with tokens", text)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["tokens"])

    def test_every_fault_is_told_at_once_and_the_first_is_the_status(self):
        text = self.check("--db", self.folder / "none" / "log.db", "--tokens", self.folder / "none", "--listen", "0.0.0.0:8080", "--url",
                          "shop", "--log-level", "loud", status=2)
        self.assertEqual(text.count("error "), 4)  # the address cannot be judged without its tokens
        for flag, code in (("--log-level", "H106"), ("--tokens", "H201"), ("--url", "H100"), ("--db", "H209")):
            self.assertRegex(text, f"(?m)^error {flag}: {code}: ")
        self.assertIn("error --listen: H100", self.check("--db", self.folder / "log.db", "--listen", "0.0.0.0:8080", status=2))
        self.assertIn("error --listen: H100", self.check("--db", self.folder / "log.db", "--listen", "shop.example:80", status=2))
        self.assertIn("error --listen: H100", self.check("--db", self.folder / "log.db", "--listen", "unix:" + "x" * 200, status=2))

    def test_a_log_is_read_and_stays_as_it_is(self):
        started = Server(self.folder)
        self.addCleanup(lambda: started.process.poll() is None and started.kill())
        for name in "ab":
            self.assertEqual(ask(started.connection(), "PUT", f"/v1/learners/{name}", RESERVES)[0], 201)
        text = self.check("--db", self.folder / "log.db")
        self.assertIn("warning --db: another process is at work", text)
        self.assertIn("ok learners: 2 learners", text)
        started.ask("DELETE", "/v1/learners/b")
        started.stop()
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        self.assertIn("ok learners: 1 learners", text := self.check("--db", self.folder / "log.db"))
        self.assertIn("1 that were ended", text)
        self.assertNotIn("another process", text)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_other_files_are_refused_and_left(self):
        with sqlite3.connect(self.folder / "other.db") as other:
            other.execute("create table x(y)")
        other.close()
        self.assertIn("error --db: H401", self.check("--db", self.folder / "other.db", status=3))
        self.assertIn("error --db: H401", self.check("--db", self.file("text.db", "no database" * 100), status=3))
        with sqlite3.connect(self.folder / "later.db") as later:
            later.executescript("create table meta(key, value); insert into meta values('schema', '99')")
        later.close()
        self.assertIn("schema 99", self.check("--db", self.folder / "later.db", status=3))

    def test_a_learner_that_cannot_be_made_is_named(self):
        started = Server(self.folder)
        self.assertEqual(ask(started.connection(), "PUT", "/v1/learners/home", RESERVES)[0], 201)
        started.stop()
        with sqlite3.connect(self.folder / "log.db") as log:
            log.execute("update learner set config = replace(config, 'vcg-reserves', 'vcg-refunds')")
        log.close()
        self.assertRegex(self.check("--db", self.folder / "log.db", status=2), "error learners: H106: home: found a stored learner")


class CheckPostgres(PostgresTest):
    def check(self, *words, status=0):
        found, text = run("--check-config", *words)
        self.assertEqual(found, status, text)
        return text

    def test_a_database_is_read_and_stays_as_it_is(self):
        self.assertIn("which a start makes", self.check("--db", self.cluster.url))
        self.assertEqual(self.cluster.ask("select count(*) from pg_tables where schemaname = 'public'"), [["0"]])
        node = self.node("--shards", "8")
        self.assertEqual(node.ask("PUT", "/v1/learners/home", RESERVES)[0], 201)
        self.assertIn("another process is at work", self.check("--db", self.cluster.url))
        node.stop()
        text = self.check("--db", self.cluster.url, "--shards", "8")
        self.assertIn(f"ok --db: the database {self.cluster.database} of PostgreSQL", text)
        self.assertIn("ok learners: 1 learners", text)
        self.assertIn("error --db: H100: --shards", self.check("--db", self.cluster.url, "--shards", "9", status=2))

    def test_a_file_with_the_address_and_a_password_is_read(self):
        path = self.folder / "db"
        path.write_text(self.cluster.url + f"&password={SECRET}\n")
        path.chmod(0o644)
        text = self.check("--db", f"@{path}")
        self.assertIn("warning --db: other users of this machine can read", text)
        self.assertNotIn(SECRET, text)
        path.chmod(0o640)
        self.assertNotIn("warning --db", self.check("--db", f"@{path}"))
        self.server = Server(self.folder, "--db", f"@{path}")
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        self.make()
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", {"id": "1", "outcome": [0.1, 0.2, 0.3]})[0], 200)
        self.cluster.stop()  # the address was read once; the message of the failure has no password
        try:
            path.unlink()
            status, _, body = self.server.ask("POST", "/v1/learners/a/outcomes", {"id": "2", "outcome": [0.1, 0.2, 0.3]})
            self.assertEqual((status, SECRET.encode() in body), (503, False))
        finally:
            self.cluster.start()
        self.wait_for(lambda: self.server.ask("POST", "/v1/learners/a/outcomes", {"id": "2", "outcome": [0.1, 0.2, 0.3]})[0] == 200, 30,
                      "the database came back and outcomes are refused")
        self.assertNotIn(SECRET, self.server.stop()[2])


if __name__ == "__main__":
    main()
