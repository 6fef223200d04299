"""Files that were damaged, and names that stand in each other's way: one clear error, and what was there stays."""
import json
import re

from program import FolderTest, csv_text, hannan, losses, main

LOG = "round,bidder,bid\n" + "".join(f"{t},{who},{bid}\n" for t in range(60) for who, bid in (("ann", 3 + t % 7), ("bob", 2 + t % 5)))


def changed(value, path=()):
    """Every way to damage one value of it: taken out, of another type, below nothing."""
    for key in value if isinstance(value, dict) else range(len(value)):
        for new in (None, "x", [], {}, -1, 0, 1e300, "inf"):
            yield (*path, key), new
        yield (*path, key), ...
        if isinstance(value[key], (dict, list)):
            yield from changed(value[key], (*path, key))


def put(value, path, new):
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if new is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return copy


class Summaries(FolderTest):
    """The summary of a log, which tells a comparison of its table what money is."""

    def compare(self, summary):
        log = self.file("damaged.json", json.dumps(summary).encode())
        done = hannan("compare", "vcg-reserves", "--param", "levels=5", "-d", self.folder / "t.csv", "--log", log, timeout=60)
        self.assertIn(done.status, (0, 2, 3), (done.status, done.err))
        if done.status:
            self.assertRegex(done.err.decode(), r"^hannan: H\d\d\d: .*\n$")
        return done

    def test_no_damage_is_more_than_an_error(self):
        log = self.file("log.csv", LOG.encode())
        self.ok("convert", log, "--cap-quantile", "1", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / "t.json")
        whole = json.loads((self.folder / "t.json").read_text())
        self.assertEqual(self.compare(whole).status, 0)
        for name in ("cap", "as_logged", "hidden", "slots"):
            for path, new in changed({name: whole.get(name)}):
                with self.subTest(path=path, new=new):
                    done = self.compare(put(whole, path, new))
                    if path == ("cap",) and new in (0, -1, 1e300, "inf", None):
                        self.assertRegex(done.err.decode(), r"H10[245]: .*damaged\.json: cap: found|expected a file that")
                    if path == ("as_logged", "rule"):
                        self.assertEqual(done.status == 0, new in (0, 1e300), done.err)

    def test_money_beyond_all_sums_is_no_bid(self):
        log = self.file("log.csv", b"round,bidder,bid\n1,a,1e308\n1,b,1e308\n2,a,2e30\n2,b,1e30\n3,a,5\n3,b,4\n")
        done = self.ok("convert", log, "--cap", "10", "--json", "--accept-hidden", "-o", self.folder / "t.csv")
        summary = json.loads(done.out)
        self.assertEqual(summary["rows"]["dropped"]["not_finite"]["rows"], 3)
        self.assertEqual(summary["hidden"]["action"], "stop")  # the bid of 10^30 stays, and is cut to 10
        self.assertIn(b"H210", hannan("convert", log, "--cap", "10", "-o", self.folder / "t.csv").err)


class Names(FolderTest):
    def refused(self, *args):
        done = hannan(*args)
        self.assertEqual(done.status, 2, done.err)
        self.assertIn(b"H100", done.err)

    def test_a_file_is_not_written_over_on_its_way_to_its_name(self):
        log = self.file("log.csv.new", LOG.encode())
        self.refused("convert", log, "--cap", "9", "-o", self.folder / "log.csv")
        self.assertEqual(log.read_text(), LOG)
        table = self.file("state.new", csv_text(losses(5, 2)))
        self.refused("run", "experts", "-d", table, "--save", self.folder / "state", "-q")
        self.refused("run", "experts", "-d", self.file("t.csv", csv_text(losses(5, 2))), "--record", table, "--save", self.folder / "state", "-q")
        self.assertEqual(table.read_bytes(), csv_text(losses(5, 2)))

    def test_one_name_in_two_spellings_is_one_file(self):
        table = self.file("t.csv", csv_text(losses(5, 2)))
        (self.folder / "one").symlink_to("nowhere")
        (self.folder / "two").symlink_to("nowhere")
        for a, b in (("y", "./y"), ("y", "sub/../y"), ("one", "two")):
            (self.folder / "sub").mkdir(exist_ok=True)
            self.refused("run", "experts", "-d", table, "--record", self.folder / a, "-p", f"{self.folder}/{b}", "-q")
            self.refused("run", "experts", "-d", table, "--record", self.folder / a, "--save", f"{self.folder}/{b}", "-q")
        self.assertFalse((self.folder / "y").exists())


class Bounds(FolderTest):
    def test_a_gamma_that_is_not_proven_proves_nothing(self):
        table, record = self.file("t.csv", csv_text(losses(30, 4))), self.folder / "r.jsonl"
        args = ["run", "experts", "-d", table, "-l", "gftpl"]
        out = self.ok(*args, "--set", "gamma=0.1", "--record", record).out.decode()
        self.assertIn("not stated: closed forms: gamma is 0.1, below the 2 that is proven for this perturbation", out)
        self.assertNotIn("To quote", out)
        certificate = json.loads(self.ok(*args, "--set", "gamma=0.1", "--json").out)["certificate"]
        self.assertEqual([bound["name"] for bound in certificate["bounds"] if bound["side"] == "upper"], [])
        self.assertEqual(len(certificate["assumptions"]["left_out"]), 1)
        self.ok("verify", record)  # and a changed sentence does not
        text = record.read_text()
        self.file("changed.jsonl", text.replace("below the 2 that", "below the 3 that").encode())
        self.assertEqual(hannan("verify", self.folder / "changed.jsonl").status, 3)
        claimed = json.loads(self.ok(*args, "--json").out)["params"]["gamma"]
        self.assertIn("To quote", self.ok(*args, "--set", f"gamma={claimed}").out.decode())

    def test_every_learner_with_a_gamma_below_the_proven_one_writes_a_record_that_verifies(self):
        table, record = self.file("t.csv", csv_text(losses(60, 5))), self.folder / "r.jsonl"
        for learner, more in (("ada", ()), ("flipflop", ()), ("gftpl", ("--set", "certificate=run")), ("off", ()), ("off", ("--set", "estimator=tight")),
                              ("ada", ("--set", "discount=0.9")), ("ada", ("--set", "pivot=last"))):
            for gamma in ("0.01", "1.5"):
                self.ok("run", "experts", "-d", table, "-l", learner, *more, "--set", f"gamma={gamma}", "--record", record, "-q")
                self.ok("verify", record)
                end = json.loads(record.read_text().splitlines()[-1])["end"]
                closed = [bound["name"] for bound in end["certificate"]["bounds"] if "says" not in bound and bound["side"] == "upper"]
                self.assertEqual(closed, [], (learner, more, gamma))
                self.assertIn(f"gamma is {gamma}", end["certificate"]["assumptions"]["left_out"][0])

    def test_a_rho2_below_the_proven_one_gives_no_limit(self):
        table, record = self.file("t.csv", csv_text(losses(60, 5))), self.folder / "r.jsonl"
        for learner, more in (("ada", ()), ("flipflop", ()), ("gftpl", ("--set", "certificate=run"))):
            args = ["run", "experts", "-d", table, "-l", learner, *more]
            proven = json.loads(self.ok(*args, "--json").out)
            self.assertIsNotNone(proven["limit"])
            low = json.loads(self.ok(*args, "--set", "rho2=0.001", "--record", record, "--json").out)
            self.assertIsNone(low["limit"], learner)
            # Three bits and Laplace noise: N + N^2 = 12.
            self.assertEqual(low["certificate"]["assumptions"]["left_out"], ["limit: rho2 is 0.001, below the 12 that is proven for this noise"])
            self.ok("verify", record)
            high = json.loads(self.ok(*args, "--set", "rho2=50", "--record", record, "--json").out)
            self.assertGreaterEqual(high["limit"], proven["limit"])
            self.assertNotIn("left_out", high["certificate"]["assumptions"])
            self.ok("verify", record)

    def test_check_promises_what_a_run_certifies(self):
        table = self.file("t.csv", csv_text(losses(300, 6)))
        run = json.loads(self.ok("run", "experts", "-d", table, "-l", "ada", "--json").out)
        promised = json.loads(self.ok("check", "experts", "--param", "experts=6", "--rounds", "300", "--best", run["best"], "--json").out)
        ada2 = {bound["name"]: bound["claimed"] for bound in promised["bounds"] if bound["learner"] == "ada"}["ada2"]
        certified = {bound["name"]: bound["value"] for bound in run["certificate"]["bounds"]}["ada2"]
        self.assertAlmostEqual(ada2, certified, places=9)

    def test_bound_has_the_codes_of_the_pipe(self):
        for code, *args in ((b"H102", "ada", "M=3", "gamma=6"), (b"H105", "ada", "M=3", "gamma=6", "best=-1"), (b"H106", "none", "M=3")):
            done = hannan("bound", *args)
            self.assertEqual(done.status, 2)
            self.assertIn(code, done.err)


class LateLines(FolderTest):
    def test_a_line_behind_the_end_is_named(self):
        record = self.folder / "r.jsonl"
        self.ok("run", "experts", "-d", self.file("t.csv", csv_text(losses(6, 2))), "--record", record, "-q")
        lines = record.read_text().count("\n")
        record.write_text(record.read_text() * 2)
        self.assertTrue(re.search(rf"r\.jsonl:{lines + 1}: found a line after the end", hannan("verify", record).err.decode()))


if __name__ == "__main__":
    main()
