"""Learners of the service that see a part of their rounds: looks, elements, and coins that the client throws."""
import json
import random
import time

from server import ServerTest, main

EXPERTS = {"kind": "experts", "params": {"experts": 3}}


def looking(**params):
    return {"problem": EXPERTS, "learner": {"kind": "ada", "params": {"feedback": "looks", "seed": 1, **params}}}


class PartTest(ServerTest):
    def tell(self, body, status=200, name="a"):
        found, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", body)
        self.assertEqual(found, status, answer)
        return json.loads(answer)

    def refused(self, body, code, name="a"):
        found, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", body)
        self.assertGreaterEqual(found, 400, answer)
        self.assertEqual(json.loads(answer)["error"]["code"], code, answer)

    def decision(self, name="a"):
        return self.server.json("GET", f"/v1/learners/{name}/decision")

    def report(self, name="a"):
        return self.server.json("GET", f"/v1/learners/{name}/report")

    def checked(self, name="a"):
        self.server.ask("POST", f"/v1/learners/{name}/verify")
        until = time.monotonic() + 60
        while (state := self.server.json("GET", f"/v1/learners/{name}/verify"))["state"] in ("waiting", "running"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        return state


class Rounds(PartTest):
    FLAGS = ("--metrics-learners", "*")

    def test_a_client_sends_only_what_it_saw(self):
        self.make("a", looking(look=2, share=0.4))
        draw = random.Random(3)
        looks = 0
        for t in range(1, 60):
            decided = self.decision()
            self.assertEqual((decided["share"], decided["look_action"]), (0.4, 2))
            self.assertEqual(decided["action"], 2 if decided["look"] else decided["choice"])
            losses = [draw.random() for _ in range(3)]
            told = self.tell({"id": f"o{t}", "decision": decided["decision"],
                              "outcome": losses if decided["look"] else None, "raw": losses[decided["action"]]})
            looks += decided["look"]
            self.assertIsNone(told["total"])
            self.assertIsNone(told["regret"])
            self.assertEqual(told["part"]["looks"], looks)
        report = self.report()
        self.assertEqual((report["rounds"], report["looks"], report["regret"]), (59, looks, None))
        self.assertEqual(self.checked()["state"], "holds")
        text = self.server.ask("GET", "/metrics")[2].decode()
        self.assertIn(f'hannan_looks_total{{learner="a"}} {looks}', text)
        self.assertIn('hannan_look_share{learner="a"} 0.4', text)
        self.assertNotIn('hannan_loss{learner="a"}', text)

    def test_a_coin_is_answered_once_and_only_as_it_fell(self):
        self.make("a", looking(look=None, share=0.5, coins=[0.9, 0.1, 0.9]))
        first = self.decision()
        self.assertFalse(first["look"])
        self.refused({"id": "x", "outcome": [0.1, 0.2, 0.3]}, "H301")
        self.refused({"id": "x", "outcome": None, "lost": True}, "H301")
        self.refused({"id": "x", "outcome": None, "look": True}, "H103")  # the coin is the learner's word, not the client's
        self.refused({"id": "x", "outcome": None, "look": False, "share": 0.9}, "H103")
        self.tell({"id": "1", "decision": first["decision"], "outcome": None})
        self.assertEqual(self.tell({"id": "1", "decision": first["decision"], "outcome": None})["duplicates"], 1)
        self.refused({"id": "2", "decision": first["decision"], "outcome": None}, "H805")
        self.refused({"id": "1", "decision": first["decision"], "outcome": None, "raw": 0.5}, "H802")
        self.assertTrue(self.decision()["look"])
        self.refused({"id": "3", "outcome": None}, "H301")
        self.tell({"id": "3", "outcome": [0.1, 0.2, 0.3]})
        self.assertEqual(self.report()["rounds"], 2)

    def test_a_client_that_was_killed_between_look_and_outcome_loses_nothing(self):
        self.make("a", looking(look=None, share=0.5, coins=[0.1, 0.9, 0.1]))
        before = self.decision()  # a look, and its client is gone
        self.assertTrue(before["look"])
        self.server.kill()
        self.server.start()
        self.assertEqual(self.decision(), before)
        self.refused({"id": "n", "outcome": None}, "H301")  # another client cannot pass it over
        self.tell({"id": "y", "decision": before["decision"], "outcome": [0.3, 0.1, 0.5]})
        self.tell({"id": "z", "outcome": None})
        self.assertEqual((self.report()["looks"], self.report()["rounds"]), (1, 2))

    def test_the_own_elements_are_enough(self):
        roads = {"kind": "routing", "params": {"edges": [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], "source": 0, "target": 3}}
        self.make("a", {"problem": roads, "learner": {"kind": "ada", "params": {"feedback": "elements", "seed": 2}}})
        draw = random.Random(5)
        for t in range(40):
            action = self.decision()["action"]
            told = self.tell({"id": str(t), "outcome": {"seen": [draw.random() for _ in action]}})
        self.assertIsNone(told["best"])
        self.assertGreater(told["total"], 0)
        self.refused({"id": "x", "outcome": {"seen": [0.5] * 7}}, "H301")
        self.refused({"id": "x", "outcome": [0.5] * 5}, "H301")
        self.refused({"id": "x", "outcome": {"seen": [0.5] * len(self.decision()["action"])}, "look": True}, "H103")
        self.server.stop()
        self.server.start()
        self.assertEqual(self.report()["rounds"], 40)
        self.assertEqual(self.checked()["state"], "holds")


class Clients(PartTest):
    def test_looks_come_late_and_decisions_count_in_the_order_of_issue(self):
        self.make("a", looking(look=2, share=0.05, coin="client"))
        first = self.decision()
        self.assertEqual((first["decision"], first["look"], first["look_action"], first["share"]), ("g1.1", None, 2, 0.05))
        self.tell({"id": "a", "decision": "g1.1", "look": True, "outcome": [0.9, 0.4, 0.4]})
        self.tell({"id": "b", "decision": "g1.1", "rounds": 60, "looks": 3})
        self.assertEqual(self.decision()["decision"], "g1.2")
        self.tell({"id": "c", "decision": "g1.2", "rounds": 40, "looks": 0})
        report = self.report()
        self.assertEqual((report["rounds"], report["looks"], report["waiting"]), (0, 0, {"decisions": 2, "first": 1}))
        self.server.kill()
        self.server.start()
        self.tell({"id": "d", "decision": "g1.1", "look": True, "outcome": [0.3, 0.2, 0.2]})
        told = self.tell({"id": "e", "decision": "g1.1", "look": True, "lost": True})
        self.assertEqual((told["part"]["rounds"], told["part"]["looks"], told["part"]["lost"]), (100, 2, 1))
        self.assertAlmostEqual(told["part"]["looks_expected"], 5)
        self.refused({"id": "f", "decision": "g1.1", "look": True, "outcome": [0, 0, 0]}, "H805")
        self.refused({"id": "f", "decision": "g1.9", "rounds": 1, "looks": 0}, "H805")
        self.refused({"id": "f", "decision": "g1.3", "rounds": 1, "looks": 2}, "H105")
        self.refused({"id": "f", "decision": "g1.3"}, "H102")
        self.refused({"id": "f", "rounds": 1, "looks": 0}, "H102")
        self.tell({"id": "g", "decision": "g1.3", "void": True})
        self.assertEqual(self.report()["void"], 1)
        self.assertEqual(self.tell({"id": "g", "decision": "g1.3", "void": True})["duplicates"], 1)
        self.assertEqual(self.checked()["state"], "holds")

    def test_the_log_of_a_client_is_checked_by_separate_code(self):
        for kind, share in (("flipflop", "adaptive"), ("ada", 0.1), ("leader", 0.1)):
            self.make(kind, {"problem": EXPERTS, "learner": {"kind": kind, "params": {
                "feedback": "looks", "seed": 1, "look": 2, "share": share, "coin": "client"}}})
            draw, late = random.Random(4), []
            for d in range(1, 40):
                decided = self.decision(kind)
                rounds = draw.randrange(5, 60)
                looks = sum(draw.random() < decided["share"] for _ in range(rounds))
                self.tell({"id": f"c{d}", "decision": decided["decision"], "rounds": rounds, "looks": looks}, name=kind)
                late += [(decided["decision"], i) for i in range(looks)]
                while late and (draw.random() < 0.8 or d == 39):  # late, and in any order
                    name, i = late.pop(draw.randrange(min(4, len(late))))
                    said = {"lost": True} if draw.random() < 0.05 else {"outcome": [draw.random() for _ in range(3)]}
                    self.tell({"id": f"{name}.{i}", "decision": name, "look": True, **said}, name=kind)
                if d == 20:
                    self.server.kill()
                    self.server.start()
            state = self.checked(kind)
            self.assertEqual(state["state"], "holds", state)
            report = self.report(kind)
            self.assertEqual((report["regret"], report["best"], report["total"]), (None, None, None))
            self.assertGreater(report["looks"], 20)

    def test_floors_say_which_share_of_auctions_has_none(self):
        self.make("a", {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "prices": [[0, 1, 2], [0, 1, 2]]}},
                        "learner": {"kind": "ada", "params": {"feedback": "looks", "look": [0, 0], "share": 0.013,
                                                              "coin": "client"}}, "slots": ["x", "y"], "currency": "EUR"})
        self.assertEqual(self.decision()["share"], 0.02)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/floors.json")["skipRate"], 2)


if __name__ == "__main__":
    main()
