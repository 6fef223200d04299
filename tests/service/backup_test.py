"""The drill of docs/backup.md: a backup is taken while the service works, restored elsewhere and started. Every record verifies, what
was acknowledged before the backup is in it, and told the same outcomes again the learners decide as the first ones did."""
import json
import random
import shutil
import sqlite3
import subprocess
import threading
import time

from kinds import KINDS
from postgres import FOLDERS, PostgresTest
from server import Server, ServerTest, main

QUESTION = "select t, round.id, line from round join learner on learner.id = learner where name = '{}' order by t"


class Drill:
    """Of one store: take_backup() and restore(), which gives the second service; rows_of(first or second, name) of their logs."""

    def post(self, to, path, body, key=None):
        status, _, answer = to.ask("POST", path, body, {"Idempotency-Key": key} if key else {})
        self.assertIn(status, (200, 201), answer)
        return json.loads(answer)

    def play(self, number, name, done, told):
        """Outcomes one after the other until it is over, with the time of each answer."""
        kind, draw, i = KINDS[name], random.Random(number), 0
        while not done.is_set():
            i += 1
            row = {"id": f"{number}-{i}", **kind.told(draw)}
            if kind.late:
                row["decision"] = self.post(self.server, f"/v1/learners/{name}/decisions", "", f"k{i}")["decision"]
            self.post(self.server, f"/v1/learners/{name}/outcomes", row)
            told.append((time.monotonic(), name, row["id"]))
            time.sleep(0.01)

    def test_a_backup_under_load_is_restored_and_goes_on_as_the_first_would_have(self):
        for name, kind in KINDS.items():
            self.make(name, kind.body)
        done, told = threading.Event(), []
        players = [threading.Thread(target=self.play, args=(i, name, done, told)) for i, name in enumerate(KINDS)]
        for player in players:
            player.start()
        try:
            time.sleep(2)
            begun = time.monotonic()
            backup = self.take_backup()
            time.sleep(1)
        finally:
            done.set()
            for player in players:
                player.join()
        first = self.server
        self.addCleanup(lambda: first.process.poll() is None and first.kill())
        self.server = second = self.restore(backup)
        behind = 0
        for name, kind in KINDS.items():
            with self.subTest(name):
                whole, restored = self.rows_of(first, name), self.rows_of(second, name)
                ids = {id.removeprefix("o:") for _, id, _ in restored}
                self.assertEqual([id for when, of, id in told if of == name and when < begun and id not in ids], [])
                self.assertEqual(restored, whole[:len(restored)])
                status, said, _ = self.verified(name)
                self.assertIn(status, (0, 1) if kind.limited else (0,), said)
                behind += len(whole) - len(restored)
                for _, id, line in whole[len(restored):]:
                    self.tell_again(second, name, id, json.loads(line))
                self.assertEqual(self.rows_of(second, name), whole)
                self.assertEqual(second.ask("GET", f"/v1/learners/{name}/record")[2], first.ask("GET", f"/v1/learners/{name}/record")[2])
        self.assertGreater(behind, 0, "no outcome came after the backup: the drill shows nothing")

    def tell_again(self, to, name, id, line):
        if "decide" in line:
            return self.post(to, f"/v1/learners/{name}/decisions", "", line["key"])
        row = {"id": id.removeprefix("o:"), "outcome": line["outcome"]}
        if "context" in line:
            row["context"] = line["context"]
        if "observe" in line:
            row["decision"] = f"g1.{line['observe']}"
        return self.post(to, f"/v1/learners/{name}/outcomes", row)


class OfSqlite(Drill, ServerTest):
    FLAGS = ("--snapshot-every", "50")

    def take_backup(self):
        copy = self.folder / "copy.db"
        if shutil.which("sqlite3"):
            subprocess.run(["sqlite3", str(self.folder / "log.db"), f".backup {copy}"], check=True, timeout=60)
        else:  # the same call of the library
            source, target = sqlite3.connect(self.folder / "log.db"), sqlite3.connect(copy)
            source.backup(target)
            source.close()
            target.close()
        return copy

    def restore(self, backup):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        shutil.copy(backup, elsewhere / "log.db")
        second = Server(elsewhere, *self.FLAGS)
        self.addCleanup(lambda: second.process.poll() is None and second.kill())
        return second

    def rows_of(self, of, name):
        log = sqlite3.connect(f"file:{of.folder}/log.db?mode=ro", uri=True)
        try:
            return log.execute(QUESTION.format(name)).fetchall()
        finally:
            log.close()


class OfPostgres(Drill, PostgresTest):
    def setUp(self):
        super().setUp()
        self.server = self.node("--snapshot-every", "50")
        self.server.database = self.cluster.database

    def tool(self, name, *words):
        subprocess.run([f"{FOLDERS[-1]}/{name}", "-h", str(self.cluster.folder), "-U", "hannan", *words], check=True, timeout=60)

    def take_backup(self):
        path = self.folder / "backup"
        self.tool("pg_dump", "-d", self.cluster.database, "-Fc", "-f", str(path))
        return str(path)

    def restore(self, backup):
        self.cluster.make_database()
        self.tool("pg_restore", "-d", self.cluster.database, "--exit-on-error", backup)
        second = self.node("--snapshot-every", "50")
        second.database = self.cluster.database
        self.wait_for(lambda: second.json("GET", "/v1/nodes")["nodes"][0]["shards"] and all(
            second.ask("GET", f"/v1/learners/{name}")[0] == 200 for name in KINDS), 60, "the restored node never had all learners")
        return second

    def rows_of(self, of, name):
        return [(int(t), id, line) for t, id, line in self.cluster.ask(QUESTION.format(name), of.database)]


if __name__ == "__main__":
    main()
