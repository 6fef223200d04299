"""The dashboard of learners that see a part of their rounds: what was seen, estimates called so, limits; no regret, best or total."""
import random

import chromium
from dashboard import Dashboard, main

FLOORS = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "prices": [[0, 1, 2, 3], [0, 1, 2, 3]]}}, "slots": ["x", "y"], "currency": "EUR",
          "learner": {"kind": "flipflop", "params": {"feedback": "looks", "look": [0, 0], "share": 0.2, "seed": 1, "coin": "client"}}}
ASKED = {"problem": {"kind": "experts", "params": {"experts": 3}},
         "learner": {"kind": "ada", "params": {"feedback": "looks", "look": None, "share": 0.3, "seed": 2}}}
ARMS = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"kind": "ada", "params": {"feedback": "elements", "seed": 3}}}


class Parts(Dashboard):
    @classmethod
    def fill(cls, service):
        draw = random.Random(8)
        tell = lambda name, body: service.json("POST", f"/v1/learners/{name}/outcomes", body)  # noqa: E731
        for name, config in (("floors", FLOORS), ("asked", ASKED), ("arms", ARMS)):
            service.json("PUT", f"/v1/learners/{name}", config)
        for d in range(1, 31):
            decided = service.json("GET", "/v1/learners/floors/decision")
            rounds = 100
            looks = sum(draw.random() < decided["share"] for _ in range(rounds))
            for i in range(looks):
                tell("floors", {"id": f"{d}.{i}", "decision": decided["decision"], "look": True, "outcome": [3 * draw.random(), 0.3 * draw.random()]})
            tell("floors", {"id": f"{d}", "decision": decided["decision"], "rounds": rounds, "looks": looks + (d == 30)})
        for t in range(60):
            look = service.json("GET", "/v1/learners/asked/decision")["look"]
            tell("asked", {"id": str(t), "outcome": [draw.random() for _ in range(3)] if look else None})
            tell("arms", {"id": str(t), "outcome": {"seen": [draw.random()]}})

    def titles(self):
        return self.js("return [...document.querySelectorAll('.tiles > div')].filter(one => !one.hidden).map(one => one.querySelector('h2').textContent)")

    def test_floors_lead_with_the_interval_against_none_in_money(self):
        part = self.service.json("GET", "/v1/learners/floors")["part"]
        self.assertEqual(part["money"]["currency"], "EUR")
        gain = -part["against"][0]["estimate"] * part["money"]["unit"]
        self.open("#/floors")
        self.says("h1", f"floors earned an estimated {abs(gain):,.0f} EUR {'more' if gain >= 0 else 'less'} than prices of 0")
        self.says(".lede", "with 95 %, from")
        self.says(".lede", f"{part['looks']} of 2,900 auctions seen in full")
        self.assertEqual(self.titles(), ["Now", "Seen", "Estimates and limits", "Feedback"])
        self.says(".tiles", "Decisions that wait1, the first is 30: in no figure here")
        self.says(".tiles", "Share of looks now20 %")
        self.says("main", "Last messages")
        self.says(".tiles", "each holds with 95 %, not all of them")

    def test_nothing_is_said_of_what_was_not_seen(self):
        for name in ("floors", "asked", "arms"):
            one = self.service.json("GET", f"/v1/learners/{name}")
            self.assertEqual((one["regret"], one["best"]), (None, None))
            self.open(f"#/{name}")
            self.says(".tiles", "Limit (95 %)")
            page = self.js("return document.querySelector('main').innerText")  # what is seen
            for word in ("Behind the best", "promise kept", "behind the best fixed choice, known"):
                self.assertNotIn(word, page)
            self.assertEqual(page.replace("Estimated regret", "").count("regret"), 0, page)
            self.assertTrue(self.js("return document.querySelector('section.two').hidden"))
            self.assertEqual([entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"], [])

    def test_labels_that_are_asked_for_and_own_results_say_what_they_know(self):
        self.open("#/asked")
        part = self.service.json("GET", "/v1/learners/asked")["part"]
        self.says("h1", f"asked: {part['looks']} of 60 rounds seen in full")
        self.says(".tiles", "Looks cost, as seen0")
        self.open("#/arms")
        self.says("h1", "arms lost ")
        self.says(".lede", "Nothing is certain beyond what was lost")
        self.says("main", "Seen")


def setUpModule():
    chromium.set_up(lambda folder: None)


if __name__ == "__main__":
    main()
