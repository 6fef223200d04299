"""hannan.connect: a backend engineer's learner in the service and back."""
import os
import signal
import subprocess
import tempfile
import unittest

import numpy as np

import hannan

PROGRAM = os.environ["HANNAN_PROGRAM"]


class ServiceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.address = "unix:" + folder.name + "/s.sock"
        self.start()
        self.addCleanup(self.stop)

    def start(self):
        self.process = subprocess.Popen([PROGRAM, "serve", "--db", self.folder + "/log.db", "--listen", self.address],
                                        stdout=subprocess.PIPE, text=True)
        self.assertRegex(self.process.stdout.readline(), "serving")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)

    def test_the_same_learner_here_and_there(self):
        problem = hannan.problem("vcg-reserves", bidders=3, levels=10)
        bids = np.random.default_rng(3).random((300, 3)).round(3)
        with hannan.connect(self.address) as service:
            remote = service.create("homepage", problem, learner="flipflop", seed=7)
            decision = remote.act()
            first = remote.observe(bids[0], decision=decision, id="auction-0")
            self.assertEqual(first.accepted, 1)
            self.assertEqual(remote.observe(bids[0], decision=decision, id="auction-0").duplicates, 1)
            remote.observe_many(bids[1:], ids=[f"auction-{i}" for i in range(1, 300)], block=100)
            here = problem.learner("flipflop", seed=7)
            here.play(bids)
            self.assertEqual(remote.act().action, list(here.act()))
            self.assertEqual(remote.report()["total"], here.total)
            local = hannan.Learner.load(remote.state())
            self.assertEqual(local.save(), here.save())
            remote.record(self.folder + "/r.jsonl")
            self.assertTrue(hannan.verify(self.folder + "/r.jsonl"))
            self.assertEqual([one.name for one in service.learners()], ["homepage"])

    def test_a_service_that_died_is_waited_for_and_nothing_counts_twice(self):
        import threading
        problem = hannan.problem("experts", experts=2)
        with hannan.connect(self.address) as service:
            remote = service.create("a", problem)
            remote.observe([0.0, 1.0], id="1")
            self.process.kill()
            self.process.communicate(timeout=30)
            again = threading.Timer(0.5, self.start)
            again.start()
            answer = remote.observe_many(np.tile([0.0, 1.0], (3, 1)), ids=["1", "2", "3"])
            again.join()
            self.assertEqual((answer.accepted, answer.duplicates), (2, 1))
            self.assertEqual(remote.facts.rounds, 3)

    def test_a_learner_of_another_node_is_asked_there(self):
        import http.server
        import threading

        there = subprocess.Popen([PROGRAM, "serve", "--db", self.folder + "/there.db", "--listen", "127.0.0.1:0"],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(there.communicate, timeout=30)
        self.addCleanup(there.terminate)
        url = there.stdout.readline().split()[3].rstrip("/")
        asked = []

        class Wrong(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                asked.append(self.command)
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(421)
                self.send_header("Location", url + self.path)
                body = b'{"error":{"code":"H808","message":"another node","at":"name"}}'
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT = do_POST = answer

            def log_message(self, *unused):
                pass

        wrong = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wrong)
        self.addCleanup(wrong.server_close)
        threading.Thread(target=wrong.serve_forever, daemon=True).start()
        self.addCleanup(wrong.shutdown)
        with hannan.connect(f"http://127.0.0.1:{wrong.server_port}") as service:
            remote = service.create("a", hannan.problem("experts", experts=2))
            self.assertEqual(remote.observe([0.0, 1.0], id="1").accepted, 1)
            self.assertEqual(remote.facts.rounds, 1)
        self.assertEqual(asked, ["PUT"])  # and then at the node that has it

    def test_errors_have_their_codes(self):
        with hannan.connect(self.address) as service:
            with self.assertRaises(hannan.UsageError) as caught:
                service.learner("missing")
            self.assertEqual(caught.exception.code, "H107")
            remote = service.create("a", hannan.problem("experts", experts=2))
            with self.assertRaises(hannan.UsageError) as caught:
                remote.observe([0.0, 2.0])
            self.assertEqual(caught.exception.code, "H105")
        with self.assertRaises(hannan.UsageError):
            hannan.connect("ftp://nowhere")

    def test_contexts_and_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not there")
        frame = pandas.DataFrame({"site": ["x", "y"] * 20, "left": [0.0, 1.0] * 20, "right": [1.0, 0.0] * 20,
                                  "key": range(40)})
        with hannan.connect(self.address) as service:
            remote = service.create("sites", hannan.problem("experts", experts=2), by=["site"])
            self.assertEqual(remote.observe_many(frame, ids="key", context="site").accepted, 40)
            self.assertEqual(remote.act(["x"]).action, 0)
            self.assertEqual(remote.act(["y"]).action, 1)


if __name__ == "__main__":
    unittest.main()
