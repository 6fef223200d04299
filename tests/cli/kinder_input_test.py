"""Stumbles of a first day: mistyped names, columns of dates, missing parameters, files of another kind, rounds out of order."""
import json
import re

from program import FolderTest, hannan, main

NAMED = b"alice,bob,carol\n0.1,0.5,0.9\n0.2,0.4,0.3\n0.3,0.1,0.9\n0.2,0.3,0.3\n"
DATED = b"day,alice,bob\n2024-01-01,0.1,0.5\n2024-01-02,0.2,0.4\n2024-01-03,0.3,0.1\n"
SCATTERED = b"round,time,bidder,bid\nb,30,x,5\na,9,x,4\nb,31,y,2\na,10,y,3\nc,2,x,1\nc,3,y,2\n"


class Stumble(FolderTest):
    def refused(self, code, status, *args):
        """The one line of the message, without its code."""
        done = hannan(*args)
        match = re.fullmatch(rb"hannan: (H\d{3}): ([^\n]*)\n", done.err)
        self.assertIsNotNone(match, (args, done.status, done.err))
        self.assertEqual((match[1].decode(), done.status), (code, status), done.err)
        return match[2].decode()


class NamesThatAreMistyped(Stumble):
    def test_the_nearest_command_problem_learner_or_flag_is_named(self):
        table = self.file("e.csv", NAMED)
        for args, code, meant in (
                (["rnu"], "H100", "run"),
                (["convrt", "x.csv"], "H100", "convert"),
                (["run", "vcg-reserve"], "H106", "vcg-reserves"),
                (["run", "VCG_reserves"], "H106", "vcg-reserves"),
                (["show", "routng"], "H106", "routing"),
                (["run", "experts", "-d", table, "-l", "flipflp"], "H106", "flipflop"),
                (["compare", "experts", "-d", table, "-l", "hedg"], "H106", "hedge"),
                (["run", "experts", "--dta", table], "H100", "--data"),
                (["run", "experts", f"--recrd={table}"], "H100", "--record"),
                (["run", "experts", "-d", table, "--track", "evry"], "H100", "every"),
                (["run", "experts", "-d", table, "--set", "sed=1"], "H103", "seed"),
                (["run", "vcg-reserves", "-d", table, "--param", "level=4", "--param", "levels=4"], "H103", "levels"),
                (["simulate", "experts", "--stream", "kiler"], "H106", "killer"),
                (["help", "vcg"], "H106", "vcg-reserves"),
                (["convert", self.file("log.csv", SCATTERED), "--cap", "9", "--bidder", "biddr"], "H106", "bidder")):
            with self.subTest(args=args):
                self.assertIn(f'(did you mean "{meant}"?)', self.refused(code, 2, *args))

    def test_nothing_is_suggested_where_nothing_is_near(self):
        self.assertNotIn("did you mean", self.refused("H100", 2, "zebra"))
        self.assertNotIn("did you mean", self.refused("H106", 2, "run", "zebra"))
        self.assertNotIn("did you mean", self.refused("H100", 2, "run", "experts", "--zebra"))


class ParametersThatAreMissing(Stumble):
    def test_all_of_them_are_in_one_message_with_a_value_each(self):
        message = self.refused("H102", 2, "show", "vcg-reserves")
        self.assertRegex(message, r"vcg-reserves needs --param bidders=4 \([^)]+\), --param levels=20 \([^)]+\); hannan help vcg-reserves explains them$")
        message = self.refused("H102", 2, "show", "level-auction", "--param", "levels=8")
        self.assertIn("needs --param bidders=3 (", message)
        self.assertIn(", --param thresholds=2 (", message)
        self.assertNotIn("--param levels", message)

    def test_what_the_data_says_is_not_asked_for(self):
        table = self.file("bids.csv", b"x,y\n0.5,0.25\n")
        message = self.refused("H102", 2, "run", "vcg-reserves", "-d", table)
        self.assertIn("needs --param levels=20 (", message)
        self.assertNotIn("bidders=", message)
        self.assertIn("--param thresholds=2", self.refused("H102", 2, "run", "level-auction", "-d", table))
        message = self.refused("H102", 2, "run", "vcg-reserves", "-d", self.file("bids.jsonl", b"[0.5,0.25]\n"))
        self.assertIn("--param bidders=4 (", message)
        self.assertIn("--param levels=20 (", message)

    def test_those_of_a_file_of_cases_too(self):
        message = self.refused("H102", 2, "run", "classification", "--from", self.file("cases.csv", b"a,b\n1,yes\n2,no\n"))
        self.assertIn("--param label=COLUMN (", message)
        self.assertIn("--param hypotheses=stumps (", message)
        self.assertNotIn("points", message)

    def test_without_data_the_message_says_what_a_round_is(self):
        self.assertIn("the bid of every bidder", self.refused("H100", 2, "run", "vcg-reserves"))

    def test_a_field_inside_a_parameter_is_still_named_alone(self):
        message = self.refused("H102", 2, "show", "security-game", "--param", "targets=1", "--param", "levels=1", "--param", "resources=1",
                               "--param", 'types=[{"attacker":{"covered":[0],"uncovered":[0]}}]')
        self.assertNotIn("needs", message)


class FilesOfAnotherKind(Stumble):
    def test_a_parquet_file_is_named_with_the_lines_that_convert_it(self):
        path = self.file("log.parquet", b"PAR1\x15\x04\x15\x10\x00PAR1")
        lines = f'import pandas; pandas.read_parquet("{path}").to_csv("{self.folder / "log.csv"}", index=False)'
        for args in (["convert", path, "--cap", "5"], ["run", "experts", "-d", path], ["compare", "experts", "-d", path],
                     ["run", "experts", "-d", path, "--by", "a"], ["run", "classification", "--from", path, "--param", "label=a"],
                     ["oracle", "vcg-reserves", "-d", path, "--param", "levels=3"]):
            with self.subTest(args=args):
                message = self.refused("H202", 3, *args)
                self.assertIn("found a Parquet file", message)
                self.assertIn(lines, message)

    def test_a_column_of_that_name_is_no_parquet_file(self):
        self.ok("run", "experts", "-q", "-d", self.file("e.csv", b"PAR1,b\n0.5,0.25\n"))


class ExpertsByName(Stumble):
    def test_the_best_one_is_named_by_run_oracle_and_compare(self):
        table = self.file("e.csv", NAMED)
        self.assertIn(b"best action in hindsight: alice (0) with", self.ok("run", "experts", "-d", table).out)
        self.assertEqual(json.loads(self.ok("run", "experts", "-d", table, "--json").out)["best_action_name"], "alice")
        found = self.ok("oracle", "experts", "-d", table, "--keep", "3").out.decode()
        self.assertIn("rounds: alice (0), loss", found)
        self.assertRegex(found, r"alice \(0\)\n.* bob \(1\)\n.* carol \(2\)\n")
        self.assertEqual(json.loads(self.ok("oracle", "experts", "-d", table, "--json").out)["action_name"], "alice")
        self.assertRegex(self.ok("compare", "experts", "-d", table).out.decode(), r"\nchosen at the end: flipflop: alice, .*best fixed: alice\n")

    def test_fixed_takes_the_name_of_a_column(self):
        table = self.file("e.csv", NAMED)
        for fixed, name in (("bob", "bob"), ("today=bob", "today"), ("today=1", "today")):
            result = json.loads(self.ok("compare", "experts", "-d", table, "--fixed", fixed, "--json").out)
            player = {player["name"]: player for player in result["players"]}[name]
            self.assertAlmostEqual(player["loss"], 1.3)
            self.assertEqual(player["final_action_name"], "bob")
        self.assertIn('(did you mean "bob"?)', self.refused("H106", 2, "compare", "experts", "-d", table, "--fixed", "bib"))
        self.assertIn("expected name=value", self.refused("H100", 2, "compare", "experts", "-d", self.file("n.csv", b"1,0\n0,1\n"), "--fixed", "bob"))

    def test_sleeping_experts_are_listed_by_name(self):
        table = self.file("gaps.csv", b"alice,bob\n0.1,\n0.2,0.4\n,0.1\n")
        out = self.ok("run", "experts", "-d", table, "--missing", "sleep", "-l", "adahedge").out.decode()
        self.assertRegex(out, r"(?m)^ +0 +2 +\S+ +alice$")
        self.assertRegex(out, r"(?m)^ +1 +2 +\S+ +bob$")

    def test_the_page_of_a_comparison_has_the_name(self):
        result = self.folder / "result.json"
        self.ok("compare", "experts", "-d", self.file("e.csv", NAMED), "-o", result, "-q")
        page = json.loads(self.ok("report", result, "--json").out)
        self.assertIn("alice", json.dumps(page))


class CellsThatAreNoNumbers(Stumble):
    def test_a_missing_loss_names_its_row_its_column_and_three_remedies(self):
        table = self.file("gap.csv", b"alice,bob\n0.1,0.5\n0.2,\n")
        message = self.refused("H204", 3, "run", "experts", "-q", "-d", table)
        self.assertTrue(message.startswith(f'{table}:3:5: found an empty field in the column "bob", '), message)
        for remedy in ("--missing sleep (", "--missing worst (", "or fill the cell in"):
            self.assertIn(remedy, message)
        self.ok("run", "experts", "-q", "-d", table, "--missing", "worst")
        self.ok("run", "experts", "-q", "-d", table, "--missing", "sleep", "-l", "adahedge")

    def test_a_column_of_dates_is_named_with_the_flags_for_it(self):
        table = self.file("dated.csv", DATED)
        message = self.refused("H204", 3, "run", "experts", "-q", "-d", table)
        self.assertIn('in the column "day"', message)
        self.assertIn("--timestamp day says that it holds dates, --drop day leaves it out", message)

    def test_columns_are_dated_or_left_out_by_flag(self):
        table, plain = self.file("dated.csv", DATED), self.file("plain.csv", b"alice,bob\n0.1,0.5\n0.2,0.4\n0.3,0.1\n")
        for command in (["run", "--json"], ["oracle", "--json"]):
            expected = self.ok(command[0], "experts", "-d", plain, *command[1:]).out
            for flags in (["--timestamp", "day"], ["--drop", "day"]):
                self.assertEqual(self.ok(command[0], "experts", "-d", table, *flags, *command[1:]).out, expected)
        result = json.loads(self.ok("compare", "experts", "-d", table, "--timestamp", "day", "--json").out)
        self.assertEqual(result["times"], {"first": "2024-01-01", "last": "2024-01-03"})
        self.assertEqual(result["slots"], ["alice", "bob"])
        self.assertIn(b"from 2024-01-01 to 2024-01-03\n", self.ok("compare", "experts", "-d", table, "--timestamp", "day").out)

    def test_several_columns_are_left_out(self):
        table = self.file("t.csv", b"city,a,note,b\nRome,0.5,x,0.25\n")
        self.assertEqual(json.loads(self.ok("oracle", "experts", "-d", table, "--drop", "city,note", "--json").out)["action_name"], "b")
        self.assertIn('(did you mean "note"?)', self.refused("H106", 2, "run", "experts", "-d", table, "--drop", "city,nte"))
        self.assertIn("expected at least one", self.refused("H206", 3, "run", "experts", "-d", table, "--drop", "city,a,note,b"))
        self.refused("H100", 2, "run", "experts", "-d", self.file("j.jsonl", b"[0,1]\n"), "--param", "experts=2", "--drop", "a")
        self.refused("H100", 2, "run", "vcg-reserves", "-d", table, "--format", "long", "--cap", "1", "--param", "levels=2", "--drop", "a")


class LabelledCases(Stumble):
    def test_labels_may_stand_in_a_second_file(self):
        whole = self.file("whole.csv", b"size,good\n1,no\n2,no\n3,yes\n4,yes\n")
        points = self.file("points.csv", b"size\n1\n2\n3\n4\n")
        flags = ["--param", "hypotheses=thresholds", "--json"]
        expected = self.ok("run", "classification", "--from", whole, "--param", "label=good", *flags).out
        for name, labels, extra in (("head.csv", b"good\nno\nno\nyes\nyes\n", []), ("bare.csv", b"no\nno\nyes\nyes\n", []),
                                    ("two.csv", b"id,good\n7,no\n8,no\n9,yes\n5,yes\n", ["--param", "label=good"])):
            with self.subTest(name=name):
                self.assertEqual(self.ok("run", "classification", "--from", points, "--labels", self.file(name, labels), *extra, *flags).out, expected)

    def test_labels_that_do_not_fit_are_refused(self):
        points = self.file("points.csv", b"size\n1\n2\n3\n4\n")
        run = ["run", "classification", "--from", points, "--param", "hypotheses=thresholds", "--labels"]
        self.assertIn("found 2 labels, expected 4, one for each row", self.refused("H202", 3, *run, self.file("few.csv", b"no\nyes\n")))
        self.assertIn("label=COLUMN", self.refused("H203", 3, *run, self.file("two.csv", b"1,no\n2,no\n3,yes\n4,yes\n")))
        self.assertIn('(did you mean "good"?)', self.refused("H106", 2, *run, self.file("head.csv", b"id,good\n1,no\n"), "--param", "label=god"))
        self.refused("H201", 3, *run, self.folder / "missing.csv")

    def test_a_column_of_dates_says_the_flags(self):
        cases = self.file("cases.csv", b"day,size,good\n2024-01-01,1,no\n2024-01-02,2,no\n2024-01-03,3,yes\n")
        run = ["run", "classification", "--from", cases, "--param", "label=good", "--param", "hypotheses=stumps", "-q"]
        message = self.refused("H204", 3, *run)
        self.assertIn("--timestamp day says that it holds dates, --drop day leaves it out", message)
        for flags in (["--timestamp", "day"], ["--drop", "day"], ["--param", "drop=day"]):
            self.ok(*run, *flags)


class RoundsOutOfOrder(Stumble):
    FLAGS = ["--cap", "8", "--slots", "rank", "-n", "2", "-q"]

    def test_a_round_that_comes_again_is_explained_with_three_remedies(self):
        message = self.refused("H202", 3, "convert", self.file("log.csv", SCATTERED), *self.FLAGS)
        self.assertIn('found round "b" again after other rounds (row 3)', message)
        for remedy in ("--sort-by COLUMN (", "--again new (", "--again drop ("):
            self.assertIn(remedy, message)

    def rows(self, log, *flags):
        out = hannan("convert", self.file("log.csv", log), *self.FLAGS, *flags)
        self.assertEqual((out.status, out.err), (0, b""))
        return [[float(cell) * 8 for cell in line.split(",")] for line in out.out.decode().splitlines()[1:]]

    def test_rounds_are_sorted_by_time_when_asked(self):
        self.assertEqual(self.rows(SCATTERED, "--sort-by", "time"), [[2, 1], [4, 3], [5, 2]])  # as numbers: 2 < 9 < 30
        self.assertEqual(self.rows(SCATTERED, "--sort-by", "round"), [[4, 3], [5, 2], [2, 1]])  # as text
        self.assertEqual(self.rows(b"round,time,bidder,bid\na,2024-01-10,x,5\nb,2024-01-09,x,4\na,2024-02-01,y,2\n", "--sort-by", "time"), [[4, 0], [5, 2]])
        self.assertEqual(self.rows(b"round,time,bidder,bid\na,1,x,1\nb,1,x,2\nc,0,x,3\n", "--sort-by", "time"), [[3, 0], [1, 0], [2, 0]])

    def dated(self, *dates):
        """A log of rounds a, b, c, ... with a bid of 1, 2, 3, ... and one of these dates each."""
        return ("round,time,bidder,bid\n" + "".join(f"{chr(97 + i)},{date},x,{i + 1}\n" for i, date in enumerate(dates))).encode()

    def test_dates_with_the_year_last_are_sorted_as_dates(self):
        for dates in (("4/13/2003", "4/5/2003", "12/31/2002"), ("13.4.2003", "5.4.2003", "31.12.2002"), ("4/13/2003 9:00 PM", "4/13/2003 10:00 AM", "12/31/2002 0:01")):
            self.assertEqual(self.rows(self.dated(*dates), "--sort-by", "time"), [[3, 0], [2, 0], [1, 0]], dates)
        for flag, dates in (("month-first", ("5/4/2003", "4/5/2003", "1/2/2003")), ("day-first", ("4/5/2003", "5/4/2003", "1/2/2003"))):
            self.assertEqual(self.rows(self.dated(*dates), "--sort-by", "time", "--dates", flag), [[3, 0], [2, 0], [1, 0]], flag)

    def test_dates_that_may_be_either_ask_for_a_flag(self):
        def message(*dates, flags=(), code="H202"):
            return self.refused(code, 3, "convert", self.file("dates.csv", self.dated(*dates)), *self.FLAGS, "--sort-by", "time", *flags)
        self.assertIn("day and month cannot be told apart, expected --dates day-first or --dates month-first",
                      message("11/1/2024", "1/2/2024", code="H215"))
        self.assertIn("one form", message("4/13/2003", "13/4/2003"))
        self.assertIn("one form", message("4/13/2003", "2003-04-13"))
        self.assertIn("expected --dates month-first", message("4/13/2003", flags=("--dates", "day-first")))
        self.refused("H100", 2, "convert", self.file("dates.csv", self.dated("4/13/2003")), *self.FLAGS, "--dates", "year-first")

    def test_the_dates_of_a_sorted_log_are_those_of_the_result(self):
        log = ("round,at,bidder,bid\n" + "".join(f"{t},{t % 12 + 1}/{t % 3 + 1}/2003,x,{t % 5 + 1}\n" for t in range(50))).encode()
        how = ["vcg-reserves", "--prices", "0,2,4", "-d", self.file("log.csv", log), "--format", "long", "--timestamp", "at", "--sort-by", "at", "--json"]
        for flag, least in (("month-first", "2003-01-01"), ("day-first", "2003-01-01")):
            times = json.loads(self.ok("compare", *how, "--dates", flag).out)["series"]["time"]
            self.assertEqual(times, sorted(times), flag)
            self.assertEqual((len(times), times[0]), (50, least))
            self.assertEqual(times[-1], "2003-12-03" if flag == "month-first" else "2003-03-12")

    def test_a_wide_log_is_sorted_by_rows(self):
        wide = self.file("wide.csv", b"day,x,y\n2024-01-02,1,2\n2024-01-01,4,3\n")
        out = self.ok("convert", wide, "--format", "wide", "--sort-by", "day", "--cap", "8", "-q").out.decode()
        self.assertEqual(out, "x,y\n0.5,0.375\n0.125,0.25\n")

    def test_sorting_says_what_it_cannot_do(self):
        log = self.file("log.csv", SCATTERED)
        self.assertIn('(did you mean "time"?)', self.refused("H106", 2, "convert", log, *self.FLAGS, "--sort-by", "tme"))
        bare = self.file("bare.csv", b"round,time,bidder,bid\na,,x,1\n")
        self.assertIn('found nothing to sort round "a" by', self.refused("H202", 3, "convert", bare, *self.FLAGS, "--sort-by", "time"))
        self.refused("H100", 2, "convert", self.file("l.jsonl", b"{}\n"), *self.FLAGS, "--sort-by", "time")

    def test_run_and_compare_sort_as_convert_does(self):
        log = self.file("log.csv", SCATTERED)
        self.ok("convert", log, *self.FLAGS, "--sort-by", "time", "-o", self.folder / "bids.csv")
        flags = ["--param", "levels=8", "--json"]
        straight = hannan("run", "vcg-reserves", "-d", log, "--format", "long", "--sort-by", "time", *self.FLAGS[:-1], *flags)
        self.assertEqual(straight.status, 0, straight.err)
        self.assertEqual(straight.out, self.ok("run", "vcg-reserves", "-d", self.folder / "bids.csv", *flags).out)


class WhatALogSays(Stumble):
    def test_parameters_and_data_that_the_summary_knows_are_not_asked_for(self):
        log = self.file("log.csv", b"round,bidder,item,bid\n1,a,s,3\n1,b,s,5\n2,a,s,4\n2,b,t,1\n")
        bids, summary = self.folder / "bids.jsonl", self.folder / "bids.json"
        self.ok("convert", log, "--money", "-o", bids, "--summary", summary, "-q")
        known = ["run", "vcg-reserves", "--prices", "0,1,2,4", "--log", summary, "--json"]
        self.assertIn("bidders=", self.refused("H102", 2, "run", "vcg-reserves", "--prices", "0,1,2,4", "-d", bids))
        expected = self.ok("run", "vcg-reserves", "--prices", "0,1,2,4", "--param", "bidders=2", "-d", bids, "--json").out
        self.assertEqual(self.ok(*known, "-d", bids).out, expected)
        self.assertEqual(self.ok(*known).out, expected)  # the summary names the table as well
        moved = self.folder / "elsewhere"
        moved.mkdir()
        text = json.loads(summary.read_text())
        text["table"] = "gone/bids.jsonl"
        (moved / "bids.json").write_text(json.dumps(text))
        (moved / "bids.jsonl").write_bytes(bids.read_bytes())
        self.assertEqual(self.ok(*known[:4], "--log", moved / "bids.json", "--json").out, expected)

    def test_items_and_demand_of_item_pricing(self):
        log = self.file("log.csv", b"round,bidder,item,bid\n1,a,s,3\n1,b,t,5\n2,a,s,4\n2,b,t,1\n")
        sold, summary = self.folder / "sold.jsonl", self.folder / "sold.json"
        self.ok("convert", log, "--for", "item-pricing", "--item", "item", "--demand", "unit", "--cap", "8", "-o", sold, "--summary", summary, "-q")
        result = json.loads(self.ok("compare", "item-pricing", "--param", "levels=8", "--log", summary, "--json").out)
        self.assertEqual({name: result["params"][name] for name in ("items", "buyers", "demand")}, {"items": 2, "buyers": 2, "demand": "unit"})


if __name__ == "__main__":
    main()
