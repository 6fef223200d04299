"""examples/service/tail.py: every line of a growing file counts once, whatever is killed."""
import json
import os
import pathlib
import unittest

from bridges import BridgeTest, example


class Bridge(BridgeTest):
    def setUp(self):
        super().setUp()
        self.file = pathlib.Path(self.folder, "outcomes.jsonl")

    def bridge(self, *flags):
        return self.run_bridge(example("tail.py"), str(self.file), self.address, self.NAME, *flags)

    def write(self, begin, end, mode="a"):
        with open(self.file, mode, encoding="utf-8") as file:
            for i in range(begin, end):
                file.write(json.dumps({"id": f"m{i}", "outcome": [i % 3 / 2, 0.5]}) + "\n")

    def test_kills_of_both_cost_nothing_and_count_nothing_twice(self):
        self.write(0, 50)
        bridge = self.bridge("--block", "7")
        self.wait_for(20)
        bridge.kill()
        self.write(50, 90)
        bridge = self.bridge("--block", "7")
        self.wait_for(60)
        self.kill_service()  # which the bridge waits for
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
