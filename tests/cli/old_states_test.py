"""States of version 0.2 (tests/old/0.2) are read by this one: a saved run goes on with the same decisions. That version wrote no
digest into states; damage is refused all the same. Its records, which had no certificates of the run, are refused with one error."""
import json
import pathlib
import shutil

from program import FolderTest, hannan, main

OLD = pathlib.Path(__file__).resolve().parent.parent / "old" / "0.2"
SAVED_AFTER = 17
RUNS = {
    "reserves": ["vcg-reserves", "-d", OLD / "bids.csv"],
    "experts": ["experts", "-d", OLD / "losses.csv"],
}


class OldStates(FolderTest):
    def resume(self, name, *more):
        decisions, record = self.folder / f"{name}.csv", self.folder / f"{name}.jsonl"
        shutil.copy(OLD / f"{name}.part.csv", decisions)
        self.ok("run", *RUNS[name], "--resume", OLD / f"{name}.state.json", "-p", decisions, "-q", *more)
        return decisions, record

    def test_goes_on_with_the_same_decisions(self):
        for name in RUNS:
            with self.subTest(name):
                decisions, _ = self.resume(name)
                self.assertEqual(decisions.read_bytes(), (OLD / f"{name}.csv").read_bytes())

    def test_ends_with_the_same_report(self):
        for name in RUNS:
            with self.subTest(name):
                summary = self.folder / f"{name}.json"
                self.resume(name, "--summary", summary)
                end = json.loads((OLD / f"{name}.jsonl").read_bytes().splitlines()[-1])["end"]
                found = json.loads(summary.read_text())
                found = found.get("report", found)
                for field in ("rounds", "best_action", "oracle_calls"):
                    self.assertEqual(found[field], end[field], field)
                # Nodes belong to the search, and this version's needs fewer.
                self.assertLessEqual(found["search_nodes"], end["search_nodes"])
                for field in ("total", "best", "regret"):
                    self.assertAlmostEqual(found[field], end[field], places=9)

    def test_records_are_refused_with_what_to_do(self):
        for name in RUNS:
            for record in (f"{name}.jsonl", f"{name}.part.jsonl"):
                with self.subTest(record):
                    done = hannan("verify", OLD / record)
                    self.assertEqual((done.status, done.out), (2, b""))
                    self.assertIn(b"H108", done.err)
                    self.assertIn(b"verify it with the version that wrote it", done.err)

    def test_the_pipe_loads_them_and_saves_them_with_a_digest(self):
        for name in RUNS:
            with self.subTest(name):
                state = json.loads((OLD / f"{name}.state.json").read_text())
                self.assertNotIn("digest", state)
                lines = [{"op": "load", "as": "l", "state": state}, {"op": "act", "in": "l"}, {"op": "save", "in": "l"}]
                out = self.ok("pipe", stdin="\n".join(map(json.dumps, lines)).encode() + b"\n").out.splitlines()
                loaded, acted, saved = map(json.loads, out)
                self.assertTrue(loaded["ok"] and acted["ok"] and saved["ok"], out)
                self.assertEqual(acted["round"], SAVED_AFTER + 1)
                self.assertIn("digest", saved["state"])

    def test_a_state_saved_now_is_refused_with_one_changed_digit(self):
        state = self.folder / "state.json"
        self.ok("run", *RUNS["experts"], "--rounds", 9, "--save", state, "-q")
        good = state.read_bytes()
        at = good.index(b'"totals":[') + len(b'"totals":[')
        digit = next(i for i in range(at, len(good)) if good[i:i + 1].isdigit())
        state.write_bytes(good[:digit] + bytes([ord("0") + (good[digit] - ord("0") + 1) % 10]) + good[digit + 1:])
        done = hannan("run", *RUNS["experts"], "--resume", state, "-q")
        self.assertEqual(done.status, 3, done.err)
        self.assertIn(b"H401", done.err)
        self.assertIn(b"digest", done.err)
        # What a JSON tool does to a file is no damage: fields in another order, numbers written otherwise.
        state.write_text(json.dumps(json.loads(good), sort_keys=True, indent=1))
        self.ok("run", *RUNS["experts"], "--resume", state, "-q")

    def test_a_damaged_state_without_a_digest_is_refused(self):
        good = json.loads((OLD / "experts.state.json").read_text())
        for path, value in ((("carries",), [0.0] * 7), (("totals", 0), "inf"), (("totals",), [1.0])):
            with self.subTest(path):
                state = json.loads(json.dumps(good))
                inner = state["state"]["history"]
                for step in path[:-1]:
                    inner = inner[step]
                inner[path[-1]] = value
                file = self.file("state.json", json.dumps(state).encode())
                done = hannan("run", *RUNS["experts"], "--resume", file, "-q")
                self.assertEqual(done.status, 3, done.err)
                self.assertIn(b"H401", done.err)
                self.assertIn(path[0].encode(), done.err)


if __name__ == "__main__":
    main()
