"""examples/service/tail.py: every line of a growing file counts once, whatever is killed."""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

import test_service

import hannan

BRIDGE = pathlib.Path(os.environ["HANNAN_SOURCE"], "examples", "service", "tail.py")


class Bridge(unittest.TestCase):
    start, stop = test_service.ServiceTest.start, test_service.ServiceTest.stop

    def setUp(self):
        test_service.ServiceTest.setUp(self)
        self.file = pathlib.Path(self.folder, "outcomes.jsonl")
        self.service = hannan.connect(self.address)
        self.addCleanup(self.service.close)
        self.learner = self.service.create("a", hannan.problem("experts", experts=2))

    def bridge(self, *flags):
        process = subprocess.Popen([sys.executable, str(BRIDGE), str(self.file), self.address, "a", *flags],
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate(timeout=30)))
        return process

    def write(self, begin, end, mode="a"):
        with open(self.file, mode, encoding="utf-8") as file:
            for i in range(begin, end):
                file.write(json.dumps({"id": f"m{i}", "outcome": [i % 3 / 2, 0.5]}) + "\n")

    def wait_for(self, rounds):
        until = time.monotonic() + 60
        while self.learner.facts["rounds"] < rounds:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def recorded(self):
        path = self.folder + "/record.jsonl"
        self.learner.record(path)
        hannan.verify(path)
        with open(path, encoding="utf-8") as file:
            return [json.loads(line)["outcome"] for line in list(file)[1:-1]]

    def test_kills_of_both_cost_nothing_and_count_nothing_twice(self):
        self.write(0, 50)
        bridge = self.bridge("--block", "7")
        self.wait_for(20)
        bridge.kill()
        self.write(50, 90)
        bridge = self.bridge("--block", "7")
        self.wait_for(60)
        self.process.kill()  # the service, which the bridge waits for
        self.process.communicate(timeout=30)
        self.write(90, 120)
        self.start()
        self.wait_for(120)
        bridge.kill()
        self.assertEqual(self.recorded(), [[i % 3 / 2, 0.5] for i in range(120)])
        # Without the note of what was acknowledged all lines are sent again, and known again.
        pathlib.Path(str(self.file) + ".position").unlink()
        done = self.bridge("--once")
        self.assertEqual((done.wait(timeout=60), self.learner.facts["rounds"]), (0, 120))

    def test_a_half_line_waits_and_a_rotated_file_is_read_to_its_end(self):
        self.file.write_text("[0,1]\n[1,0]\n[0.5")
        bridge = self.bridge()
        self.wait_for(2)
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(",0]\n")
        os.rename(self.file, str(self.file) + ".1")
        self.write(0, 3, "w")
        self.wait_for(6)
        bridge.kill()
        self.assertEqual(self.recorded(), [[0, 1], [1, 0], [0.5, 0], [0, 0.5], [0.5, 0.5], [1, 0.5]])

    def test_a_line_that_is_no_outcome_stops_it_and_says_why(self):
        self.write(0, 2)
        with open(self.file, "a", encoding="utf-8") as file:
            file.write('{"id":"bad","outcome":[3,0]}\n')
        bridge = self.bridge()
        _, errors = bridge.communicate(timeout=60)
        self.assertNotEqual(bridge.returncode, 0)
        self.assertRegex(errors, "H105|H205|H301")
        self.assertEqual(self.learner.facts["rounds"], 0)  # the block counts as a whole


if __name__ == "__main__":
    unittest.main()
