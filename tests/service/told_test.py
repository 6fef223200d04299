"""Outcomes in requests: a refused request changes nothing, money is counted once, and a learner made again under an old name is new."""
import json
import threading

from server import RESERVES, ServerTest, main

EXPERTS = {"problem": {"kind": "experts", "params": {"experts": 3}}}
OUTCOMES = "/v1/learners/a/outcomes"


def told(i, **more):
    return {"id": f"n{i}", "outcome": [0, 1, 0.5], **more}


class Refused(ServerTest):
    def rounds(self):
        return self.server.json("GET", "/v1/learners/a/report")["rounds"]

    def test_a_decision_to_come_is_refused_behind_repeated_outcomes_too(self):
        for count in (2, 20, 60):
            self.server.ask("DELETE", "/v1/learners/a?purge=true")
            self.make(body=EXPERTS)
            first = [told(i) for i in range(count)]
            self.assertEqual(self.server.json("POST", OUTCOMES, {"outcomes": first})["accepted"], count)
            far = {"id": "far", "decision": f"g1.{2 * count + 1}", "outcome": [0, 1, 0.5]}
            status, _, answer = self.server.ask("POST", OUTCOMES, {"outcomes": [*first, far]})
            self.assertEqual(status, 400, answer)
            self.assertIn(b"H805", answer)
            self.assertIn(f"of round {count + 1} at most".encode(), answer)
            self.server.kill()
            self.server.start()
            self.assertEqual(self.rounds(), count)

    def test_a_conflict_of_ids_disturbs_nobody(self):
        self.make(body=EXPERTS)
        self.server.json("POST", OUTCOMES, told("old"))
        conflict = {"id": "nold", "outcome": [1, 1, 1]}
        stale, failed, stop = [], [], threading.Event()

        def hostile():
            k = 0
            while not stop.is_set():
                k += 1
                status, _, answer = self.server.ask("POST", OUTCOMES, {"outcomes": [told(f"x{k}"), conflict]})
                if status != 422 or b"H802" not in answer:
                    failed.append((status, answer))

        def honest(who):
            for k in range(40):
                answer = self.server.json("POST", OUTCOMES, told(f"{who}-{k}"))
                if "error" in answer:
                    failed.append(answer)
                elif int(answer["next"]["decision"].split(".")[1]) <= answer["last"]:
                    stale.append(answer)
        others = [threading.Thread(target=honest, args=(who,)) for who in range(4)]
        first = threading.Thread(target=hostile)
        for one in (first, *others):
            one.start()
        for one in others:
            one.join(timeout=60)
        stop.set()
        first.join(timeout=60)
        self.assertEqual((failed, stale), ([], []))
        self.assertEqual(self.rounds(), 161)
        self.assertNotIn("Warning", self.server.ask("GET", "/v1/learners/a/decision")[1])
        self.verify()

    def test_the_same_id_twice_in_a_request_is_told_once_or_refused(self):
        self.make(body=EXPERTS)
        answer = self.server.json("POST", OUTCOMES, {"outcomes": [told(1), told(1), told(2)]})
        self.assertEqual((answer["accepted"], answer["duplicates"]), (2, 1))
        status, _, answer = self.server.ask("POST", OUTCOMES, {"outcomes": [told(3), told(3, outcome=[1, 1, 1])]})
        self.assertEqual(status, 422, answer)
        self.assertIn(b"outcomes[1].id", answer)
        self.assertEqual(self.rounds(), 2)

    def test_a_request_with_if_match_may_be_sent_again(self):
        self.make(body=EXPERTS)
        for accepted, duplicates in ((1, 0), (0, 1)):
            status, _, _ = self.server.ask("POST", OUTCOMES, told(1), {"If-Match": '"g1.1"'})
            answer = self.server.json("POST", OUTCOMES, told(1), {"If-Match": '"g1.1"'})
            self.assertEqual((status, answer.get("duplicates")), (200, 1), answer)
        self.assertEqual(self.server.ask("POST", OUTCOMES, told(2), {"If-Match": '"g1.1"'})[0], 412)


class Answers(ServerTest):
    def test_say_of_a_learner_what_a_batch_says_of_it(self):
        self.make()
        lines = [{"id": str(i), "outcome": [0.25, 0.5, i / 4]} for i in range(4)]
        lines += [{"outcome": [0.25, 0.75, 0.5]}, {"outcome": [0.5, 0.25, 0]}]
        for query, count in (("", 4), ("?return=each", 4), ("", 6), ("?return=each", 6)):
            with self.subTest(query=query, count=count):
                told = {"outcomes": lines[:count]}
                self.server.json("POST", f"/v1/learners/a/outcomes{query}", told, {"Idempotency-Key": "k"})
                key = {"Idempotency-Key": "k"}
                alone = self.server.json("POST", f"/v1/learners/a/outcomes{query}", told, key)
                batch = "\n".join(json.dumps({"in": "a", **line}) for line in lines[:count])
                together = json.loads(self.server.ask("POST", f"/v1/batch{query}", batch, key)[2])["learners"]["a"]
                self.assertEqual(list(alone.items()), list(together.items()))
                self.assertEqual((alone["accepted"], alone["duplicates"], "each" in alone), (0, count, bool(query)))
        unnamed = self.server.json("POST", "/v1/learners/a/outcomes?return=each", {"outcomes": [{"outcome": [0, 1, 0.5]}]})
        self.assertEqual(list(unnamed)[:4] + list(unnamed)[-3:], ["accepted", "duplicates", "first", "last", "next", "each", "repeatable"])
        self.assertIs(unnamed["repeatable"], False)


class Money(ServerTest):
    PRICES = {"kind": "vcg-reserves", "params": {"bidders": 2, "prices": [0, 0.1, 0.25, 1.5]}}

    def test_prices_in_money_take_no_cap(self):
        status, _, answer = self.server.ask("PUT", "/v1/learners/a", {"problem": self.PRICES, "cap": 10})
        self.assertEqual(status, 400, answer)
        self.assertIn(b"H108", answer)

    def test_money_is_counted_once(self):
        capped = {**self.PRICES, "params": {**self.PRICES["params"], "cap": 2}}
        for name, problem in (("plain", self.PRICES), ("capped", capped)):
            for unit in ("problem", "money"):
                path = f"/v1/learners/{name}-{unit}"
                self.assertEqual(self.server.ask("PUT", path, {"problem": problem, "learner": {"kind": "leader"}, "currency": "EUR"})[0], 201)
                for i in range(3):
                    self.assertEqual(self.server.ask("POST", path + "/outcomes", {"id": str(i), "unit": unit, "outcome": [0.3, 1.6]})[0], 200)
                found = self.server.json("GET", path)["money"]
                # Nothing in the first round but the second price, then the reserve of 1.5 for the second bidder.
                self.assertAlmostEqual(found["total"], 0.3 + 2 * 1.5, places=9)
                self.assertAlmostEqual(found["best"], 3 * 1.5, places=9)

    def test_only_amounts_are_divided_by_the_cap(self):
        for name, problem, outcome in (
                ("steps", {"kind": "multi-unit", "params": {"bidders": 2, "units": 4}}, [[[2, 1.0]], [[2, 2.0]]]),
                ("places", {"kind": "finite-game", "params": {"losses": [[0, 1, 0.5], [1, 0, 0.2]]}}, 2)):
            self.assertEqual(self.server.ask("PUT", "/v1/learners/" + name, {"problem": problem, "cap": 2})[0], 201)
            status, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"id": "1", "unit": "money", "outcome": outcome})
            self.assertEqual(status, 400, answer)
            self.assertIn(b"H108", answer)
        self.make("bids", {**RESERVES, "cap": 2})
        self.assertEqual(self.server.ask("POST", "/v1/learners/bids/outcomes", {"id": "1", "unit": "money", "outcome": [1, 2, 0.5]})[0], 200)


class NewOfAnOldName(ServerTest):
    BY = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 10}}, "learner": {"kind": "ada", "params": {"by": ["c"]}}}

    def test_nothing_of_the_purged_one_is_served(self):
        for name, money in (("one", {"slots": ["a", "b"], "cap": 5, "currency": "USD"}), ("two", {"slots": ["q", "r"], "cap": 50, "currency": "EUR"})):
            self.make(body={**self.BY, **money})
            self.server.json("POST", OUTCOMES, {"id": name, "context": ["de"], "outcome": [0.3, 0.9]})
            floors = self.server.json("GET", "/v1/learners/a/floors.json")
            self.assertEqual(floors["currency"], money["currency"])
            self.assertTrue(any(rule.endswith("|" + money["slots"][0]) for rule in floors["values"]), floors)
            course = self.server.json("GET", "/v1/learners/a/course")
            self.assertEqual([row["id"] for row in course["recent"]], [name])
            self.assertEqual(self.server.json("GET", "/v1/learners/a/verify")["state"], "none")
            self.server.json("POST", "/v1/learners/a/verify")
            self.server.ask("DELETE", "/v1/learners/a?purge=true")


if __name__ == "__main__":
    main()
