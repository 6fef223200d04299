"""hannan.combine: frames in, frames out, the same numbers as the program."""

import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import hannan
import hannan.river
import numpy as np

try:
    import pandas as pd
except ImportError:
    pd = None


def load(rows=60, future=2, seed=4):
    draw = np.random.default_rng(seed)
    level = 1000 + 100 * np.sin(np.arange(rows + future) / 5)
    columns = {"day": list(range(1, rows + future + 1)), "actual": (level + draw.normal(0, 5, rows + future)).tolist()}
    for k in range(3):
        columns[f"m{k}"] = (level + draw.normal(k, 10 + 10 * k, rows + future)).tolist()
    for t in range(future):
        columns["actual"][rows + t] = float("nan")
    for t in range(0, rows, 7):
        columns["m1"][t] = float("nan")
    return columns


def file_of(frame):
    """A frame as the program writes its files: numbers with 12 digits, nothing where there is none."""
    def cell(value):
        return value if isinstance(value, str) else "" if value != value else f"{value + 0.0:.12g}"
    columns = [list(frame[name]) for name in frame]
    return "".join(",".join(line) + "\n" for line in [list(frame), *(map(cell, row) for row in zip(*columns))]).encode()


class Combine(unittest.TestCase):
    def test_three_lines_give_predictions_weights_and_a_page(self):
        table = load()
        run = hannan.combine(table, actual="actual", time="day", unit="MW")
        self.assertEqual(len(run.published), 62)
        weights = run.weights
        names = [name for name in weights if name != "day"]
        sums = np.sum([np.asarray(weights[name]) for name in names], axis=0)
        np.testing.assert_allclose(sums, 1, atol=1e-12)
        self.assertEqual(len(run.next["forecast"]), 2)
        self.assertIn(run.verdict, ("deploy", "keep", "cannot tell"))
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            run.to_html(page)
            self.assertIn("The combined forecast was off by", page.read_text())

    @unittest.skipIf(pd is None, "pandas is not there")
    def test_a_frame_gives_the_same_bytes_as_a_dict_and_a_loop(self):
        table = load()
        frame = hannan.combine(pd.DataFrame(table), actual="actual", time="day")
        plain = hannan.combine(table, actual="actual", time="day")
        self.assertEqual(frame.published.tobytes(), plain.published.tobytes())
        self.assertIsInstance(frame.predictions, pd.DataFrame)
        loop = hannan.river.Aggregator(["m0", "m1", "m2"])
        for t in range(62):
            x = {f"m{k}": table[f"m{k}"][t] for k in range(3)}
            ticket_forecast = loop.predict_one(x)
            self.assertEqual(ticket_forecast, frame.published[t])
            ticket = loop.issue(x)
            if t < 60:
                loop.learn_ticket(ticket, table["actual"][t])

    def test_batch_loop_pipe_and_python_agree_to_the_byte(self):
        table = load(rows=50, future=0)
        columns = ["m0", "m1", "m2"]
        rows = [[table[name][t] for name in columns] for t in range(50)]
        frame = hannan.combine(table, actual="actual", time="day", loss="absolute")
        loop = hannan.river.Aggregator(columns, loss="absolute")
        looped = []
        for t in range(50):
            looped.append(loop.predict_one(rows[t]))
            loop.learn_one(rows[t], table["actual"][t])
        requests = [{"op": "problem", "as": "p", "kind": "forecasts", "params": {"models": columns, "loss": "absolute"}},
                    {"op": "learner", "as": "L", "in": "p"}]
        for t in range(50):
            said = [None if x != x else x for x in rows[t]]
            requests += [{"op": "act", "in": "L", "round": t + 1, "forecasts": [said]},
                         {"op": "observe", "in": "L", "round": t + 1, "outcome": [table["actual"][t]]}]
        requests.append({"op": "save", "in": "L"})
        done = subprocess.run([os.environ["HANNAN_PROGRAM"], "pipe"], input="".join(json.dumps(one) + "\n" for one in requests),
                              capture_output=True, text=True, timeout=60, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        piped = [answer["forecast"][0] for answer in answers if "forecast" in answer]
        with tempfile.TemporaryDirectory() as folder:
            path, record, state = (pathlib.Path(folder, name) for name in ("t.csv", "r.jsonl", "s.json"))
            path.write_text("day,actual,m0,m1,m2\n" + "".join(
                f"{t + 1},{table['actual'][t]!r}," + ",".join("" if x != x else repr(x) for x in rows[t]) + "\n" for t in range(50)))
            for flags in (["--record", record], ["--save", state]):
                subprocess.run([os.environ["HANNAN_PROGRAM"], "run", "forecasts", "-d", path, "--timestamp", "day", "--loss", "absolute",
                                "-q", *flags], check=True, timeout=60)
            lines = [json.loads(line) for line in record.read_text().splitlines()]
            batch = [line["p"][0] for line in lines if "p" in line]
            of_batch = json.loads(state.read_text())["streams"][0]["combiner"]
        self.assertEqual(piped, batch)
        self.assertEqual(looped, batch)
        self.assertEqual(frame.published.tolist(), batch)
        # Not only what was published: every number that the next round depends on.
        self.assertEqual(json.loads(loop.save()), of_batch)
        self.assertEqual(answers[-1]["state"]["state"], of_batch)
        self.assertEqual(json.loads(frame.save())["streams"][0]["combiner"], of_batch)

    def test_the_files_of_the_program_are_what_python_has_to_the_byte(self):
        table, wide = load(rows=60, future=2), load(rows=40, future=1, seed=9)
        for k in range(3):  # quantiles: no column but those of levels is a model
            values = wide.pop(f"m{k}")
            wide |= {f"m{k}@0.1": [x - 20 for x in values], f"m{k}@0.9": [x + 20 for x in values]}
        for columns, loss in ((table, "squared"), (table, "pinball:0.3"), (wide, "squared")):
            with tempfile.TemporaryDirectory() as folder:
                path, result, predictions, weights, state, page, own = (
                    pathlib.Path(folder, name) for name in ("t.csv", "result.json", "p.csv", "w.csv", "s.json", "page.html", "own.html"))
                path.write_text(",".join(columns) + "\n" + "".join(
                    ",".join("" if x != x else repr(x) for x in row) + "\n" for row in zip(*columns.values())))
                flags = [] if columns is wide else ["--loss", loss]
                subprocess.run([os.environ["HANNAN_PROGRAM"], "compare", "forecasts", "-d", path, "--actual", "actual", "--timestamp", "day",
                                "--unit", "MW", "-o", result, "-p", predictions, "--weights", weights, "--save", state, "-q", *flags],
                               check=True, timeout=60)
                subprocess.run([os.environ["HANNAN_PROGRAM"], "report", result, "-o", page, "-q"], check=True, timeout=60)
                for frame in (columns, path, *([pd.DataFrame(columns)] if pd else [])):
                    run = hannan.combine(frame, actual="actual", time="day", loss=loss, unit="MW")
                    self.assertEqual(file_of(run.predictions), predictions.read_bytes())
                    self.assertEqual(file_of(run.weights), weights.read_bytes())
                    self.assertEqual(run.save(), state.read_bytes().rstrip(b"\n"))
                    self.assertEqual({**run.report(), "source": ""}, {**json.loads(result.read_text()), "source": ""})
                run = hannan.combine(path, actual="actual", time="day", loss=loss, unit="MW")
                run.to_html(own)
                # But for the nonce, which is of one page, and the folder of the result.
                first, second = (re.sub(r'nonce[-="]*[0-9a-f]+|[^"]*/result.json', "", one.read_text()) for one in (own, page))
                self.assertEqual(first, second)

    def test_a_run_goes_on(self):
        table = load(rows=40, future=0)
        whole = hannan.combine(table, actual="actual", time="day")
        part = {name: column[:21] for name, column in table.items()}
        part["actual"] = part["actual"][:20] + [float("nan")]
        first = hannan.combine(part, actual="actual", time="day")
        rest = hannan.combine({name: column[20:] for name, column in table.items()}, actual="actual", time="day", state=first.save())
        self.assertEqual(first.published.tolist(), whole.published[:21].tolist())
        self.assertEqual(rest.published[1:].tolist(), whole.published[21:].tolist())

    def test_a_loss_of_ones_own_is_convex_or_refused(self):
        table = load(rows=30, future=0)
        own = hannan.combine(table, actual="actual", time="day", loss=lambda p, y: ((p - y) ** 2, 2 * (p - y)))
        squared = hannan.combine(table, actual="actual", time="day")
        np.testing.assert_allclose(own.published, squared.published, rtol=1e-9)
        with self.assertRaises(hannan.UsageError) as caught:
            hannan.combine(table, actual="actual", time="day", loss=lambda p, y: (math.sin(p), math.cos(p)))
        self.assertEqual(caught.exception.code, "H108")


if __name__ == "__main__":
    unittest.main()
