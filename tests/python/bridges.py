"""What tests of bridges share: a service with a learner, a bridge as a process, and what came of it."""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

import test_service

import hannan


class BridgeTest(unittest.TestCase):
    NAME = "a"  # of the learner
    start, stop = test_service.ServiceTest.start, test_service.ServiceTest.stop

    def setUp(self):
        test_service.ServiceTest.setUp(self)
        self.service = hannan.connect(self.address)
        self.addCleanup(self.service.close)
        self.learner = self.service.create(self.NAME, hannan.problem("experts", experts=2))

    def run_bridge(self, path, *args):
        process = subprocess.Popen([sys.executable, str(path), *args], stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate(timeout=30)))
        return process

    def wait_for(self, rounds):
        until = time.monotonic() + 60
        while self.learner.facts.get("rounds", 0) < rounds:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def recorded(self):
        path = self.folder + "/record.jsonl"
        self.learner.record(path)
        hannan.verify(path)
        with open(path, encoding="utf-8") as file:
            return [json.loads(line)["outcome"] for line in list(file)[1:-1]]

    def kill_service(self):
        self.process.kill()
        self.process.communicate(timeout=30)


def example(name):
    return pathlib.Path(os.environ["HANNAN_SOURCE"], "examples", "service", name)
