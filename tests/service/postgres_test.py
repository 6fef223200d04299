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

    def test_an_outcome_does_not_read_the_rounds_before_it(self):
        """Also where the server has no statistics of the table, as on a new database."""
        self.cluster.ask("alter table round set (autovacuum_enabled = false)")
        self.make()

        def send(name, count):
            rows = [{"id": f"{name}-{i}", "outcome": [0.3, 0.1 * (i % 7), 0.5]} for i in range(count)]
            self.assertEqual(self.server.ask("POST", "/v1/learners/a/outcomes", {"outcomes": rows})[0], 200)

        for part in range(6):
            send(f"many{part}", 1000)

        def read():
            """Entries of indexes and rows that were read so far, once the sessions have said so."""
            time.sleep(2)
            return sum(int(row[0]) for row in self.cluster.ask(
                "select idx_tup_read from pg_stat_user_indexes where relname = 'round' union all "
                "select seq_tup_read from pg_stat_user_tables where relname = 'round'"))

        before = read()
        for part in range(20):
            send(f"few{part}", 16)
        self.assertLess(read() - before, 6000)


if __name__ == "__main__":
    main()
