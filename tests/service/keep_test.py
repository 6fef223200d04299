"""Logs that are trimmed: what goes, what stays, and what clients see of it."""
import json

from server import ServerTest, main

EXPERTS = {"problem": {"kind": "experts", "params": {"experts": 2}}}


class KeepTest(ServerTest):
    def tell(self, first, last):
        lines = "".join(json.dumps({"id": str(i), "outcome": [i % 3 / 2, 0.5]}) + "\n" for i in range(first, last + 1))
        status, _, answer = self.server.ask("POST", "/v1/learners/a/outcomes", lines,
                                            {"Content-Type": "application/x-ndjson"})
        self.assertEqual(status, 200, answer)
        return json.loads(answer)

    def rounds(self):
        record = self.server.ask("GET", "/v1/learners/a/record")[2].splitlines()
        return [json.loads(line)["t"] for line in record[1:-1]]

    def fill(self):
        for begin in range(1, 2401, 300):  # snapshots after 600, 1200, 1800, 2400
            self.tell(begin, begin + 299)


class Trimmed(KeepTest):
    FLAGS = ("--snapshot-every", "600", "--keep", "5", "--keep-ids", "0")

    def test_old_rows_go_and_the_rest_is_replayed(self):
        self.make("a", EXPERTS)
        self.fill()
        # The last 1,024 rounds stay, however few are wanted.
        self.assertEqual(self.rounds(), list(range(1377, 2401)))
        status, _, answer = self.server.ask("GET", "/v1/learners/a/decisions/g1.1376")
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (410, "H806"))
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decisions/g1.1377")[0], 200)
        late = {"id": "late", "decision": "g1.7", "outcome": [1, 0]}
        self.assertEqual(self.server.json("POST", "/v1/learners/a/outcomes", late)["accepted"], 1)
        before = self.server.json("GET", "/v1/learners/a")
        self.assertEqual(before["played"]["unattributed"], 1)
        self.assertEqual(self.tell(1, 1)["accepted"], 1)  # an id that is no longer known is new
        self.assertEqual(self.tell(2400, 2400)["duplicates"], 1)
        state = self.server.ask("GET", "/v1/learners/a/state")[2]
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/state")[2], state)
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["played"]["unattributed"], 1)


class IdsStay(KeepTest):
    FLAGS = ("--snapshot-every", "600", "--keep", "5")

    def test_rows_stay_for_as_long_as_ids_are_promised(self):
        self.make("a", EXPERTS)
        self.fill()
        self.assertEqual(self.rounds(), list(range(1, 2401)))
        self.assertEqual(self.tell(1, 300)["duplicates"], 300)


class OwnKeep(KeepTest):
    FLAGS = ("--snapshot-every", "600", "--keep-ids", "0")

    def test_a_learner_says_how_much_it_keeps(self):
        self.make("a", {**EXPERTS, "keep": {"rounds": 2000}})
        self.fill()
        self.assertEqual(self.rounds(), list(range(401, 2401)))


if __name__ == "__main__":
    main()
