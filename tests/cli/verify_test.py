"""What `hannan verify` says and how it ends: 0 where everything was derived again, 1 where something is on trust, 3 where a
value is not what it must be; and the record held against its data."""
import gzip
import hashlib
import json
import pathlib
import random
import shlex
import sys

from program import FolderTest, csv_text, hannan, jsonl_text, losses, main

ORACLES = pathlib.Path(__file__).resolve().parent / "oracles"


def tied(*words):
    return "oracle=external:" + " ".join(shlex.quote(str(word)) for word in (sys.executable, "-B", ORACLES / "tied.py", *words))


class RecordTest(FolderTest):
    def record(self, data, *words, problem="experts"):
        file = self.folder / "run.jsonl"
        done = hannan("run", problem, "-d", data, "-q", "--record", file, *words)
        self.assertIn(done.status, (0, 1), done.err)
        return file


class DataOfARecord(RecordTest):
    def setUp(self):
        super().setUp()
        self.text = csv_text(losses(30, 3))
        self.data = self.file("losses.csv", self.text)

    def header(self, file):
        return json.loads(file.read_text().splitlines()[0])

    def test_the_header_names_the_file_and_its_digest(self):
        file = self.record(self.data)
        self.assertEqual(self.header(file)["data"], {"file": "losses.csv", "sha256": hashlib.sha256(self.text).hexdigest(), "bytes": len(self.text)})
        self.assertIn(b"those of losses.csv", self.ok("verify", file).out)

    def test_the_digest_is_of_the_bytes_on_disk(self):
        packed = self.file("losses.csv.gz", gzip.compress(self.text, mtime=0))
        file = self.record(packed)
        self.assertEqual(self.header(file)["data"]["sha256"], hashlib.sha256(packed.read_bytes()).hexdigest())
        self.assertIn(b"the outcomes of all 30 rounds", self.ok("verify", file, "-d", packed).out)

    def test_outcomes_of_standard_input_have_none_and_it_is_said(self):
        file = self.folder / "run.jsonl"
        self.assertEqual(hannan("run", "experts", "-d", "-", "-q", "--record", file, stdin=self.text).status, 0)
        self.assertIsNone(self.header(file)["data"])
        self.assertIn(b"names no data file", self.ok("verify", file).out)
        self.assertIn(b"does not name the digest", self.ok("verify", file, "-d", self.data).out)

    def test_another_file_is_refused_by_its_digest(self):
        file = self.record(self.data)
        other = self.file("other.csv", self.text + b"")
        self.ok("verify", file, "-d", other)
        other.write_bytes(self.text.replace(b"0.5", b"0.25", 1))
        done = hannan("verify", file, "-d", other)
        self.assertEqual(done.status, 3)
        self.assertRegex(done.err, rb'hannan: H601: .*run.jsonl:1: field "data": found [0-9a-f]{64}, but ')

    def test_a_file_that_has_grown_is_the_same_as_far_as_it_was(self):
        file = self.record(self.data)
        self.data.write_bytes(self.text + b"0.1,0.2,0.3\n")
        self.ok("verify", file, "-d", self.data)
        self.data.write_bytes(self.text[:-12])
        self.assertEqual(hannan("verify", file, "-d", self.data).status, 3)

    def test_outcomes_that_are_not_those_of_the_data_are_refused_without_a_digest_too(self):
        file = self.folder / "run.jsonl"
        self.assertEqual(hannan("run", "experts", "-d", "-", "-q", "--record", file, stdin=self.text).status, 0)
        rows = losses(30, 3)
        rows[11][2] = 0.75
        done = hannan("verify", file, "-d", self.file("other.csv", csv_text(rows)))
        self.assertEqual(done.status, 3)
        self.assertRegex(done.err, rb'run.jsonl:13: field "outcome": found \[.*\], but the outcome in .*other.csv is \[.*0.75\]')
        done = hannan("verify", file, "-d", self.file("short.csv", csv_text(rows[:11])))
        self.assertRegex(done.err, rb'run.jsonl:13: field "outcome": found round 12, but .* has no such row')

    def test_json_lines_and_contexts_are_read_as_in_the_run(self):
        lines = self.file("losses.jsonl", jsonl_text(losses(20, 3)))
        self.assertIn(b"the outcomes of all 20 rounds", self.ok("verify", self.record(lines, "--param", "experts=3"), "-d", lines).out)
        rows = [[*row, "xy"[t % 2]] for t, row in enumerate(losses(20, 3))]
        text = "a,b,c,who\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        table = self.file("by.csv", text.encode())
        self.assertIn(b"the outcomes of all 20 rounds", self.ok("verify", self.record(table, "--by", "who"), "-d", table).out)


class Verdicts(RecordTest):
    def test_an_oracle_that_always_answers_zero_leaves_its_choices_on_trust(self):
        data = self.file("losses.csv", csv_text([[1, 0, 0.5]] * 12))
        file = self.record(data, "-l", "leader", "--set", tied("zero", "bare"))
        done = hannan("verify", file)
        self.assertEqual((done.status, done.err), (1, b""))
        first = done.out.splitlines()[0].decode()
        self.assertIn("is consistent, choices on trust: 12 rounds, loss 12.00, best 0.0000, regret 12.00", first)
        self.assertIn(b"on trust: 11 of 12 choices, above the best by 66 all together", done.out)
        self.assertNotIn(b"against all actions\n", done.out)
        self.assertIn(b"every choice, against all actions; some are above the best, which is on trust\n", done.out)
        self.assertEqual(hannan("verify", "-q", file).status, 1)
        page = json.loads(hannan("report", file, "-o", self.folder / "page.html", "--json").out)["sections"][0]["blocks"][0]
        self.assertEqual(page["advice"], "Not checked: some choices are as recorded")
        self.assertEqual(page["state"], "unsure")
        self.assertIn("not checked: 11 of 12 choices", page["details"][0])

    def test_an_oracle_that_breaks_ties_otherwise_verifies(self):
        data = self.file("losses.csv", csv_text([[0.1, 0.3, 0.1], [0.3, 0.1, 0.3], [0.1, 0.3, 0.1], [0.3, 0.1, 0.3]] * 5))
        for learner in ("leader", "ada", "flipflop", "gftpl"):
            for claim in ("exact", "floors"):
                done = hannan("verify", self.record(data, "-l", learner, "--set", tied("last", claim)))
                self.assertIn(done.status, (0, 1), (learner, done.err))

    def test_the_best_of_a_search_that_stopped_is_a_range(self):
        # 60^8 reserve prices, and a search of one node.
        coins = random.Random(5)
        data = self.file("bids.csv", csv_text([[round(coins.random(), 3) for _ in range(8)] for _ in range(40)]))
        file = self.record(data, "--param", "bidders=8", "--param", "levels=60", "-l", "leader", "--set", "oracle=branch_bound:1", problem="vcg-reserves")
        done = hannan("verify", file)
        self.assertEqual((done.status, done.err), (1, b""))
        self.assertRegex(done.out, rb"best from [\d.]+ to [\d.]+, regret from [-\d.]+ to [\d.]+\n")
        self.assertIn(b"on trust: that no action loses less than", done.out)

    def test_a_refused_record_ends_with_status_3(self):
        file = self.record(self.file("losses.csv", csv_text(losses(8, 3))))
        file.write_text(file.read_text().replace('"loss":', '"loss":1e-3,"was":', 1))
        self.assertEqual(hannan("verify", file).status, 3)


if __name__ == "__main__":
    main()
