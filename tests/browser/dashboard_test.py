"""The dashboard of `hannan serve` in headless Chromium: what it says, by keyboard and on a phone, with hostile names."""
import json
import sqlite3
import time

import chromium
from chromium import until
from dashboard import Dashboard, HOME, bids, main, tell

HOSTILE = "<img src=x onerror=window.hacked=1>\"'</script><script>window.hacked=1</script>"


class Figures(Dashboard):
    @classmethod
    def fill(cls, service):
        service.json("PUT", "/v1/learners/home", HOME)
        service.json("PUT", "/v1/learners/forum", HOME)
        service.json("PUT", "/v1/learners/early", HOME)
        service.json("PUT", "/v1/learners/empty", HOME)
        service.json("PUT", "/v1/learners/hidden", HOME)
        service.json("PUT", "/v1/learners/routes", {"problem": {"kind": "experts", "params": {"experts": 3}}})
        service.json("PUT", "/v1/learners/evil", {**HOME, "slots": [HOSTILE, HOSTILE + "2", "*"], "tags": {HOSTILE: HOSTILE}})
        for _ in range(5):
            tell(service, "home", [bids(cls.coins) for _ in range(200)], 1 + 200 * _)
        tell(service, "forum", [bids(cls.coins) for _ in range(120)])
        tell(service, "early", [bids(cls.coins) for _ in range(12)])
        tell(service, "routes", [[cls.coins.random() for _ in range(3)] for _ in range(150)])
        service.json("POST", "/v1/learners/evil/outcomes", {"outcomes": [{"id": HOSTILE + str(i), "outcome": bids(cls.coins)} for i in range(150)]})
        service.stop()
        # One line of the log is changed: such a learner stops, the others go on.
        with sqlite3.connect(cls.place / "log.db") as log:
            forum, = log.execute("select id from learner where name = 'forum'").fetchone()
            log.execute("delete from snapshot where learner = ?", (forum,))
            line = json.loads(log.execute("select line from round where learner = ? and t = 77", (forum,)).fetchone()[0])
            line["loss"] = 0.125
            log.execute("update round set line = ? where learner = ? and t = 77", (json.dumps(line, separators=(",", ":")), forum))
        log.close()
        service.start()
        until(lambda: service.json("GET", "/readyz")["ready"])

    def test_the_list_says_what_is_earned_and_who_needs_attention(self):
        self.open()
        self.says("h1", "earn")
        answer = self.service.json("GET", "/v1/learners?sort=attention")
        usd, = [one for one in answer["summary"]["money"] if one["currency"] == "USD"]
        self.says("h1", f"{usd['gain']:,.0f} USD more than without reserve prices")
        self.says("main", "1 of 7 needs attention: one has stopped")
        self.assertEqual(self.js("return document.querySelector('.list tbody th a').textContent"), "forum")
        self.says(".list tbody tr", "Stopped")
        self.says(".list tbody tr", "round 77: found another loss in the log")
        self.says("#health", "One learner has stopped")
        self.assertNotIn("Healthy", self.text("#health"))
        for part in ("outcomes of the others are saved", "disk ", "up ", "version "):
            self.assertIn(part, self.text("#health"))

    def test_gains_are_those_of_the_record(self):
        one = self.service.json("GET", "/v1/learners/home")
        lines = [json.loads(line) for line in self.service.ask("GET", "/v1/learners/home/record")[2].splitlines()]
        # Without reserve prices the second highest bid is paid.
        without = sum(5 * sorted(line["outcome"])[-2] for line in lines[1:-1])
        earned = sum(5 * (1 - line["loss"]) for line in lines[1:-1])
        self.assertAlmostEqual(one["money"]["without"], without, places=6)
        self.assertAlmostEqual(one["money"]["total"], earned, places=6)
        self.assertAlmostEqual(one["gain"]["value"], earned - without, places=6)
        judged = one["judgement"]
        self.assertEqual([one["gain"]["low"], one["gain"]["high"]], judged["range"])
        self.assertAlmostEqual(judged["gain"], sum(5 * (1 - line["loss"]) - 5 * sorted(line["outcome"])[-2] for line in lines[1:1 + judged["round"]]), places=6)
        self.assertLess(one["gain"]["low"], judged["gain"])
        course = self.service.json("GET", "/v1/learners/home/course")
        self.assertEqual((course["behind"], course["last"]), (0, 1000))
        self.assertAlmostEqual(sum(course["days"]["gain"]), earned - without, places=6)
        self.assertEqual([seen["round"] for seen in course["recent"]], list(range(1000, 980, -1)))
        bounds = self.service.json("GET", "/v1/learners/home/curve?points=10")["bounds"]
        report = self.service.json("GET", "/v1/learners/home/report")
        self.assertEqual(bounds["certain"], sorted(bounds["certain"]), "limits do not fall")
        self.assertLessEqual(bounds["certain"][-1], report["limit"])
        self.assertLess(one["promise"]["used"], 1)

    def test_finding_sorting_tags_and_status(self):
        self.open()
        self.says("#count", "7 of 7 learners")
        self.key("/")
        self.assertEqual(self.js("return document.activeElement.id"), "find")
        self.driver.switch_to.active_element.send_keys("SITE=NEWS")
        self.says("#count", "5 of 7")
        self.key("ESCAPE")
        self.says("#count", "7 of 7")
        self.driver.switch_to.active_element.send_keys("no such")
        self.says("#count", "0 of 7")
        self.says("main", "No learner matches")
        self.js("[...document.querySelectorAll('section button')].find((b) => b.textContent.startsWith('Show all')).click()")
        self.says("#count", "7 of 7")
        names = lambda: self.js("return [...document.querySelectorAll('.list tbody th a')].map((a) => a.textContent)")  # noqa: E731
        self.js("[...document.querySelectorAll('.list thead button')].find((b) => b.textContent === 'Rounds').click()")
        until(lambda: names()[:2] == ["home", "evil"] or names()[0] == "home")
        self.assertEqual(self.js("return document.querySelector('[aria-sort]').textContent"), "Rounds")
        self.js("const s = document.querySelector('#sort'); s.value = 'name'; s.dispatchEvent(new Event('change'))")
        until(lambda: names() == sorted(names()))
        self.js("[...document.querySelectorAll('.tag')].find((b) => b.textContent === 'site=news').click()")
        self.says("#count", "5 of 7")
        self.js("document.querySelector('#find').value = ''; const s = document.querySelector('#show'); s.value = 'attention'; s.dispatchEvent(new Event('change'))")
        until(lambda: names() == ["forum"])

    def test_a_learner_in_money_with_its_promise(self):
        self.open("#/home")
        one = self.service.json("GET", "/v1/learners/home")
        self.says("h1", f"home earns {one['gain']['value']:,.0f} USD more than without reserve prices: +")
        self.assertEqual(one["judgement"]["recommendation"], "deploy")
        self.says(".advice", "Learning, promise kept")
        self.says(".lede", f"{one['money']['total']:,.0f} USD instead of {one['money']['without']:,.0f} USD, in 1,000 auctions. 95 % range +")
        self.says(".tiles", "With 95 % certainty at most")
        self.says(".tiles", "each round in the mean over its own draw; expected regret, estimated bound")
        decision = self.service.json("GET", "/v1/learners/home/decision")
        self.says(".tiles", " · ".join(f"{'others' if name == '*' else name} {value:.2f}" for name, value in decision["prices"].items()) + " USD")
        self.assertEqual(len(self.js("return document.querySelectorAll('.two svg[role=img][aria-label]')")), 2)
        self.assertRegex(self.js("return document.querySelectorAll('.two svg')[1].getAttribute('aria-label')"), r"; limit [\d.,]+\xa0USD$")
        self.assertEqual(len(self.js("return document.querySelectorAll('.multi figure')")), 3)
        self.assertEqual(self.js("return document.querySelectorAll('.dense tbody tr').length"), 20)
        self.js("document.querySelector('details.fold').open = true")
        self.says("details.fold", "played: the decision that was used")
        self.says("details.fold", "limit ≤")
        self.says("details.fold", "with this certainty, at every round so far at once: the regret, each round in the mean over its own draw, is at most this")
        self.says("details.fold", "is at most its mean over the learner's noise; one value bounds nothing")
        self.assertEqual(self.js("return document.querySelectorAll('h1').length"), 1)

    def test_what_comes_in_is_shown_without_loading_the_page_again(self):
        self.open("#/early")
        self.says("h1", "12 auctions are too few for a judgement")
        self.js("window.same = true")
        tell(self.service, "early", [bids(self.coins)], first=13)
        self.says("h1", "13 auctions are too few")
        self.assertTrue(self.js("return window.same"))
        self.key("P")
        until(lambda: "Go on" in self.text(".crumb"))
        tell(self.service, "early", [bids(self.coins)], first=14)
        time.sleep(2.5)
        self.says("h1", "13 auctions")
        self.key("P")
        self.says("h1", "14 auctions")

    def test_a_learner_is_compared_with_another(self):
        self.open("#/home")
        self.says("figcaption", "Earned more than without reserve prices")
        self.js("document.querySelector('#rival').dispatchEvent(new Event('focus'))")
        names = lambda: self.js("return [...document.querySelectorAll('#rival option')].map(one => one.value)")
        until(lambda: "early" in names())
        self.assertNotIn("home", names())
        self.assertNotIn("routes", names())  # of another problem
        choose = """const pick = document.querySelector(arguments[0]); pick.value = arguments[1];
                    pick.dispatchEvent(new Event('change'))"""
        self.js(choose, "#rival", "early")
        self.says("figcaption", "brought more than with early")
        self.js(choose, "figure select", "days")  # in one of which both had outcomes
        self.says("figcaption", "brought more than with early, by day")
        self.js("document.querySelector('figure details.numbers summary').click()")
        cells = "return [...document.querySelectorAll('figure details.numbers tbody tr:last-child td')].map(one => one.textContent)"
        until(lambda: len(self.js(cells)) == 5)
        mean, rounds = {}, {}
        for name in ("home", "early"):
            days = self.service.json("GET", f"/v1/learners/{name}/course")["days"]
            mean[name], rounds[name] = days["value"][-1] / days["rounds"][-1], days["rounds"][-1]
        row = [float(text.replace("\u2212", "-").replace(",", "").replace("\u00a0", "")) for text in self.js(cells)]
        self.assertEqual(row[:2], [rounds["home"], rounds["early"]])
        for found, expected in zip(row[2:], (mean["home"], mean["early"], mean["home"] - mean["early"])):
            self.assertAlmostEqual(found, expected, delta=0.02)
        self.js(choose, "#rival", "")
        self.says("figcaption", "without reserve prices")

    def test_a_learner_without_money_and_one_without_rounds(self):
        self.open("#/routes")
        self.says("h1", "routes is ")
        self.says("h1", "the best fixed choice")
        self.open("#/empty")
        self.says("h1", "No auction has been played")
        self.open("#/nowhere")
        self.says("h1", "There is no learner nowhere")

    def test_states_have_words_and_a_thing_to_do(self):
        self.open("#/forum")
        self.says(".advice", "forum has stopped learning")
        self.says("h1", "Auction 77 does not come out as it was logged")
        self.says(".verdict", "Do this:")
        verdict = lambda one: self.js("const v = learnerVerdict(arguments[0], {title: '', thing: 'prices', round: 'auction'}); return [v.kind, v.advice, v.lede]", {"name": "x", **one})  # noqa: E731
        self.assertEqual(verdict({"status": "cold"})[:2], ["unsure", "Being loaded"])
        stale = verdict({"status": "cold", "rounds": 7, "total": 3})
        self.assertEqual(stale[:2], ["warn", "Old figures"])
        self.assertIn("after auction 7", stale[2])
        self.assertEqual(verdict({"status": "moving", "rounds": 7})[1], "Moving")
        over = {"status": "ready", "rounds": 500, "total": 9, "best": 1, "regret": 8, "promise": {"used": 1.5, "used_range": [1.5, 1.5], "certain": 5}, "money": None, "gain": None, "judgement": None}
        self.assertEqual(verdict(over)[:2], ["worse", "Beyond its promise"])
        # A best that is not proven: only a regret that is surely above the limit breaks the promise.
        open_ = {**over, "best_range": [-2, 1], "regret_range": [8, 11], "promise": {"used": 0.8, "used_range": [0.8, 1.1], "certain": 10}}
        self.assertEqual(verdict(open_)[:2], ["unsure", "Learning; whether the promise is kept is not proven"])
        self.assertIn("the best fixed prices, known only afterwards, from \u22122 to 1: it is not proven which", verdict(open_)[2])
        # Colours and words of a gain are those of its judgement, whatever the figures are.
        gains = {**over, "promise": None, "money": {"currency": "USD", "reward": True, "unit": 1, "total": 20, "best": 30, "without": 10},
                 "gain": {"value": 10, "low": 9, "high": 11}}
        judged = {"round": 500, "recommendation": "cannot tell", "says": "this log cannot tell: why", "reason": "why it is open", "doubts": [], "gain": 10, "range": [9, 11]}
        for advice, kind, words in (("deploy", "better", "Learning"), ("keep", "unsure", "Learning; no gain worth a change"),
                                    ("cannot tell", "unsure", "Learning; more or less cannot be told")):
            found = verdict({**gains, "judgement": {**judged, "recommendation": advice}})
            self.assertEqual(found[:2], [kind, words])
            self.assertEqual("Why it is open" in found[2], advice != "deploy")
        self.assertEqual(verdict({**gains, "judgement": None})[:2], ["unsure", "Learning; not judged"])
        colour = lambda one: self.js("return gainClass(arguments[0])", one)  # noqa: E731
        self.assertEqual([colour({**gains, "judgement": {**judged, "recommendation": advice}}) for advice in ("deploy", "keep", "cannot tell")], ["pos", "nul", "nul"])
        row = lambda one: self.js("const s = stateOf(arguments[0]); return [s.text, s.about]", one)  # noqa: E731
        self.assertEqual(row({"status": "cold", "rounds": 3})[0], "Old figures")
        self.assertEqual(row({"status": "cold"})[0], "Being loaded")
        silent = row({"status": "ready", "rounds": 9, "feedback": {"silent": True, "time": 1000 * time.time() - 720000, "gap": 40000}})
        self.assertEqual(silent, ["No feedback", "for 12\u00a0min; usual gap 40\u00a0s"])

    def test_verify_now_accepts_a_record_and_rejects_a_changed_one(self):
        button = "[...document.querySelectorAll('.btns button')].find((b) => b.textContent.startsWith('Check'))"
        self.open("#/home")
        self.says(".tiles", "not checked since")
        self.js(button + ".click()")
        self.says(".box", "Checked: computed again by separate code, and agrees")
        self.says(".box", "1,000 rounds")
        self.says(".tiles", "agrees")
        self.assertEqual(self.service.json("GET", "/v1/learners/home/verify")["state"], "holds")
        self.open("#/forum")
        until(lambda: self.js(f"return Boolean({button})"))
        self.js(button + ".click()")
        self.says(".box", "This record does not hold")
        self.assertRegex(self.text(".box"), r"forum:78: .*0\.125")  # line 1 is the head of the record
        moved = {"state": "continues", "rounds": 40, "started": 1, "seconds": 2, "checked": ["every row"], "trusted": ["the state <b>"]}
        box = self.js("return [checkBox(arguments[0]).textContent, checkedText(arguments[0], 41)]", moved)
        self.assertRegex(box[0], "Checked since its state: played again, and agrees.*Up to round 40.*Taken on trust: the state <b>")
        self.assertRegex(box[1], r"checked since its state, at .*, up to round 40 \(1 more since\): agrees")

    def test_hostile_names_are_text(self):
        for path, seen in (("", ".tags"), ("#/evil", ".dense")):
            self.open(path)
            until(lambda: HOSTILE in self.text("main"))
            self.assertIn(HOSTILE, self.text("main"))
            time.sleep(0.5)
            self.assertIsNone(self.js("return window.hacked ?? null"))
            self.assertEqual(self.js("return document.querySelectorAll('main img, main script').length"), 0)
        self.open("#/" + "%3Cimg%20src=x%20onerror=window.hacked=1%3E")
        self.says("h1", "There is no learner <img")
        self.open("#/%")
        self.says("main", "All learners")
        self.assertIsNone(self.js("return window.hacked ?? null"))

    def test_only_this_service_is_asked_and_only_its_own_script_runs(self):
        headers = self.service.ask("GET", "/")[1]
        policy = headers["Content-Security-Policy"]
        self.assertNotIn("unsafe", policy)
        self.assertIn("default-src 'none'", policy)
        self.open("#/home")
        self.says("h1", "earns")
        found = self.requests()
        self.assertTrue(found)
        self.assertEqual([url for url in found if not url.startswith((f"http://127.0.0.1:{self.service.port}/", "data:", "about:"))], [])
        self.assertEqual(self.driver.get_log("browser"), [])
        # What would get into the page is stopped by its policy.
        self.assertEqual(self.js("""const s = document.createElement('style'); s.textContent = 'body { width: 7px }'; document.head.append(s);
            return document.body.offsetWidth > 7"""), True)
        self.assertIn("TrustedHTML", self.js("try { document.body.innerHTML = '<b>'; return '' } catch (error) { return error.message }"))

    def test_without_scripts_the_first_bytes_have_the_facts(self):
        page = self.service.ask("GET", "/")[2].decode()
        table = page[page.index("<table>"):page.index("</table>")]
        self.assertIn('<a href="v1/learners/home">home</a></th><td>ready</td><td>1000</td>', table)
        self.assertIn("quarantined: round 77", table)

    def test_all_by_keyboard(self):
        self.open()
        self.says("#count", "7 of 7")
        for expected in ("forum", "early"):
            self.key("ARROW_DOWN")
            self.assertEqual(self.js("return document.activeElement.textContent"), expected)
        self.key("ARROW_UP")
        self.key("ENTER")
        self.says(".advice", "forum has stopped")
        self.key("ESCAPE")
        self.says("#count", "7 of 7")
        self.open("#/home")
        self.says("h1", "earns")
        self.key("p")  # so that no new drawing takes the focus away
        self.js("document.querySelectorAll('.two .plot')[1].focus()")
        self.key("HOME")
        self.says(".two .plot.reading .tip", "Auction ")
        first = self.text(".two .plot.reading .tip")
        self.key("ARROW_RIGHT")
        self.assertNotEqual(self.text(".two .plot.reading .tip"), first)
        self.assertEqual(self.js("return [...document.querySelectorAll('button, input, select')].filter((e) => e.tabIndex < 0).length"), 0)

    def test_a_chart_has_its_numbers_as_a_table(self):
        self.open("#/home")
        self.says("h1", "earns")
        self.js("document.querySelectorAll('.two details.numbers')[1].open = true")
        until(lambda: self.js("return document.querySelectorAll('.two details.numbers')[1].querySelectorAll('tbody tr').length") > 50)

    def test_a_phone_needs_no_sideways_scrolling_in_both_colours(self):
        for path in ("", "#/home", "#/evil", "#/forum"):
            for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(17, 23, 29)")):
                self.open(path, width=360, height=740, scheme=scheme)
                until(lambda: self.js("return document.querySelectorAll('.list tbody tr, .verdict .advice').length") > 0)
                wide = self.js("return [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > 361).map((e) => e.tagName + '.' + (e.getAttribute('class') ?? ''))")
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360, (path, wide))
                self.assertEqual(self.js("return getComputedStyle(document.documentElement).backgroundColor"), colour)
        small = self.js("return [...document.querySelectorAll('.btn')].filter((b) => b.offsetHeight > 0 && b.offsetHeight < 44).map((b) => b.textContent)")
        self.assertEqual(small, [])

    def test_a_hidden_page_draws_nothing(self):
        self.open("#/hidden")
        self.says("h1", "No auction has been played")
        self.js("""document.addEventListener('visibilitychange', () => { window[document.hidden ? 'atHide' : 'atShow'] = page.draws })""")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            time.sleep(0.5)
            tell(self.service, "hidden", [bids(self.coins) for _ in range(3)])
            time.sleep(2.5)
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)
        self.says("h1", "3 auctions are too few")
        self.assertEqual(self.js("return window.atShow - window.atHide"), 0)


class Unproven(Dashboard):
    """Searches of one node leave the best of 160,000 reserves open."""

    @classmethod
    def fill(cls, service):
        problem = {"kind": "vcg-reserves", "params": {"bidders": 4, "levels": 20}}
        service.json("PUT", "/v1/learners/open", {"problem": problem, "learner": {"params": {"oracle": "branch_bound:1"}},
                                                  "slots": ["a", "b", "c", "*"], "cap": 5.0, "currency": "USD"})
        service.json("PUT", "/v1/learners/bare", {"problem": problem, "learner": {"params": {"oracle": "branch_bound:1"}}})
        for name in ("open", "bare"):
            tell(service, name, [[*bids(cls.coins), 0.3] for _ in range(45)])

    def test_the_best_is_a_range_wherever_it_is_spoken_of(self):
        one = self.service.json("GET", "/v1/learners/open")
        low, high = (5 * value for value in one["regret_range"])
        self.assertLess(low, high)
        self.open("#/open")
        self.says(".advice", "Learning; more or less cannot be told")
        self.says(".lede", "The best fixed decision is not proven")
        whole = lambda value: f"{value:,.0f}" if value >= 10 else f"{value:,.2f}"  # noqa: E731
        self.says(".tiles", f"from {whole(low)} to {whole(high)} USD: it is not proven which")
        self.assertIn(f"from {whole(low)} to {whole(high)}", self.js("return document.querySelectorAll('.two svg')[1].getAttribute('aria-label')"))
        self.says(".two", "it is not proven which prices are the best")
        self.js("document.querySelector('details.fold').open = true")
        self.says("details.fold", "best fixed choice: not proven which")
        self.open()
        self.says(".list tbody", "not proven")
        self.says(".list tbody", f"from {whole(low)} to {whole(high)} USD")
        self.says(".lede", "1 cannot be told")
        self.assertEqual(self.js("return document.querySelectorAll('.list .pos, .verdict.better').length"), 0)


def setUpModule():
    chromium.set_up(lambda folder: None)


if __name__ == "__main__":
    main()
