"""`hannan run`, `verify`, `report` and `compare` of rounds that are seen in part: what is printed, hidden, kept and judged."""
import json
import random

from program import FolderTest, csv_text, hannan, losses, main

PROBLEM = ("vcg-reserves", "--param", "bidders=2", "--param", "prices=[[0,0.2,0.4,0.5],[0,0.2,0.4,0.5]]")
LOOKS = ("--feedback", "looks", "--look", "2", "--set", "share=0.3")


class Part(FolderTest):
    def path(self, name):
        return self.folder / name

    def refused(self, code, *args):
        done = hannan(*args)
        self.assertNotEqual(done.status, 0, done.out)
        self.assertIn(code.encode(), done.err)

    def setUp(self):
        super().setUp()
        self.rows = losses(120, 4)
        self.data = self.file("losses.csv", csv_text(self.rows))

    def test_a_run_states_what_was_seen_and_the_file_apart(self):
        for flags in (LOOKS, ("--feedback", "elements", "-l", "ada")):
            out = self.ok("run", "experts", "-d", self.data, *flags).out.decode()
            self.assertIn("hindsight, from the file: loss", out)
            self.assertEqual(out.count(", regret "), 1, out)  # that of hindsight
            report = json.loads(self.ok("run", "experts", "-d", self.data, *flags, "--json").out)
            self.assertEqual((report["best"], report["regret"]), (None, None))
            self.assertEqual({bound["holds"] for bound in report["certificate"]["bounds"]}, {None})
            best = min(sum(column) for column in zip(*self.rows))
            self.assertAlmostEqual(report["hindsight"]["best"], best, places=9)

    def test_a_record_does_not_change_with_what_was_not_seen_and_verifies_against_the_file(self):
        record, other = self.path("r.jsonl"), self.path("o.jsonl")
        self.ok("run", "experts", "-d", self.data, *LOOKS, "--record", record, "-q")
        lines = [json.loads(line) for line in record.read_text().splitlines()][1:-1]
        changed = [row if line["look"] else [1 - loss for loss in row] for row, line in zip(self.rows, lines)]
        self.assertNotEqual(changed, self.rows)
        self.ok("run", "experts", "-d", self.file("changed.csv", csv_text(changed)), *LOOKS, "--record", other, "-q")
        self.assertEqual(record.read_text(), other.read_text())
        told = self.ok("verify", record, "-d", self.data).out.decode()
        self.assertIn("of them seen in full", told.split("\n")[0])
        self.assertIn("hindsight, from that file", told)
        self.assertNotIn("regret 0", told)
        seen = next(t for t, line in enumerate(lines) if line["look"])
        wrong = [list(row) for row in self.rows]
        wrong[seen][0] = (wrong[seen][0] + 0.5) % 1
        self.refused("H601", "verify", record, "-d", self.file("wrong.csv", csv_text(wrong)))
        page = self.path("page.html")
        self.ok("report", record, "-o", page)
        self.assertNotIn("regret 0", page.read_text())

    def test_a_resumed_run_ends_with_the_same_files(self):
        for flags in (LOOKS, ("--feedback", "elements", "-l", "ada")):
            whole, parts, state = self.path("w.jsonl"), self.path("p.jsonl"), self.path("state.json")
            decisions = self.path("w.csv"), self.path("p.csv")
            self.ok("run", "experts", "-d", self.data, *flags, "--record", whole, "-p", decisions[0], "-q")
            self.ok("run", "experts", "-d", self.data, *flags, "--rounds", "50", "--record", parts, "-p", decisions[1],
                    "--save", state, "-q")
            self.ok("run", "experts", "-d", self.data, "--resume", state, "--record", parts, "-p", decisions[1], "-q")
            self.assertEqual(whole.read_text(), parts.read_text())
            self.assertEqual(decisions[0].read_text(), decisions[1].read_text())

    def test_compare_hides_what_would_be_hidden_and_leaves_others_out(self):
        result = json.loads(self.ok("compare", "experts", "-d", self.data, *LOOKS, "-l", "ada", "-l", "hedge", "--json").out)
        self.assertEqual([player["label"] for player in result["players"]], ["ada"])
        self.assertEqual(result["left_out"], ["hedge does not learn from looks"])
        self.assertIn(result["players"][0]["judgement"]["recommendation"], ("deploy", "keep", "cannot tell"))
        self.refused("H108", "compare", "experts", "-d", self.data, "--feedback", "elements", "-l", "flipflop")
        self.refused("H100", "compare", "experts", "-d", self.data, "--look", "0")

    def control(self, rounds, share):
        draw = random.Random(7)
        lines = []
        for _ in range(rounds):
            look = draw.random() < share
            bids = [draw.random(), draw.random() / 10]  # a second bid that is no help: floors gain much
            lines.append(json.dumps({"look": look, "share": share, **({"outcome": bids} if look else {})}))
        return self.file("control.jsonl", ("\n".join(lines) + "\n").encode())

    def test_a_log_with_a_control_group_judges_decisions_that_were_never_played(self):
        flags = ("--feedback", "looks", "--look", "0,0", "--set", "share=logged", "-l", "flipflop")
        few = json.loads(self.ok("compare", *PROBLEM, "-d", self.control(200, 0.2), *flags, "--json").out)
        self.assertEqual(few["players"][0]["judgement"]["recommendation"], "cannot tell")
        many = json.loads(self.ok("compare", *PROBLEM, "-d", self.control(20000, 0.3), *flags, "--json").out)
        player = many["players"][0]
        self.assertEqual(player["judgement"]["recommendation"], "deploy", player["judgement"])
        self.assertIsNone(player["hindsight"])
        row = player["report"]["against"][0]
        self.assertAlmostEqual(player["judgement"]["low"], -row["high"], places=6)
        self.refused("H105", "compare", *PROBLEM, "-d", self.file("b.jsonl", b'{"look":false,"share":0}\n'), *flags)

    def test_a_log_with_a_control_group_is_run_recorded_and_verified(self):
        draw = random.Random(9)
        lines = []
        for t in range(400):
            look = draw.random() < 0.2
            shown = {"outcome": [draw.random(), draw.random() / 10]} if look else {"rounds": 1 + t % 50} if t % 7 == 0 else {}
            lines.append(json.dumps({"look": look, "share": 0.2, **shown}))
        log = self.file("control.jsonl", ("\n".join(lines) + "\n").encode())
        seen = ("--feedback", "looks", "--look", "0,0", "--set", "share=logged")
        flags = (*PROBLEM, "-d", log, *seen)
        record = self.path("r.jsonl")
        report = json.loads(self.ok("run", *flags, "--record", record, "--json").out)
        judged = json.loads(self.ok("compare", *flags, "-l", "flipflop", "--json").out)["players"][0]["report"]
        self.assertEqual({name: report[name] for name in judged}, judged)
        self.assertEqual((report["regret"], report["best"], report["total"]), (None, None, None))
        self.assertGreater(report["rounds"], 1000)
        self.assertNotIn("hindsight", report)
        self.assertIn('"rounds":', record.read_text())
        told = self.ok("verify", record).out.decode()
        self.assertIn(f"{report['looks']} of them seen in full", told)
        self.assertIn("the shares and coins of the log", told)
        self.assertNotIn("hindsight", self.ok("run", *flags).out.decode())
        self.refused("H108", "run", *flags, "--save", self.path("s.json"))
        self.refused("H108", "run", "experts", "-d", self.data, "--feedback", "looks", "--look", "2", "--set", "coin=client")
        bad = self.file("bad.jsonl", b'{"look":false,"share":0.5}\n{"look":false,"share":0}\n')
        self.refused("H105", "run", *PROBLEM, *seen, "-d", bad)
        self.refused("bad.jsonl:2", "run", *PROBLEM, *seen, "-d", bad)
        self.refused("H206", "run", *PROBLEM, *seen, "-d", self.file("none.jsonl", b"\n"))

    def resealed(self, lines):
        """The record with a digest that fits again (docs/record.md)."""
        state = 14695981039346656037
        end = json.dumps(json.loads(lines[-1])["end"], separators=(",", ":"))
        for byte in ("".join(line + "\n" for line in lines[:-1]) + end).encode():
            state = ((state ^ byte) * 1099511628211) % 2**64
        return lines[:-1] + [f'{{"end":{end},"digest":"{state:016x}"}}']

    def test_records_verify_and_two_hundred_altered_ones_do_not(self):
        for flags in (LOOKS, ("--feedback", "elements", "-l", "ada")):
            record = self.path("r.jsonl")
            self.ok("run", "experts", "-d", self.data, *flags, "--record", record, "-q")
            lines = record.read_text().splitlines()
            self.assertEqual(self.resealed(lines), lines)
            draw, refused = random.Random(3), 0
            while refused < 100:
                at = draw.randrange(1, len(lines))
                line = json.loads(lines[at])
                of = line["end"] if at == len(lines) - 1 else line
                name = draw.choice([name for name in of if name not in ("t", "raw", "outcome", "search_nodes", "params")])
                value = of[name]
                if isinstance(value, bool):
                    of[name] = not value
                elif isinstance(value, (int, float)):
                    of[name] = value + draw.choice([1, -1, 0.001])
                elif isinstance(value, list) and value:
                    of[name] = value[:-1]
                elif value is None:
                    of[name] = 0.5
                else:
                    continue
                changed = lines[:at] + [json.dumps(line, separators=(",", ":"))] + lines[at + 1:]
                for text in (changed, self.resealed(changed)):
                    done = hannan("verify", self.file("altered.jsonl", ("\n".join(text) + "\n").encode()))
                    self.assertRegex(done.err, b"H(601|20[0-9]|10[0-9])", f"line {at + 1}: {name} {value} became {of[name]}")
                refused += 1


if __name__ == "__main__":
    main()
