"""The dashboard's page of a learner with contexts, of one with a list of prices, and of one that was stopped by hand."""
import json

import chromium
from chromium import until
from dashboard import Dashboard, main

SITES = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 1, "levels": 20}},
         "learner": {"params": {"by": ["country", "site"], "track": "powers"}}, "slots": ["*"], "cap": 4.0, "currency": "EUR"}
LIST = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "prices": [0, 0.5, 1.25, 2.5]}}, "currency": "CHF"}


class Segments(Dashboard):
    @classmethod
    def fill(cls, service):
        service.json("PUT", "/v1/learners/sites", SITES)
        service.json("PUT", "/v1/learners/prices", LIST)
        service.json("PUT", "/v1/learners/paused", LIST)
        # Bids of each site around a value of its own, so that one price for all is worse.
        value = {("de", "a"): 0.8, ("de", "b"): 0.3, ("at", "a"): 0.5, ("at", "c"): 0.15}
        rows = []
        for i in range(1600):
            context = cls.coins.choices(list(value), weights=[8, 4, 3, 1])[0]
            rows.append({"id": str(i), "context": list(context), "outcome": [min(1, value[context] * cls.coins.uniform(0.9, 1.1))]})
        for i in range(0, len(rows), 400):
            answer = service.json("POST", "/v1/learners/sites/outcomes", {"outcomes": rows[i:i + 400]})
            assert answer.get("accepted") == 400, answer
        rows = [{"id": str(i), "outcome": [cls.coins.choice([0.5, 1.3, 2.6]), 0.4]} for i in range(60)]
        for name in ("prices", "paused"):
            service.json("POST", f"/v1/learners/{name}/outcomes", {"outcomes": rows})
        service.json("POST", "/v1/learners/paused/quarantine", {"why": "looked at by Ann"})

    def rows(self):
        return self.js("return [...document.querySelectorAll('.tree tbody tr')].map(row => [...row.children].map(cell => cell.textContent.replaceAll('\\u00a0', ' ')))")

    def press(self, text):
        self.js("[...document.querySelectorAll('#segments button')].find(one => one.textContent === arguments[0]).click()", text)

    def expected(self):
        """What the log says of each segment: rounds, and how much more was earned than with the root's price."""
        sums = {}
        for line in self.service.ask("GET", "/v1/learners/sites/record")[2].splitlines()[1:-1]:
            row = json.loads(line)
            bid, price = row["outcome"][0], row["nodes"][0]["action"][0] / 20
            gain = 4 * (1 - row["loss"]) - (4 * price if bid >= price else 0)
            for depth in range(3):
                one = sums.setdefault(tuple(row["context"][:depth]), [0, 0.0])
                one[0] += 1
                one[1] += gain
        return sums

    def test_every_segment_is_in_the_tree_with_what_it_brought(self):
        self.open("#/sites")
        until(lambda: len(self.rows()) == 3)  # all, and the countries below
        sums = self.expected()
        found = {tuple(one["path"]): one for one in self.service.json("GET", "/v1/learners/sites/course")["segments"]["rows"]}
        self.assertEqual(set(found), set(sums))
        for path, (rounds, gain) in sums.items():
            self.assertEqual(found[path]["rounds"], rounds)
            self.assertAlmostEqual(found[path]["gain"], gain, places=6)
        self.assertGreater(sums[()][1], 20)
        rows = self.rows()
        self.assertEqual([row[0].split()[0] for row in rows], ["All", "de", "at"])  # most auctions first
        self.assertEqual([row[1] for row in rows], [f"{sums[path][0]:,}" for path in ((), ("de",), ("at",))])
        self.assertEqual(rows[0][3], f"+{sums[()][1]:,.0f}")
        self.assertRegex(rows[0][2], r"^\d\.\d\d$")
        self.says("#segments", f"By segment earned {sums[()][1]:,.0f} EUR more than one price learned for all, in the last 1,600 auctions")
        self.press("Open all")
        self.assertEqual(len(self.rows()), 7)
        newest = self.service.json("GET", "/v1/learners/sites/course")["recent"][0]["context"]
        self.assertAlmostEqual(sum(found[tuple(newest[:depth])]["share"] for depth in range(3)), 1, places=9)
        self.press("Close all")
        self.assertEqual(len(self.rows()), 3)  # the first level stays

    def test_segments_are_found_by_words_and_filters(self):
        self.open("#/sites")
        until(lambda: self.rows())
        set_ = lambda place, text: self.js("const one = document.querySelector(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event('input')); one.dispatchEvent(new Event('change'))", place, text)  # noqa: E731
        set_("#segment-find", "DE b")
        self.assertEqual([row[0].split()[0] for row in self.rows()], ["All", "de", "b"])
        self.says("#segments .tools", "1 of 7 segments")
        set_("#segment-find", "nowhere")
        self.says("#segments", "No segment fits.")
        self.assertEqual(self.rows(), [])
        self.js("[...document.querySelectorAll('#segments button')].find(one => one.textContent === 'Show all').click()")
        self.says("#segments .tools", "7 segments")
        set_("#segment-show", "few")
        few = [path for path, (rounds, _) in self.expected().items() if rounds < 100]
        self.says("#segments .tools", f"{len(few)} of 7 segments")

    def test_the_levels_are_drawn_and_have_their_numbers(self):
        self.open("#/sites")
        until(lambda: self.js("return document.querySelectorAll('#segments .plot .level').length") == 3)
        self.says("#segments .levels", "one price for all")
        self.says("#segments .levels", "by country")
        levels = self.service.json("GET", "/v1/learners/sites/course")["segments"]["levels"]
        self.assertEqual(sum(levels["rounds"]), 1600)
        for i in range(len(levels["rounds"])):
            self.assertAlmostEqual(sum(level[i] for level in levels["shares"]), 1, places=9)
        self.assertLessEqual(len(levels["rounds"]), 128)

    def test_a_phone_needs_no_sideways_scrolling(self):
        for scheme in ("light", "dark"):
            self.open("#/sites", 360, 740, scheme)
            until(lambda: self.rows())
            self.press("Open all")
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360)

    def test_prices_of_a_list_are_in_money(self):
        self.open("#/prices")
        decision = self.service.json("GET", "/v1/learners/prices/decision")
        values = [f"{LIST['problem']['params']['prices'][at]:.2f}" for at in decision["action"]]
        self.says(".tiles", f"bidder 1 {values[0]} · bidder 2 {values[1]} CHF")
        self.says(".btns", "Download prices")

    def test_one_that_was_stopped_by_hand_says_so(self):
        self.open("#/paused")
        self.says("h1", "paused was stopped by hand")
        self.says(".verdict", "Looked at by Ann")
        for text in ("Download the last prices", "Download the record as far as it goes", "Download the log"):
            self.says(".btns", text)
        self.says("#health", "One learner has stopped")
        self.assertNotIn("Healthy", self.text("#health"))


def setUpModule():
    chromium.set_up(lambda folder: None)


if __name__ == "__main__":
    main()
