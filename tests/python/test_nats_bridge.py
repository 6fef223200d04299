"""examples/service/nats_bridge.py: every message of a stream counts once, whatever is killed."""
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest

from bridges import BridgeTest, example

BRIDGE = example("nats_bridge.py")
SERVER = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")

spec = importlib.util.spec_from_file_location("nats_bridge", BRIDGE)
nats_bridge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(nats_bridge)


class NatsBridge(BridgeTest):
    NAME = "a.b"

    def setUp(self):
        super().setUp()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.queue = None
        self.start_queue()
        self.addCleanup(self.stop_queue)
        self.ask_queue("$JS.API.STREAM.CREATE.BIDS", {"name": "BIDS", "subjects": ["bids.*"], "storage": "file"})

    def start_queue(self):
        self.queue = subprocess.Popen([SERVER, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.folder + "/queue", "-l",
                                       self.folder + "/queue.log"])
        until = time.monotonic() + 30
        while True:
            try:
                return self.ask_queue("$JS.API.INFO", {})
            except (OSError, nats_bridge.NatsFailure):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)

    def kill_queue(self):
        self.queue.kill()
        self.queue.wait(timeout=30)

    def stop_queue(self):
        if self.queue.poll() is None:
            self.queue.terminate()
        self.queue.wait(timeout=30)

    def connected(self):
        nats = nats_bridge.Nats(f"127.0.0.1:{self.port}")
        self.addCleanup(nats.close)
        return nats

    def ask_queue(self, subject, body):
        return self.connected().ask(subject, body)

    def write(self, begin, end):
        nats = self.connected()
        for i in range(begin, end):  # answered when the stream has it
            self.assertEqual(nats.ask("bids.home", {"id": f"m{i}", "outcome": [i % 3 / 2, 0.5]})["stream"], "BIDS")

    def bridge(self, *flags):
        return self.run_bridge(BRIDGE, f"127.0.0.1:{self.port}", "BIDS", self.address, self.NAME, "--ack-wait", "2", *flags)

    def waiting(self):
        found = self.ask_queue("$JS.API.CONSUMER.INFO.BIDS.hannan-a_b", {})
        return found["num_pending"] + found["num_ack_pending"]

    def test_kills_of_all_three_cost_nothing_and_count_nothing_twice(self):
        self.write(0, 50)
        bridge = self.bridge("--block", "7")
        self.wait_for(14)
        bridge.kill()
        self.write(50, 90)
        bridge = self.bridge("--block", "7")
        self.wait_for(60)
        self.kill_service()  # which the bridge waits for
        self.write(90, 120)
        self.start()
        self.kill_queue()
        self.start_queue()
        self.write(120, 150)
        until = time.monotonic() + 60
        while self.waiting() > 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        bridge.kill()
        self.assertEqual(self.learner.facts["rounds"], 150)
        self.assertEqual(sorted(self.recorded()), sorted([i % 3 / 2, 0.5] for i in range(150)))
        # Without the consumer, which knows what was acknowledged, all are sent again, and known again.
        self.assertTrue(self.ask_queue("$JS.API.CONSUMER.DELETE.BIDS.hannan-a_b", {})["success"])
        again = self.bridge("--once")
        self.assertEqual((again.wait(timeout=60), self.learner.facts["rounds"], self.waiting()), (0, 150, 0))

    def test_messages_without_an_id_have_that_of_their_place(self):
        nats = self.connected()
        for outcome in ([0, 1], [1, 0], [1, 0]):
            nats.ask("bids.home", outcome)
        for _ in range(2):
            self.assertEqual(self.bridge("--once").wait(timeout=60), 0)
            self.assertEqual(self.recorded(), [[0, 1], [1, 0], [1, 0]])
            self.ask_queue("$JS.API.CONSUMER.DELETE.BIDS.hannan-a_b", {})

    def test_what_cannot_go_on_stops_it_and_says_why(self):
        self.write(0, 2)
        self.connected().ask("bids.home", {"id": "bad", "outcome": [3, 0]})
        bridge = self.bridge()
        _, errors = bridge.communicate(timeout=60)
        self.assertNotEqual(bridge.returncode, 0)
        self.assertRegex(errors, "H105|H205|H301")
        self.assertEqual((self.learner.facts["rounds"], self.waiting()), (0, 3))  # the block counts as a whole
        self.ask_queue("$JS.API.STREAM.DELETE.BIDS", {})
        bridge = self.bridge()
        _, errors = bridge.communicate(timeout=60)
        self.assertIn("nats_bridge: $JS.API.CONSUMER.DURABLE.CREATE.BIDS.hannan-a_b: stream not found", errors)


if __name__ == "__main__":
    if not SERVER:
        print("nats-server is not installed, and so not tried")
        sys.exit(77)
    unittest.main()
