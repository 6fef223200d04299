"""A batch whose learners are on several nodes, which a node with --forward passes on."""
import json

from nodes import NodesTest, outcome
from server import main


class OverNodes(NodesTest):
    NAMES = [f"n{i}" for i in range(9)]

    def setUp(self):
        super().setUp()
        self.nodes = [self.node("--shards", "8"), self.node("--forward")]
        self.wait_for(lambda: self.balanced(self.nodes, 8), 10, "the nodes share the shards")
        for name in self.NAMES:
            self.make_at(self.nodes, name)
        self.far = [name for name in self.NAMES if self.owner(self.nodes, name) is self.nodes[0]]
        self.near = [name for name in self.NAMES if name not in self.far]
        self.assertTrue(self.far and self.near)

    def batch(self, lines, headers=None, query=""):
        status, _, body = self.nodes[1].ask("POST", "/v1/batch" + query, "\n".join(map(json.dumps, lines)), headers)
        return status, json.loads(body)

    def rounds(self):
        return {name: json.loads(self.ask(self.nodes[:1], "GET", f"/v1/learners/{name}")[1])["rounds"] for name in self.NAMES}

    def test_is_told_on_each_and_once(self):
        lines = [{"in": name, "outcome": outcome(i)} for i in range(3) for name in self.NAMES]
        key = {"Idempotency-Key": "morning"}
        status, answer = self.batch(lines, key, "?return=each")
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, 27, 0), answer)
        self.assertEqual(set(answer["learners"]), set(self.NAMES))
        self.assertNotIn("repeatable", answer)
        for one in answer["learners"].values():
            self.assertEqual([each["round"] for each in one["each"]], [1, 2, 3])
        status, answer = self.batch(lines, key)
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, 0, 27))
        self.assertEqual(self.batch(lines[:9])[1]["repeatable"], False)
        # The ids are those that a node without others would have made.
        self.assertEqual(self.ids(self.NAMES[0])[:3], ["morning/1", "morning/10", "morning/19"])
        self.assertEqual(set(self.rounds().values()), {4})

    def test_what_was_told_before_an_error_is_said(self):
        lines = [{"in": name, "id": "x", "outcome": outcome(1)} for name in self.far + self.near]
        bad = len(self.far)
        # What this node can see is refused before anything is told.
        status, answer = self.batch([*lines[:bad], {"in": self.near[0], "id": "y", "outcome": [2, 0, 0]}])
        self.assertEqual((status, answer["error"]["at"], "taken" in answer), (400, f"outcomes[{bad}].outcome[0]", False), answer)
        self.assertEqual(set(self.rounds().values()), {0})
        # An error of the other node names the line of the whole batch.
        status, answer = self.batch([lines[bad], {**lines[0], "decision": "g1.9"}])
        self.assertEqual((status, answer["error"]["code"], answer["error"]["at"]), (400, "H805", "outcomes[1].decision"), answer)
        self.assertEqual(set(self.rounds().values()), {0})
        # What is found when it is told here comes after the others.
        status, answer = self.batch([*lines[:bad], {**lines[bad], "decision": "g1.9"}])
        self.assertEqual((status, answer["error"]["at"]), (400, f"outcomes[{bad}].decision"), answer)
        self.assertEqual(set(answer["taken"]["learners"]), set(self.far))
        status, answer = self.batch(lines)  # corrected and sent again
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, len(self.near), len(self.far)))
        self.assertEqual(set(self.rounds().values()), {1})

    def test_may_hold_actuals_of_forecasts(self):
        names = [f"load{i}" for i in range(6)]
        for name in names:
            body = {"problem": {"kind": "forecasts", "params": {"models": ["gam", "ar"]}}}
            self.assertEqual(self.ask(self.nodes, "PUT", f"/v1/learners/{name}", body)[0], 201)
            for n in range(2):
                self.assertEqual(self.ask(self.nodes, "POST", f"/v1/learners/{name}/decisions", {"forecasts": {"gam": 10 + n, "ar": 12}})[0], 201)
        self.assertEqual({self.owner(self.nodes, name) is self.nodes[0] for name in names}, {True, False})
        lines = [{"in": name, "decision": "g1.1", "outcome": 11} for name in names] + [{"in": name, "id": "x", "outcome": outcome(1)} for name in self.NAMES]
        for accepted in (len(lines), 0):  # an actual without an id is known by its decision, on every node
            status, answer = self.batch(lines)
            self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, accepted, len(lines) - accepted), answer)
            self.assertNotIn("repeatable", answer)
        status, answer = self.batch([{"in": name, "decision": "g1.2", "outcome": 11} for name in names], {"Idempotency-Key": "noon"})
        self.assertEqual((status, answer["accepted"]), (200, len(names)), answer)
        for name in names:
            self.assertEqual(json.loads(self.ask(self.nodes, "GET", f"/v1/learners/{name}")[1])["settled"], 2)

    def test_without_the_other_node_nothing_is_told(self):
        self.nodes[0].kill()
        lines = [{"in": name, "id": "x", "outcome": outcome(1)} for name in self.NAMES]
        status, answer = self.batch(lines)
        self.assertIn(status, (200, 503), answer)  # 200: this node has all of them by now
        self.wait_for(lambda: self.batch(lines)[0] == 200, 20, "the other node has the learners")
        self.assertEqual(self.batch(lines)[1]["duplicates"], len(self.NAMES))


if __name__ == "__main__":
    main()
