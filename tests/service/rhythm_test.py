"""When a learner counts as silent: by its own rhythm, as its log has it."""
import sqlite3
import time

from server import ServerTest, main

EXPERTS = {"problem": {"kind": "experts", "params": {"experts": 2}}}
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


class Rhythm(ServerTest):
    def silent(self, name, ages):
        """Of a learner whose outcomes came so many milliseconds ago, the oldest first."""
        self.make(name, EXPERTS)
        rows = [{"id": str(i), "outcome": [i % 2, 1]} for i in range(len(ages))]
        self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"outcomes": rows})[0], 200)
        self.server.kill()
        now = int(1000 * time.time())
        with sqlite3.connect(self.folder / "log.db") as log:
            number, = log.execute("select id from learner where name = ?", (name,)).fetchone()
            log.executemany("update round set time = ? where learner = ? and t = ?",
                            [(now - age, number, i + 1) for i, age in enumerate(ages)])
        log.close()
        self.server.start()
        deadline = time.monotonic() + 20
        while True:  # looked up after the first question
            row, = [one for one in self.server.json("GET", "/v1/learners")["learners"] if one["name"] == name]
            if row["feedback"] and row["course"]:
                break
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(self.server.json("GET", f"/v1/learners/{name}/course")["feedback"]["silent"], row["feedback"]["silent"])
        return row["feedback"]["silent"]

    def test_is_that_of_its_log(self):
        steady = lambda gap, count, since: [since + gap * i for i in reversed(range(count))]  # noqa: E731
        # Every ten seconds: a minute is nothing, five are ten times as long as is usual and more.
        self.assertFalse(self.silent("steady", steady(10_000, 60, 50_000)))
        self.assertTrue(self.silent("gone", steady(10_000, 60, 5 * MINUTE)))
        # Every hour: two are usual, a day is not.
        self.assertFalse(self.silent("hourly", steady(HOUR, 60, 2 * HOUR)))
        self.assertTrue(self.silent("hourly-gone", steady(HOUR, 60, DAY)))
        # All outcomes of a day within two seconds, every night: silent after two nights, not after a minute.
        nights = lambda since: [since + day * DAY + second for day in reversed(range(5)) for second in range(2000, 0, -20)]  # noqa: E731
        self.assertFalse(self.silent("nightly", nights(DAY - HOUR)))
        self.assertTrue(self.silent("nightly-gone", nights(3 * DAY)))
        # Many by day, none by night.
        days = lambda since: [since + day * DAY + MINUTE * i for day in reversed(range(4)) for i in reversed(range(600))]  # noqa: E731
        self.assertFalse(self.silent("day", days(10 * HOUR)))
        self.assertTrue(self.silent("day-gone", days(40 * HOUR)))


if __name__ == "__main__":
    main()
