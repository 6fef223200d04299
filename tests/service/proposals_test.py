"""Portfolios in the service: proposals with the request, the loss of a logged today with the outcome, held against the pipe."""
import json
import random
import subprocess

import server
from delay_test import PipeTest
from server import main

PARAMS = {"seed": 3, "risk": 4, "largest": 1,
          "strategies": [{"name": "today", "kind": "logged"}, {"name": "team", "kind": "given"},
                         {"name": "second", "kind": "fixed", "action": 1}, {"name": "rule", "kind": "flipflop"}]}
PORTFOLIO = {"problem": {"kind": "experts", "params": {"experts": 3}},
             "learner": {"kind": "portfolio", "params": PARAMS}}


class Proposed(PipeTest):
    def setUp(self):
        super().setUp()
        self.make("a", PORTFOLIO)
        self.own = self.pipe(learner=PORTFOLIO["learner"])
        self.draw = random.Random(11)

    def ask(self, proposals, query=""):
        status, _, body = self.server.ask("POST", "/v1/learners/a/decisions" + query, {"proposals": proposals})
        return status, json.loads(body)

    def proposed(self):
        return {"team": self.draw.choice([0, 1, 2, None])}

    def outcome(self):
        return [self.draw.randrange(9) / 8 for _ in range(3)]

    def play(self, rounds, first=1):
        for t in range(first, first + rounds):
            proposals, outcome, today = self.proposed(), self.outcome(), self.draw.random()
            status, decided = self.ask(proposals)
            acted = self.own.ask(op="act", **{"in": "me"}, proposals=proposals)
            self.assertEqual((status, decided["decision"]), (201, f"g1.{t}"), decided)
            self.assertEqual([decided[name] for name in ("round", "action", "strategy")],
                             [acted[name] for name in ("round", "action", "strategy")])
            self.assertNotIn("weights", decided)
            told = self.tell("a", {"id": f"o{t}", "outcome": outcome, "losses": {"today": today}})
            seen = self.own.ask(op="observe", **{"in": "me"}, outcome=outcome, losses={"today": today})
            self.assertEqual(told["total"], seen["total"])

    def rounds(self):
        return self.server.json("GET", "/v1/learners/a")["rounds"]

    def test_decisions_are_those_of_the_pipe_through_kills_and_stops(self):
        self.play(12)
        self.server.kill()
        self.server.start()
        self.play(8, 13)
        self.server.stop()
        self.server.start()
        self.play(5, 21)
        self.assertEqual(self.checked("a")["state"], "consistent")
        status, said, lines = self.verified()
        self.assertIn(status, (0, 1), said)
        self.assertEqual(len([line for line in lines if "weights" in line]), 25)
        report = self.server.json("GET", "/v1/learners/a/report")
        own = self.own.ask(op="report", **{"in": "me"})
        self.assertEqual([report[name] for name in ("total", "gain", "low", "realised")],
                         [own[name] for name in ("total", "gain", "low", "realised")])

    def test_asked_again_it_answers_the_same_and_explains(self):
        first = self.ask({"team": 2})
        self.assertEqual(first[0], 201)
        self.assertEqual(self.ask({"team": 2}), (200, first[1]))
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision"), first[1])
        status, explained = self.ask({"team": 2}, "?explain=1")
        self.assertEqual(status, 200)
        self.assertAlmostEqual(sum(explained["weights"]), 1, delta=1e-12)
        self.assertEqual(explained["proposals"][1:3], [2, 1])
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision?explain=1"), explained)
        # A restart forgets what was proposed; the same proposals bring the same decision.
        self.server.kill()
        self.server.start()
        status, answer = self.server.ask("GET", "/v1/learners/a/decision")[::2]
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H805"), answer)
        self.assertEqual(self.ask({"team": 2}), first)

    def test_a_bad_proposal_changes_nothing(self):
        self.play(5)
        decided = self.ask({"team": 1})[1]
        for proposals, code in (({"team": 7}, "H302"), ({"team": "x"}, "H302"), ({"other": 1}, "H106"), ({"rule": 1}, "H106"),
                                ({"team": 0}, "H105"), ([1], "H104")):
            status, answer = self.ask(proposals)
            self.assertEqual((status >= 400, answer["error"]["code"]), (True, code), answer)
        for body, code in (({"outcome": [0, 0, 1]}, "H102"), ({"outcome": [0, 0, 1], "losses": {"today": "x"}}, "H104"),
                           ({"outcome": [0, 0, 1], "losses": {"team": 1}}, "H102"),
                           ({"outcome": [0, 0, 1], "losses": {"today": 0}, "proposals": {"team": 1}}, "H105"),
                           ({"outcomes": [{"outcome": [0, 0, 1], "losses": {"today": 0}}] * 2}, "H805")):
            self.assertEqual(self.tell("a", body, 400)["error"]["code"], code)
        self.assertEqual(self.rounds(), 5)
        self.assertEqual(self.ask({"team": 1}), (200, decided))
        self.own.ask(op="act", **{"in": "me"}, proposals={"team": 1})
        told = self.tell("a", {"id": "o6", "outcome": [0, 0, 1], "losses": {"today": 0.5}})
        seen = self.own.ask(op="observe", **{"in": "me"}, outcome=[0, 0, 1], losses={"today": 0.5})
        self.assertEqual(told["total"], seen["total"])
        self.play(5, 7)

    def test_an_outcome_needs_its_decision_and_an_id_its_content(self):
        body = {"id": "one", "outcome": [0, 1, 0], "losses": {"today": 0.25}}
        self.assertEqual(self.tell("a", body, 400)["error"]["code"], "H805")
        self.ask({})
        self.assertEqual(self.tell("a", body)["accepted"], 1)
        self.assertEqual(self.tell("a", body)["duplicates"], 1)
        self.assertEqual(self.tell("a", {**body, "losses": {"today": 0.5}}, 422)["error"]["code"], "H802")

    def test_rehearsed_rounds_have_their_proposals_with_them(self):
        for t in range(6):
            round_of = {"outcome": self.outcome(), "losses": {"today": 0.5}, "proposals": self.proposed(), "warm": True}
            self.tell("a", {"id": f"w{t}", **round_of})
            self.own.ask(op="observe", **{"in": "me"}, **round_of)
        self.play(6, 7)
        self.server.kill()
        self.server.start()
        self.play(3, 13)

    def test_what_a_comparison_saved_goes_on(self):
        coins, folder = random.Random(2), self.folder
        rows = [(t, who, round(coins.expovariate(1) * (2 + who), 2)) for t in range(120) for who in range(2)]
        (folder / "log.csv").write_text("round,bidder,bid\n" + "".join(f"{t},b{who},{bid}\n" for t, who, bid in rows))
        done = subprocess.run([server.BINARY, "compare", "vcg-reserves", "-d", folder / "log.csv", "--format", "long", "--prices",
                               "0,1,2,4", "--save", folder / "try.state", "-q"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        status, _, answer = self.server.ask("PUT", "/v1/learners/t/state", (folder / "try.state").read_text())
        self.assertEqual(status, 201, answer)
        decided = self.server.json("GET", "/v1/learners/t/decision?explain=1")
        self.assertEqual(decided["round"], 121)
        told = self.tell("t", {"id": "x", "outcome": [3, 2], "losses": {"today": -2}})
        self.assertEqual(told["accepted"], 1)
        self.assertEqual(self.server.json("GET", "/v1/learners/t/decision")["round"], 122)

    def test_a_learner_without_proposals_has_no_use_for_them(self):
        self.make("b", {**PORTFOLIO, "learner": {"kind": "portfolio", "params": {"today": 0, "risk": 4}}})
        status, _, answer = self.server.ask("POST", "/v1/learners/b/decisions", {"proposals": {}})
        self.assertEqual((status >= 400, json.loads(answer)["error"]["code"]), (True, "H108"), answer)
        decided = self.server.json("GET", "/v1/learners/b/decision")
        self.assertIn("strategy", decided)
        self.assertEqual(self.tell("b", {"outcome": [0, 0, 1], "losses": {"today": 1}}, 400)["error"]["code"], "H103")
        self.make("c", {**PORTFOLIO, "learner": {}})
        self.assertEqual(self.tell("c", {"outcome": [0, 0, 1], "losses": {"today": 1}}, 400)["error"]["code"], "H103")


BY_SITE = {"name": "sites", "kind": "flipflop", "by": ["site"]}
COLUMNS = {"problem": PORTFOLIO["problem"],
           "learner": {"kind": "portfolio", "params": {"seed": 3, "risk": 2, "largest": 1, "warm": 4, "strategies": [
               {"name": "today", "kind": "fixed", "action": 0}, BY_SITE, {"name": "rule", "kind": "flipflop"}]}}}


class ByColumns(PipeTest):
    def setUp(self):
        super().setUp()
        self.make("a", COLUMNS)
        self.own = self.pipe(learner=COLUMNS["learner"])
        self.draw = random.Random(5)

    def told(self, t):
        """One round here and in the pipe, which rehearses the first ones by itself."""
        best = self.draw.choice(["north", "south"])
        row = {"outcome": [0.75, 0.5, 0.25] if best == "north" else [0.75, 0.25, 0.5], "context": [best]}
        told = self.tell("a", {"id": f"o{t}", **row})
        seen = self.own.ask(op="observe", **{"in": "me"}, **row)
        self.assertEqual(told["total"], seen["total"])

    def decided(self, site):
        status, _, body = self.server.ask("GET", f"/v1/learners/a/decision?context={site}&explain=1")
        return status, json.loads(body)

    def test_the_first_rounds_are_rehearsed_and_not_decided(self):
        for t in range(1, 5):
            status, answer = self.decided("north")
            self.assertEqual((status, answer["error"]["code"]), (400, "H105"), answer)
            self.told(t)
        self.assertEqual(self.tell("a", {"id": "o9", "outcome": [0, 0, 1], "context": ["north"], "decision": "g1.6"}, 400)
                         ["error"]["code"], "H805")
        self.assertEqual(self.decided("north")[0], 200)
        # Sent again it is the same, though the client never said that it was rehearsed.
        draw = random.Random(5)
        best = draw.choice(["north", "south"])
        again = {"id": "o1", "outcome": [0.75, 0.5, 0.25] if best == "north" else [0.75, 0.25, 0.5], "context": [best]}
        self.assertEqual(self.tell("a", again)["duplicates"], 1)
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["portfolio"]["rehearsed"], 4)

    def test_each_context_is_answered_and_an_outcome_is_played_by_its_own(self):
        for t in range(1, 31):
            self.told(t)
            if t == 12:
                self.server.kill()
                self.server.start()
            if t >= 4:
                north, south = self.decided("north"), self.decided("south")
                self.assertEqual((north[0], south[0]), (200, 200))
                self.assertEqual(self.decided("north"), north)
        self.assertNotEqual(north[1]["proposals"][1], south[1]["proposals"][1])
        self.assertEqual(self.checked("a")["state"], "holds")
        status, said, lines = self.verified()
        self.assertEqual(status, 0, said)
        self.assertEqual(len([line for line in lines if "weights" in line]), 26)
        status, _, answer = self.server.ask("GET", "/v1/learners/a/decision")
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H102"), answer)

    def test_what_a_page_shows_fits_the_report(self):
        for t in range(1, 25):
            self.told(t)
        of, report = self.server.json("GET", "/v1/learners/a")["portfolio"], self.server.json("GET", "/v1/learners/a/report")
        for name in ("gain", "low", "behind"):
            self.assertEqual(of[name], report[name])
        self.assertEqual((of["risk"], of["most"], of["played"], of["best"]), (2, 2, 20, report["best_strategy"]))
        self.assertLessEqual(of["certain"], of["gain"])
        self.assertAlmostEqual(sum(way["weight"] for way in of["strategies"]), 1, delta=1e-9)
        self.assertEqual(of["strategies"][0]["gain"], 0)
        curve = self.server.json("GET", "/v1/learners/a/curve")["portfolio"]
        self.assertEqual((curve["rounds"][-1], curve["gain"][-1], curve["certain"][-1][0]), (20, of["gain"], of["certain"]))
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/curve")["portfolio"], curve)
        course = self.server.json("GET", "/v1/learners/a/course")["portfolio"]
        self.assertEqual((course["names"], sum(course["rounds"])), (["today", "sites", "rule"], 20))
        for shares in zip(*course["shares"]):
            self.assertAlmostEqual(sum(shares), 1, delta=1e-9)
        self.assertIn("function portfolioVerdict", self.server.ask("GET", "/")[2].decode())

    def test_proposals_and_a_context_decide_together(self):
        params = {**PARAMS, "strategies": [*PARAMS["strategies"], BY_SITE]}
        self.make("b", {**PORTFOLIO, "learner": {"kind": "portfolio", "params": params}})
        path, body = "/v1/learners/b/decisions", {"proposals": {"team": 2}, "context": ["north"]}
        for bad, code in (({"proposals": {"team": 2}}, "H102"), ({**body, "context": []}, "H301"), ({**body, "x": 1}, "H103")):
            status, _, answer = self.server.ask("POST", path, bad)
            self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, code), answer)
        self.assertEqual(self.server.ask("POST", path, body)[0], 201)
        self.assertEqual(self.server.ask("POST", path, {**body, "context": ["south"]})[0], 400)
        row = {"id": "one", "outcome": [0, 1, 0], "losses": {"today": 0.25}}
        self.assertEqual(self.tell("b", {**row, "context": ["south"]}, 400)["error"]["code"], "H105")
        self.assertEqual(self.server.json("GET", "/v1/learners/b")["rounds"], 0)
        self.assertEqual(self.tell("b", {**row, "context": ["north"]})["accepted"], 1)

    def test_it_has_no_file_of_floors(self):
        problem = {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 4}}
        self.make("f", {"problem": problem, "cap": 10, "learner": {"kind": "portfolio", "params": {
            "risk": 2, "strategies": [{"name": "today", "kind": "fixed", "action": [1, 1]}, BY_SITE]}}})
        status, _, answer = self.server.ask("GET", "/v1/learners/f/floors.json")
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H108"), answer)


if __name__ == "__main__":
    main()
