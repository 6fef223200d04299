"""A log that another program wrote, which decided otherwise: the next one goes on from its last snapshot, or learns again."""
import json
import sqlite3

from server import ServerTest, main

EXPERTS = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"kind": "leader"}}
ROUNDS, OTHERWISE = 30, range(5, 21)  # in these rounds the other program took the next expert


def outcome(i):
    return [round((i * 7 % 5) / 4, 2), 0.5, 0.25 if i % 2 else 0.75]


class Upgrade(ServerTest):
    def tell(self, i, **more):
        return self.server.json("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": outcome(i), **more})

    def seen(self):
        return self.server.json("GET", "/v1/learners/a/report"), self.server.ask("GET", "/v1/learners/a/state")[2]

    def played(self):
        return self.server.json("GET", "/v1/learners/a/report")["played"]

    def written_by_another(self, snapshots):
        """Thirty rounds, in a log as another program would have left it; the losses of what it played."""
        self.make("a", EXPERTS)
        for i in range(1, ROUNDS + 1):
            self.tell(i)
        self.server.stop()
        losses = []
        with sqlite3.connect(self.folder / "log.db") as log:
            for t, text in log.execute("select t, line from round order by t").fetchall():
                line = json.loads(text)
                if t in OTHERWISE:
                    line["action"] = (line["action"] + 1) % 3
                    line["loss"] = line["outcome"][line["action"]]
                    log.execute("update round set line = ? where t = ?", (json.dumps(line, separators=(",", ":")), t))
                losses.append(line["outcome"][line["action"]])
            log.execute("update snapshot set engine = '0.2.0/of another program'" if snapshots else "delete from snapshot")
        log.close()
        return losses

    def restart(self):
        self.server.kill()
        self.server.start()

    def test_it_goes_on_from_a_snapshot_of_the_last_round(self):
        self.written_by_another(snapshots=True)
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/report")["rounds"], ROUNDS)
        self.assertNotIn("learned_again", self.played())  # the state is what the other program learned
        for i in range(ROUNDS + 1, ROUNDS + 4):
            self.assertEqual(self.tell(i)["accepted"], 1)
        seen = self.seen()
        self.restart()  # the rows since are replayed from a snapshot of this program
        self.assertEqual(self.seen(), seen)

    def test_without_one_it_is_quarantined_until_it_may_learn_again(self):
        losses = self.written_by_another(snapshots=False)
        self.server.start()
        status, _, answer = self.server.ask("GET", "/v1/learners/a/report")
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (500, "H900"), answer)
        self.assertRegex(json.loads(answer)["error"]["message"], "round 5: found another .*--replay-outcomes")
        self.server.stop()
        self.server.flags = ("--replay-outcomes",)
        self.server.start()
        played = self.played()
        self.assertEqual(played["learned_again"], len(OTHERWISE))
        self.assertAlmostEqual(played["total"], sum(losses), places=9)
        self.assertAlmostEqual(played["drift"], played["total"] - played["learned"], places=9)
        self.assertNotEqual(played["drift"], 0)
        self.assertEqual((played["late"], played["unattributed"]), (0, 0))
        # A late outcome is charged to what was decided then.
        before = json.loads(self.server.ask("GET", "/v1/learners/a/decisions/g1.10")[2])["action"]
        self.tell(ROUNDS + 1, decision="g1.10")
        self.assertAlmostEqual(self.played()["total"], sum(losses) + outcome(ROUNDS + 1)[before], places=9)
        seen = self.seen()
        self.server.flags = ()
        self.restart()
        self.assertEqual(self.seen(), seen)

    def test_a_log_of_its_own_is_not_touched_by_the_flag(self):
        self.make("a", EXPERTS)
        for i in range(1, ROUNDS + 1):
            self.tell(i)
        seen = self.seen()
        self.server.kill()
        self.server.flags = ("--replay-outcomes",)
        self.server.start()
        self.assertEqual(self.seen(), seen)
        self.assertNotIn("learned_again", self.played())


if __name__ == "__main__":
    main()
