"""Records of generations that ended, of learners that were ended and of quarantined ones, on both stores."""
import json
import sqlite3
import subprocess

from postgres import PostgresTest
from server import BINARY, RESERVES, Server, ServerTest, main

EXPERTS = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"params": {"seed": 5}}}
BY_SITE = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"params": {"by": ["site"]}}}
LATE = {"problem": {"kind": "experts", "params": {"experts": 3}},
        "learner": {"kind": "ada", "params": {"delayed": True}}}


class Generations:
    """What holds on either store; the class beside it says how rows are changed behind the service's back."""

    def tell(self, i, name="a", **more):
        outcome = [0.3, 0.1 * (i % 7), 0.5 + 0.05 * (i % 3)]
        status, _, body = self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"id": f"o{i}", "outcome": outcome, **more})
        self.assertEqual(status, 200, body)

    def record(self, query="", name="a", status=200):
        found, headers, body = self.server.ask("GET", f"/v1/learners/{name}/record{query}")
        self.assertEqual(found, status, body)
        return headers, body

    def verified(self, body, *earlier, rounds):
        path = self.folder / "record.jsonl"
        path.write_bytes(body)
        done = subprocess.run([BINARY, "verify", *map(str, earlier), str(path)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [json.loads(line) for line in body.splitlines()]
        self.assertIn("end", lines[-1])
        self.assertEqual(len(lines) - 2, rounds)
        return lines

    def reset(self, **headers):
        status, _, body = self.server.ask("POST", "/v1/learners/a/reset", headers=headers)
        self.assertEqual(status, 200, body)
        return json.loads(body)

    def crash(self):
        self.server.kill()
        self.server.start()

    def test_each_has_its_own_header_and_end(self):
        self.make("a", RESERVES)
        for i in range(9):
            self.tell(i)
        first = self.record()[1]
        self.reset()
        for i in range(4):
            self.tell(i)
        second = self.record()[1]
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("a", EXPERTS)  # another problem altogether
        for i in range(6):
            self.tell(i)
        third = self.record()[1]
        for _ in range(2):
            self.verified(first, rounds=9)
            self.assertEqual(self.record("?generation=1")[1], first)
            self.assertEqual(self.record("?generation=2")[1], second)
            self.assertEqual(self.record("?generation=3")[1], third)
            self.assertEqual(self.record()[1], third)
            self.verified(second, rounds=4)
            self.verified(third, rounds=6)
            self.crash()
        self.assertEqual(self.record("?generation=4", status=400)[0].get("Warning"), None)

    def test_those_without_a_snapshot_and_without_a_round(self):
        self.make("a", RESERVES)
        for i in range(300):  # more rows than are replayed in one turn
            self.tell(i)
        first = self.record()[1]
        self.server.kill()
        self.server.start()
        self.reset()
        self.reset()
        self.change("delete from snapshot")
        self.assertEqual(self.record("?generation=1")[1], first)
        self.verified(self.record("?generation=2")[1], rounds=0)

    def test_of_a_learner_that_was_ended(self):
        self.make("a", RESERVES)
        for i in range(5):
            self.tell(i)
        before = self.record()[1]
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.assertEqual(self.record()[1], before)
        self.crash()
        self.assertEqual(self.record()[1], before)
        self.assertEqual(self.server.ask("GET", "/v1/learners/a")[0], 404)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a?purge=true")[0], 204)
        self.record(status=404)
        self.make("a", RESERVES)
        self.assertEqual(self.record()[1].count(b"\n"), 2)  # nothing is left of it

    def test_with_contexts_and_with_late_outcomes(self):
        for name, body in (("sites", BY_SITE), ("late", LATE)):
            self.make(name, body)
            for i in range(5):
                if name == "sites":
                    self.tell(i, name, context=["s%d" % (i % 2)])
                else:
                    decision = self.server.json("POST", "/v1/learners/late/decisions")["decision"]
                    self.tell(i, name, decision=decision)
            before = self.record(name=name)[1]
            self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/reset")[0], 200)
            self.assertEqual(self.record("?generation=1", name)[1], before)
            self.verified(before, rounds=5 if name == "sites" else 10)

    def test_a_state_of_elsewhere_is_gone_on_from(self):
        self.make("old", RESERVES)
        for i in range(6):
            self.tell(i, "old")
        earlier = self.folder / "earlier.jsonl"
        earlier.write_bytes(self.record(name="old")[1])
        state = self.server.json("GET", "/v1/learners/old/state")
        self.assertEqual(self.server.ask("PUT", "/v1/learners/a/state", state)[0], 201)
        for i in range(6, 9):
            self.tell(i)
        before = self.record()[1]
        self.reset()
        self.tell(0)
        found = self.record("?generation=1")[1]
        self.assertEqual(found, before)
        self.verified(found, earlier, rounds=3)
        self.verified(self.record()[1], rounds=1)

    def test_of_a_quarantined_one_as_far_as_it_goes(self):
        self.make("a", RESERVES)
        for i in range(12):
            self.tell(i)
        whole = self.record()[1].splitlines()
        self.server.kill()
        self.change("""update round set line = replace(line, '"loss":', '"loss":9') where t = 8""")
        self.server.start()
        for _ in range(2):  # when it is found to be damaged, and after it
            headers, body = self.record()
            lines = self.verified(body, rounds=7)
            self.assertEqual(lines[-1]["end"]["rounds"], 7)
            self.assertEqual(body.splitlines()[:8], whole[:8])
            self.assertIn("round 8", headers["Warning"])
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["status"], "quarantined")
        self.verified(self.record("?generation=1")[1], rounds=7)

    def test_of_one_that_was_quarantined_by_hand_it_is_whole(self):
        self.make("a", RESERVES)
        for i in range(7):
            self.tell(i)
        before = self.record()[1]
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/quarantine", {"why": "looked at"})[0], 200)
        self.assertEqual(self.record()[1], before)
        self.crash()
        self.assertEqual(self.record()[1], before)
        self.assertIsNone(self.record()[0].get("Warning"))

    def test_the_log_has_every_row(self):
        self.make("a", RESERVES)
        for i in range(600):  # more than one piece
            self.tell(i)
        self.server.kill()
        self.change("""update round set line = '{"t":' where t = 3""")  # no JSON any more
        self.server.start()
        status, _, body = self.server.ask("GET", "/v1/learners/a/log")
        self.assertEqual(status, 200)
        rows = [json.loads(line) for line in body.splitlines()]
        self.assertEqual([(row["t"], row["id"], row["decision"]) for row in rows], [(i + 1, f"o{i}", i + 1) for i in range(600)])
        self.assertEqual(rows[2]["line"], '{"t":')
        self.assertEqual(json.loads(rows[3]["line"])["t"], 4)
        self.assertGreater(rows[0]["time"], 1e12)
        body = self.server.ask("GET", "/v1/learners/a/log?from=599")[2]
        self.assertEqual([json.loads(line)["t"] for line in body.splitlines()], [599, 600])
        self.reset()
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/log")[2], b"")
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/log?generation=1")[2].count(b"\n"), 600)

    def test_a_reset_that_is_sent_again_is_done_once(self):
        self.make("a", RESERVES)
        self.tell(0)
        key = {"Idempotency-Key": "monday", "If-Match": '"g1.2"'}
        self.assertEqual(self.reset(**key)["generation"], 2)
        self.tell(0)
        self.assertEqual(self.reset(**key)["generation"], 2)
        self.crash()
        self.assertEqual(self.reset(**key)["rounds"], 1)
        self.assertEqual(self.reset(**{"Idempotency-Key": "tuesday"})["generation"], 3)
        self.assertEqual(self.reset(**key)["generation"], 3)  # also behind another one
        self.assertEqual(self.reset()["generation"], 4)
        self.assertEqual(self.reset()["generation"], 5)  # without a key each is a new one
        status, _, body = self.server.ask("POST", "/v1/learners/a/reset", headers={"Idempotency-Key": "k" * 129})
        self.assertEqual((status, json.loads(body)["error"]["at"]), (400, "Idempotency-Key"))


class InSqlite(Generations, ServerTest):
    def change(self, sql):
        with sqlite3.connect(self.folder / "log.db") as log:
            log.execute(sql)
        log.close()

    def test_a_file_of_an_earlier_version_has_what_it_kept(self):
        """It kept the newest configuration alone."""
        self.make("a", RESERVES)
        for i in range(5):
            self.tell(i)
        first = self.record()[1]
        self.reset()
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("a", EXPERTS)
        self.server.kill()
        self.change("delete from snapshot")
        self.change("drop table generation")
        self.server.start()
        status, _, body = self.server.ask("GET", "/v1/learners/a/record?generation=1")
        self.assertEqual((status, json.loads(body)["error"]["code"]), (410, "H806"), body)
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/log?generation=1")[2].count(b"\n"), 5)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("a", RESERVES)
        self.server.kill()
        self.change("drop table generation")
        self.server.start()
        self.assertEqual(self.record("?generation=1")[1], first)  # the configuration is the same again


class InPostgres(Generations, PostgresTest):
    def setUp(self):
        super().setUp()
        self.server = self.node()

    def change(self, sql):
        self.cluster.ask(sql)

    def test_a_copy_has_all_generations(self):
        self.make("a", RESERVES)
        for i in range(5):
            self.tell(i)
        first = self.record()[1]
        self.reset(**{"Idempotency-Key": "once"})
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("a", EXPERTS)
        self.server.stop()
        moved = Server(self.folder, "--copy-from", self.cluster.url)
        self.addCleanup(lambda: moved.process.poll() is None and moved.kill())
        self.server = moved
        self.assertEqual(self.record("?generation=1")[1], first)
        self.assertEqual(self.reset(**{"Idempotency-Key": "once"})["generation"], 3)


if __name__ == "__main__":
    main()
