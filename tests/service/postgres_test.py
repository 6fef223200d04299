"""The log in PostgreSQL: one process, killed, moved between stores, and its database stopped and started."""
import json
import time

from postgres import PostgresTest
from server import Server, main


class Postgres(PostgresTest):
    def setUp(self):
        super().setUp()
        self.server = self.node()

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
            Server(self.folder, "--copy-from", self.cluster.url)  # from under a node that writes
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

    def send(self, name, count):
        rows = [{"id": f"{name}-{i}", "outcome": [0.3, 0.1 * (i % 7), 0.5]} for i in range(count)]
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", {"outcomes": rows})[0], 200)

    def read(self):
        """Entries of indexes and rows that were read so far, once the sessions have said so."""
        time.sleep(2)
        return sum(int(row[0]) for row in self.cluster.ask(
            "select idx_tup_read from pg_stat_user_indexes where relname = 'round' union all "
            "select seq_tup_read from pg_stat_user_tables where relname = 'round'"))

    def test_an_outcome_does_not_read_the_rounds_before_it(self):
        """Also where the server has no statistics of the table, as on a new database."""
        self.cluster.ask("alter table round set (autovacuum_enabled = false)")
        self.make()
        for part in range(6):
            self.send(f"many{part}", 1000)
        before = self.read()
        for part in range(20):
            self.send(f"few{part}", 16)
        self.assertLess(self.read() - before, 6000)

    def test_replay_reads_each_round_once(self):
        """Also without statistics. The rounds are read 4,096 at a time; a plan that sorts them would read the rest each time."""
        self.cluster.ask("alter table round set (autovacuum_enabled = false)")
        self.make()
        for part in range(9):
            self.send(f"many{part}", 1000)
        self.server.kill()
        before = self.read()
        self.server.start()
        self.wait_for(lambda: self.server.ask("GET", "/readyz")[0] == 200, 60, "all rounds are replayed")
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision")["decision"], "g1.9001")
        self.assertLess(self.read() - before, 9000 + 2000)

    def test_no_question_is_compiled_to_machine_code(self):
        """Which costs more than all that the service asks when it starts."""
        file = self.cluster.folder / "data" / "postgresql.conf"
        before = file.read_text()
        self.addCleanup(lambda: (file.write_text(before), self.cluster.ask("select pg_reload_conf()")))
        file.write_text(before + "session_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\n"
                                 "auto_explain.log_analyze = on\n")
        self.cluster.ask("select pg_reload_conf()")
        time.sleep(0.5)
        self.server.kill()
        self.server.start()
        self.make()
        self.send("some", 20)
        self.verify()
        self.server.stop()
        plans = (self.cluster.folder / "log").read_text()
        self.assertIn("Scan on node", plans)
        self.assertNotIn("JIT:", plans)


if __name__ == "__main__":
    main()
