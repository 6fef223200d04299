"""Rounds that are rehearsed: everyone learns from them, nothing of them is charged, printed as played, or judged."""
import json
import random

from compared_logs import ComparedLogs, players_of
from pipe_test import PipeTest
from program import FolderTest, csv_text, hannan, losses, main

FIRST, ROUNDS = 20, 90


def bids(rounds, bidders, seed=1):
    coins = random.Random(seed)
    return [[round(coins.expovariate(1) * (2 + i), 2) for i in range(bidders)] for _ in range(rounds)]


def altered(value):
    """Another value of the same type."""
    return not value if isinstance(value, bool) else value + 1


class Runs(FolderTest):
    def setUp(self):
        super().setUp()
        self.rows = losses(ROUNDS, 4, seed=5)
        self.data = self.file("losses.csv", csv_text(self.rows))
        self.rest = self.file("rest.csv", csv_text(self.rows[FIRST:]))

    def report(self, *words):
        return json.loads(self.ok("run", "experts", "--json", *words).out)

    def test_the_decisions_of_the_played_rounds_are_those_of_a_run_that_played_all(self):
        all_of_it, played = self.folder / "all.csv", self.folder / "played.csv"
        whole = self.report("-d", self.data, "-p", all_of_it)
        warm = self.report("-d", self.data, "--warm", str(FIRST), "-p", played)
        lines = all_of_it.read_text().splitlines()
        self.assertEqual(played.read_text().splitlines(), lines[:1] + lines[1 + FIRST:])
        lost = sum(float(line.split(",")[2]) for line in lines[1:1 + FIRST])
        rehearsed = warm.pop("rehearsed")
        self.assertEqual(warm, whole)
        self.assertEqual((rehearsed["rounds"], rehearsed["played"]), (FIRST, ROUNDS - FIRST))
        self.assertAlmostEqual(rehearsed["total"], lost, delta=1e-9)
        self.assertAlmostEqual(rehearsed["played_total"], whole["total"] - lost, delta=1e-9)

    def test_cold_passes_over_the_rounds(self):
        cold = self.report("-d", self.data, "--warm", str(FIRST), "--cold")
        self.assertEqual(cold, self.report("-d", self.rest))
        self.assertNotIn("rehearsed", cold)

    def test_the_text_says_what_was_played(self):
        said = self.ok("run", "experts", "-d", self.data, "--warm", str(FIRST)).out.decode()
        self.assertIn(f"the first {FIRST} rounds were rehearsed: learned from, not played; the {ROUNDS - FIRST} played ones", said)
        self.assertNotIn("\n         1 ", said)

    def test_rounds_of_the_rehearsal_are_not_those_of_rounds(self):
        report = self.report("-d", self.data, "--warm", str(FIRST), "--rounds", "10")
        self.assertEqual((report["rounds"], report["rehearsed"]["played"]), (FIRST + 10, 10))

    def test_a_rehearsal_of_everything_is_refused(self):
        done = hannan("run", "experts", "-d", self.data, "--warm", str(ROUNDS), "-q")
        self.assertIn(b"H206", done.err)
        self.assertIn(b"--warm", done.err)

    def test_prices_of_the_first_rows_need_data_that_is_read_twice(self):
        done = hannan("run", "vcg-reserves", "--prices", "quantiles:3", "--warm", "2", "-d", "-", "-q", stdin=b"1,2\n3,4\n2,2\n")
        self.assertIn(b"H108", done.err)
        self.assertIn(b"--cold", done.err)

    def test_a_resumed_run_ends_with_the_bytes_of_a_whole_one(self):
        def files(name):
            return {kind: self.folder / f"{name}.{kind}" for kind in ("record", "decisions", "state")}

        def args(to, *words):
            return ["run", "experts", "-d", self.data, "--warm", str(FIRST), "-q", "--record", to["record"],
                    "-p", to["decisions"], "--save", to["state"], *words]

        whole = files("whole")
        self.ok(*args(whole))
        for rounds in ("0", "7"):  # within the rehearsal nothing is played
            part = files("part" + rounds)
            hannan(*args(part, "--rounds", rounds))
            self.ok("run", "experts", "-d", self.data, "-q", "--record", part["record"], "-p", part["decisions"],
                    "--save", part["state"], "--resume", part["state"])
            for kind, path in whole.items():
                self.assertEqual(part[kind].read_bytes(), path.read_bytes(), (rounds, kind))


class Records(FolderTest):
    def recorded(self, problem, data, *words):
        file = self.folder / "run.jsonl"
        done = hannan("run", problem, "-d", data, "-q", "--record", file, *words)
        self.assertIn(done.status, (0, 1), done.err)
        return file

    def forged(self, file, change):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        change(lines)
        digest = 0xCBF29CE484222325
        out = [json.dumps(line, separators=(",", ":")) for line in lines[:-1]]
        end = json.dumps(lines[-1]["end"], separators=(",", ":"))
        for byte in ("".join(line + "\n" for line in out) + end).encode():
            digest = (digest ^ byte) * 0x100000001B3 % 2**64
        other = self.folder / "forged.jsonl"
        other.write_text("".join(line + "\n" for line in out) + f'{{"end":{end},"digest":"{digest:016x}"}}\n')
        return other

    def test_records_of_every_kind_of_turn_verify_and_altered_ones_do_not(self):
        rows = losses(40, 3, seed=2)
        sleeping = [[None if (t + i) % 5 == 0 else v for i, v in enumerate(row)] for t, row in enumerate(rows)]
        cells = "".join(",".join("" if v is None else repr(v) for v in row) + "\n" for row in sleeping).encode()
        by = "site,a,b,c\n" + "".join(f"s{t % 2},{','.join(map(repr, row))}\n" for t, row in enumerate(rows))
        for name, data, words in (("leader", csv_text(rows), ["-l", "leader"]), ("flipflop", csv_text(rows), []),
                                  ("asleep", cells, ["-l", "adahedge", "--missing", "sleep"]), ("by", by.encode(), ["--by", "site"])):
            with self.subTest(name):
                file = self.recorded("experts", self.file(f"{name}.csv", data), "--warm", "12", *words)
                lines = file.read_text().splitlines()
                self.assertEqual(["warm" in json.loads(line) for line in lines[1:-1]], [True] * 12 + [False] * 28)
                self.ok("verify", file)

                def drop(lines):
                    del lines[5]["warm"]

                def late(lines):
                    lines[20]["warm"] = True

                def silent(lines):
                    del lines[-1]["end"]["rehearsed"]

                changes = [drop, late, silent]
                for field in json.loads(lines[-1])["end"]["rehearsed"]:
                    changes.append(lambda lines, field=field: lines[-1]["end"]["rehearsed"].update(
                        {field: altered(lines[-1]["end"]["rehearsed"][field])}))
                for change in changes:
                    done = hannan("verify", self.forged(file, change))
                    self.assertEqual(done.status, 3, (name, done.out, done.err))

    def test_the_record_is_held_against_the_data_without_flags(self):
        data = self.file("bids.csv", csv_text(bids(30, 2)))
        file = self.recorded("vcg-reserves", data, "--prices", "quantiles:4", "--warm", "10")
        self.assertIn(b"what was lost in the 10 rounds that were rehearsed", self.ok("verify", file, "-d", data).out)

    def test_no_rehearsal_leaves_no_trace(self):
        data = self.file("losses.csv", csv_text(losses(20, 3)))
        state = self.folder / "state.json"
        file = self.recorded("experts", data, "--save", state)
        for text in (file.read_text(), state.read_text()):
            self.assertNotIn("warm", text)
            self.assertNotIn("rehears", text)


class Comparisons(ComparedLogs):
    def exchange(self):
        rows = bids(200, 3, seed=4)
        self.file("bids.csv", csv_text(rows))
        return self.log("round,bidder,bid", [(t, f"b{i}", v) for t, row in enumerate(rows) for i, v in enumerate(row)])

    def test_everyone_learns_from_the_first_rounds_and_is_charged_for_the_others(self):
        log = self.exchange()
        flags = ["vcg-reserves", "-d", log, "--format", "long", "-l", "flipflop", "-l", "leader", "--prices"]
        warm, said = self.compared(*flags, "quantiles:5")
        self.assertEqual((warm["rehearsed"], warm["rounds"]), (20, 180))
        self.assertIn("the first 20 are rehearsed: everyone learns from them, and prices come from their bids", said)
        self.assertIn("The first 20 auctions are a rehearsal.", self.page)
        prices = ",".join(map(repr, warm["params"]["prices"]))
        whole, _ = self.compared(*flags, prices)
        cold, _ = self.compared(*flags, prices, "--warm", "20", "--cold")
        self.assertEqual((cold["rounds"], cold["not_played"]), (180, 20))
        again, said = self.compared(*flags, prices, "--warm", "20")
        self.assertIn("the first 20 are rehearsed: everyone learns from them\n", said)
        for name in ("flipflop", "leader", "no reserve", "monopoly price", "as logged"):
            series = players_of(whole)[name]["series"]["money"]
            at = whole["series"]["round"]
            expected = series[-1] - series[at.index(20)]
            for result in (warm, again):
                self.assertAlmostEqual(players_of(result)[name]["money"], expected, delta=1e-6, msg=name)
        for name in ("best fixed", "best uniform", "as logged", "no reserve"):
            if name in players_of(cold):
                self.assertAlmostEqual(players_of(warm)[name]["money"], players_of(cold)[name]["money"], delta=1e-6, msg=name)
        for name in ("flipflop", "leader"):
            self.assertAlmostEqual(players_of(warm)[name]["regret"], players_of(whole)[name]["regret"], delta=1e-6)
            self.assertEqual(players_of(warm)[name]["report"]["rounds"], 200)

    def test_a_result_without_a_rehearsal_does_not_speak_of_one(self):
        result, said = self.compared("vcg-reserves", "-d", self.exchange(), "--format", "long", "--prices", "0,1,2")
        self.assertNotIn("rehearse", json.dumps(result) + said + self.page)


class Pipes(PipeTest):
    def test_a_round_is_rehearsed_only_before_the_first_that_is_played(self):
        self.ok(op="problem", name_it="p", kind="experts", params={"experts": 2})
        self.ok(op="learner", name_it="l", of="p", kind="flipflop")
        for outcome in ([0, 1], [0.5, 0.25]):
            self.ok(op="observe", of="l", outcome=outcome, warm=True)
        self.ok(op="observe", of="l", outcome=[1, 0])
        report = self.ok(op="report", of="l")
        self.assertEqual((report["rounds"], report["rehearsed"]["rounds"], report["rehearsed"]["played"]), (3, 2, 1))
        state = self.ok(op="save", of="l")["state"]
        self.refused("H105", "warm", op="observe", of="l", outcome=[1, 0], warm=True)
        self.assertEqual(self.ok(op="save", of="l")["state"], state)
        self.ok(op="load", name_it="again", state=state)
        self.assertEqual(self.ok(op="report", of="again"), report)
        self.ok(op="learner", name_it="late", of="p", kind="ada", params={"delayed": True})
        self.refused("H108", "warm", op="observe", of="late", round=1, outcome=[1, 0], warm=True)


if __name__ == "__main__":
    main()
