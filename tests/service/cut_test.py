"""A log that was cut: SQLite's write-ahead log ends at any byte, as after a power cut on a disk that lied. Whatever is left
is a prefix of what was acknowledged, is served, and verifies."""
import os
import shutil
import sqlite3

from server import Server, ServerTest, main

CUTS = int(os.environ.get("HANNAN_CUTS", "24"))


class Cut(ServerTest):
    def test_what_is_left_is_a_prefix_that_verifies(self):
        self.make()
        for i in range(40):
            status, _, _ = self.server.ask("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": [0.1, 0.2, 0.01 * i]})
            self.assertEqual(status, 200)
        self.server.kill()
        main_file = (self.folder / "log.db").read_bytes()
        tail = (self.folder / "log.db-wal").read_bytes()
        self.assertGreater(len(tail), 10000)
        before = -1
        for cut in range(CUTS + 1):
            folder = self.folder / f"cut{cut}"
            folder.mkdir()
            (folder / "log.db").write_bytes(main_file)
            end = len(tail) * cut // CUTS - (cut % 3 if 0 < cut < CUTS else 0)  # within a frame, too
            (folder / "log.db-wal").write_bytes(tail[:end])
            self.server = Server(folder)
            try:
                status, _, _ = self.server.ask("GET", "/v1/learners/a")
                rounds = len(self.verify()) - 2 if status == 200 else 0
            finally:
                self.server.kill()
            rows = []
            if status == 200:
                with sqlite3.connect(f"file:{folder}/log.db?mode=ro", uri=True) as log:
                    rows = [row[0] for row in log.execute("select id from round order by t")]
                log.close()
            self.assertEqual(rows, [str(i) for i in range(rounds)])
            self.assertGreaterEqual(rounds, before)
            before = rounds
            shutil.rmtree(folder)
        self.assertEqual(before, 40)


if __name__ == "__main__":
    main()
