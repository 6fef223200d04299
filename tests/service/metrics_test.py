"""What /metrics says: the format, every figure that docs, alerts and the board speak of, and alerts that fire when they must."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from server import RESERVES, ServerTest, main

FILES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "service"
RULES, BOARD = FILES / "prometheus-rules.yml", FILES / "grafana-board.json"
NAME = re.compile(r"\b(?:hannan|process)_[a-z_]+")
SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*)\})? (\S+)')
# Of nodes that share a database, which tests/service/nodes_test.py starts.
OF_NODES = {"hannan_stale", "hannan_fenced_total", "hannan_shards_owned"}
# service.md, section 10, and what operators need besides.
EXPECTED = {
    "counter": {"hannan_outcomes_total", "hannan_decisions_total", "hannan_http_requests_total", "hannan_oracle_calls_total",
                "hannan_commit_failures_total", "hannan_log_lines_dropped_total", "process_cpu_seconds_total"},
    "histogram": {"hannan_http_request_seconds", "hannan_commit_seconds", "hannan_commit_rows", "hannan_replay_seconds"},
    "gauge": {"hannan_queue_outcomes", "hannan_queue_bytes", "hannan_learners", "hannan_snapshot_age_rounds_max", "hannan_build_info",
              "hannan_ready", "hannan_recovered", "hannan_writable", "hannan_stalled_learners", "hannan_longest_work_seconds",
              "hannan_jobs_waiting", "hannan_memory_estimated_bytes", "hannan_memory_limit_bytes", "hannan_disk_free_bytes",
              "hannan_disk_size_bytes", "hannan_rounds", "hannan_loss", "hannan_best_loss", "hannan_regret", "hannan_regret_bound",
              "hannan_drift", "hannan_money", "hannan_promise_used", "hannan_best_loss_floor", "hannan_regret_most",
              "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
              "process_start_time_seconds"},
}


def read(text):
    """Families by name, {type, help, samples: {labels: value}}, of a text that keeps every rule of the format."""
    families, now = {}, None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            _, _, name, words = line.split(" ", 3)
            assert name not in families, f"{name} twice"
            now = families[name] = {"help": words, "type": None, "samples": {}}
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert families[name] is now and now["type"] is None and kind in EXPECTED, line
            now["type"] = kind
        else:
            found = SAMPLE.fullmatch(line)
            assert found, line
            name = re.sub("_(bucket|sum|count)$", "", found[1]) if now["type"] == "histogram" else found[1]
            assert families.get(name) is now, f"{line}: not behind its own family"
            key = (found[1], found[2] or "")
            assert key not in now["samples"], f"{line} twice"
            now["samples"][key] = float(found[3])
    return families


class Figures(ServerTest):
    FLAGS = ("--metrics-learners", "*", "--snapshot-every", "1000")

    def figures(self):
        return read(self.server.ask("GET", "/metrics")[2].decode())

    def value(self, name, labels=""):
        return self.figures()[name]["samples"][(name, labels)]

    def tell(self, name, count, first=0):
        rows = [{"id": f"o{i}", "outcome": [0.3, 0.1 * (i % 7), 0.5]} for i in range(first, first + count)]
        self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"outcomes": rows})[0], 200)

    def test_every_figure_has_its_type_its_help_and_one_place(self):
        self.make("a", {**RESERVES, "learner": {"params": {"track": "every"}}, "cap": 5.0, "currency": 'a"\\b'})
        self.make("b")
        for name in "ab":
            self.tell(name, 64)
        found = self.figures()
        for kind, names in EXPECTED.items():
            self.assertEqual({name for name in names if found.get(name, {}).get("type") != kind}, set())
        self.assertEqual(set(found) - set().union(*EXPECTED.values()), set())
        for name, family in found.items():
            self.assertRegex(family["help"], r"^[A-Z0-9].*\.$", name)
            self.assertGreater(len(family["samples"]), 0, name)
        self.assertEqual({labels for _, labels in found["hannan_rounds"]["samples"]}, {'learner="a"', 'learner="b"'})
        self.assertEqual(list(found["hannan_money"]["samples"]), [("hannan_money", 'learner="a",currency="a\\"\\\\b"')])
        if shutil.which("promtool"):
            text = self.server.ask("GET", "/metrics")[2].decode()
            done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
            # The names of learners' figures were given before; the linter would have other units.
            self.assertEqual([line for line in done.stderr.splitlines() if "no help text" in line or "error" in line.lower()], [])

    def test_figures_are_those_of_the_requests(self):
        self.make()
        self.tell("a", 10)
        self.tell("a", 10)
        self.server.ask("POST", "/v1/learners/a/outcomes", {"id": "o1", "outcome": [1, 1, 1]})
        self.server.ask("GET", "/v1/learners/a/decision")
        report = self.server.json("GET", "/v1/learners/a/report")
        for name, labels, value in (("hannan_outcomes_total", 'result="accepted"', 10), ("hannan_outcomes_total", 'result="duplicate"', 10),
                                    ("hannan_outcomes_total", 'result="refused"', 1), ("hannan_decisions_total", "", 1),
                                    ("hannan_learners", 'status="ready"', 1), ("hannan_snapshot_age_rounds_max", "", 10),
                                    ("hannan_queue_outcomes", "", 0), ("hannan_ready", "", 1), ("hannan_writable", "", 1),
                                    ("hannan_commit_failures_total", "", 0), ("hannan_stalled_learners", "", 0),
                                    ("hannan_rounds", 'learner="a"', 10), ("hannan_loss", 'learner="a"', report["total"])):
            self.assertEqual(self.value(name, labels), value, name)
        calls = self.value("hannan_oracle_calls_total")
        self.assertGreater(calls, 0)
        self.tell("a", 990, first=10)
        self.assertGreater(self.value("hannan_oracle_calls_total"), calls)
        self.server.ask("GET", "/v1/learners/a/report")  # behind the snapshot, in the learner's lane
        self.assertEqual(self.value("hannan_snapshot_age_rounds_max"), 0)
        self.assertLess(abs(self.value("process_start_time_seconds") - time.time()), 120)

    def test_a_stalled_learner_is_seen(self):
        self.make("heavy", {"problem": {"kind": "vcg-reserves", "params": {"bidders": 16, "levels": 16, "units": 4}},
                            "learner": {"kind": "flipflop", "params": {"oracle": "branch_bound:200000"}}})
        rows = [{"id": str(i), "outcome": [((i * 31 + k * 17) % 64) / 64 for k in range(16)]} for i in range(2000)]

        def send():
            try:
                self.server.ask("POST", "/v1/learners/heavy/outcomes", {"outcomes": rows})
            except OSError:
                pass  # it is ended before it is answered
        sender = threading.Thread(target=send)
        sender.start()
        self.addCleanup(sender.join)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        until = time.monotonic() + 60
        while self.value("hannan_stalled_learners") == 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.5)
        self.assertGreater(self.value("hannan_longest_work_seconds"), 10)
        self.assertEqual(self.value("hannan_queue_outcomes"), 2000)
        self.assertEqual(self.server.json("GET", "/readyz")["stalled"], 1)


class Files(unittest.TestCase):
    def expressions(self):
        board = json.loads(BOARD.read_text())
        return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]

    def test_alerts_and_board_speak_of_figures_that_there_are(self):
        known = set().union(*EXPECTED.values(), OF_NODES)
        text = "\n".join([*re.findall(r"expr:(.*(?:\n {10,}.*)*)", RULES.read_text()), *self.expressions()])
        names = {re.sub("_bucket$", "", name) for name in NAME.findall(text)}
        self.assertGreater(len(names), 20)
        self.assertEqual(names - known, set())

    def test_the_board_is_whole(self):
        board = json.loads(BOARD.read_text())
        ids = [panel["id"] for panel in board["panels"]]
        self.assertEqual(len(ids), len(set(ids)))
        boxes = [panel["gridPos"] for panel in board["panels"]]
        for i, a in enumerate(boxes):
            self.assertLessEqual(a["x"] + a["w"], 24)
            for b in boxes[:i]:
                self.assertTrue(a["x"] >= b["x"] + b["w"] or b["x"] >= a["x"] + a["w"] or a["y"] >= b["y"] + b["h"] or b["y"] >= a["y"] + a["h"])

    def promtool(self, *words):
        if not shutil.which("promtool"):
            self.skipTest("promtool (Debian: prometheus) is not installed")
        done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_alerts_fire_where_they_must_and_nowhere_else(self):
        self.assertIn("SUCCESS", self.promtool("test", "rules", FILES / "prometheus-rules-test.yml"))
        tested = (FILES / "prometheus-rules-test.yml").read_text()
        for name in re.findall(r"alert: (\w+)", RULES.read_text()):
            self.assertIn(f'alertname="{name}"', tested)

    def test_the_expressions_of_the_board_are_read_by_prometheus(self):
        rules = "".join(f"      - record: x:{i}\n        expr: {json.dumps(expr)}\n" for i, expr in enumerate(
            expr.replace("$__rate_interval", "1m").replace("$instance", ".*").replace("$learner", ".*") for expr in self.expressions()))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rules.yml"
            path.write_text("groups:\n  - name: board\n    rules:\n" + rules)
            self.promtool("check", "rules", path)
        self.promtool("check", "rules", RULES)


if __name__ == "__main__":
    main()
