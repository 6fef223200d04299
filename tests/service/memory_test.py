"""Learners with many segments: their states are sent and kept in pieces, --memory bounds them, and a process without memory lives on.

HANNAN_SEGMENTS=10000 looks at the memory of so many instead of 1,000."""
import json
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import unittest

from server import BINARY, Server, ServerTest, main

SEGMENTS = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 3, "levels": 16}},
            "learner": {"params": {"track": "end", "by": ["site"]}}}
LIGHT = {"problem": {"kind": "experts", "params": {"experts": 3}}}
MANY = int(os.environ.get("HANNAN_SEGMENTS", "1000"))
# A sanitizer's own memory is counted by the system too.
SANITIZED = bool(os.environ.get("ASAN_OPTIONS") or os.environ.get("TSAN_OPTIONS"))


def rows(first, count, site=str):
    draws = random.Random(first)
    return {"outcomes": [{"id": f"o{i}", "context": [site(i)], "outcome": [draws.randint(0, 16) / 16 for _ in range(3)]}
                         for i in range(first, first + count)]}


def peak(process):
    """The most memory that a process has had so far, in MiB."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


class Segments(ServerTest):
    def tell(self, body, name="a"):
        status, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", body)
        return status, json.loads(answer)

    def told(self, count):
        self.make("a", SEGMENTS)
        for first in range(0, count, 500):
            self.assertEqual(self.tell(rows(first, 500))[0], 200)


class ManySegments(Segments):
    @unittest.skipIf(SANITIZED, "the memory is the sanitizer's")
    def test_a_state_is_sent_and_kept_without_being_in_memory_as_a_whole(self):
        self.told(2000)
        self.server.ask("GET", "/v1/learners/a/state")  # whatever a learner does before it is saved is done
        before = peak(self.server.process)
        status, headers, state = self.server.ask("GET", "/v1/learners/a/state")
        self.assertEqual((status, headers.get("Transfer-Encoding"), headers["Content-Type"]), (200, "chunked", "application/json"))
        self.assertGreater(len(state), 30e6)
        self.assertLess(peak(self.server.process) - before, 20)
        self.assertEqual(len(json.loads(state)["state"]["learners"]), 2001)
        # The snapshot at the end is as large, and the next start reads it back.
        self.server.process.terminate()
        before = peak(self.server.process)
        self.server.process.communicate(timeout=60)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of the largest child so far
        self.assertLess(used - before, 20)
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/state")[2], state)
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 2000)
        # Its text beside the learner itself: 34 MiB and up to 240 MiB, which as JSON values were 400 MiB more.
        self.assertLess(peak(self.server.process), 350)

    @unittest.skipIf(SANITIZED, "the memory is the sanitizer's")
    def test_a_segment_gives_back_what_its_searches_used(self):
        self.make("a", SEGMENTS)
        before = peak(self.server.process)
        for first in range(0, 4000, 500):
            self.assertEqual(self.tell(rows(first, 500, lambda i: str(i % 1000)))[0], 200)
        # Two numbers for each of 4,096 actions are 62.5 MiB of 1,000 segments; a total of each for a search is half as much again.
        self.assertLess(peak(self.server.process) - before, 80)

    def test_a_learner_goes_on_from_a_snapshot_of_many_pieces_as_if_it_had_stayed(self):
        self.told(500)
        self.server.stop()
        self.server.start()
        self.assertEqual(self.tell(rows(500, 100, lambda i: str(i % 500)))[0], 200)
        self.verify()
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a?purge=true")[0], 204)
        self.server.stop()
        with sqlite3.connect(self.folder / "log.db") as log:
            self.assertEqual(log.execute("select count(*) from snapshot_piece").fetchone(), (0,))

    def test_a_state_that_is_not_read_keeps_nobody_from_the_learner(self):
        self.told(500)
        slow = [self.server.connection() for _ in range(20)]
        for one in slow:
            one.request("GET", "/v1/learners/a/state")
        self.assertEqual(self.tell(rows(500, 10, lambda i: "0"))[0], 200)
        states = {one.getresponse().read() for one in slow}
        for one in slow:
            one.close()
        self.assertTrue(all(json.loads(state)["state"]["tree"]["segments"][0]["seen"] in (500, 510) for state in states))


class AsManyAsAsked(Segments):
    FLAGS = ("--grace", "120")  # time for the snapshot

    @unittest.skipIf(SANITIZED, "the memory is the sanitizer's")
    def test_ten_thousand_with_their_state_and_snapshot_fit_into_a_gibibyte(self):
        self.told(MANY)
        told = peak(self.server.process)
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/state")[0], 200)
        sent = peak(self.server.process)
        self.server.process.terminate()
        _, status, used = os.wait4(self.server.process.pid, 0)
        self.server.process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(self.server.stop()[0], 0)
        kept = used.ru_maxrss / 1024
        with sqlite3.connect(self.folder / "log.db") as log:
            self.assertEqual(log.execute("select max(t) from snapshot").fetchone(), (MANY,))
        print(f"{MANY} segments: {told:.0f} MiB, with their state sent {sent:.0f}, with their snapshot written {kept:.0f}")
        self.assertLess(kept, 24 + 1000 * MANY / 10_000)  # the process, and its segments


class Bounded(Segments):
    FLAGS = ("--memory", "16")

    def test_segments_beyond_the_memory_are_refused_before_anything_is_taken(self):
        self.make("a", SEGMENTS)
        taken = 0
        while True:
            status, answer = self.tell(rows(taken, 20))
            if status != 200:
                break
            taken += 20
            self.assertLess(taken, 1000, "no end of memory")
        self.assertEqual((status, answer["error"]["code"]), (507, "H822"))
        self.assertIn("--memory", answer["error"]["message"])
        self.assertGreater(taken, 20)
        seen = self.server.json("GET", "/v1/learners/a")
        self.assertEqual(seen["rounds"], taken)  # nothing of the refused request
        # Segments that are there go on, and so do other learners.
        self.assertEqual(self.tell(rows(5000, 20, lambda i: str(i % taken)))[0], 200)
        self.make("light", LIGHT)
        self.assertEqual(self.tell({"id": "x", "outcome": [0, 1, 0.5]}, "light")[0], 200)
        # A request for both is taken or refused as a whole.
        lines = [{"in": "light", "id": "y", "outcome": [0, 1, 0.5]}] + [{"in": "a", **row} for row in rows(6000, 20)["outcomes"]]
        both = "\n".join(map(json.dumps, lines)) + "\n"
        self.assertEqual(self.server.ask("POST", "/v1/batch", both)[0], 507)
        self.assertEqual(self.server.json("GET", "/v1/learners/light")["rounds"], 1)
        self.verify()
        # A restart counts what is there, and refuses what is more.
        self.server.stop()
        self.server.start()
        self.assertEqual(self.tell(rows(7000, 200))[0], 507)
        # What is ended leaves its memory to others.
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.make("b", SEGMENTS)
        self.assertEqual(self.tell(rows(0, 20), "b")[0], 200)
        self.assertEqual(self.server.ask("POST", "/v1/learners/b/reset")[0], 200)
        self.assertEqual(self.tell(rows(0, 20), "b")[0], 200)


@unittest.skipIf(SANITIZED, "a sanitizer needs more address space than there is")
class WithoutMemory(unittest.TestCase):
    """More is allowed than the system gives: what does not fit ends its request, and not the process."""

    def test_a_learner_without_memory_ends_its_request_alone(self):
        import tempfile  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as folder:
            limited = pathlib.Path(folder) / "limited"
            limited.write_text(f"#!/bin/sh\nulimit -v 700000\nMALLOC_ARENA_MAX=2 exec '{pathlib.Path(BINARY).resolve()}' \"$@\"\n")
            limited.chmod(0o755)
            server = self.start(folder, limited)
            self.addCleanup(lambda: server.process.poll() is None and server.kill())
            self.assertEqual(server.ask("PUT", "/v1/learners/a", SEGMENTS)[0], 201)
            self.assertEqual(server.ask("PUT", "/v1/learners/light", LIGHT)[0], 201)
            taken, status, answer = 0, 200, b""
            while status == 200 and taken < 40000:
                status, _, answer = server.ask("POST", "/v1/learners/a/outcomes", rows(taken, 500))
                taken += 500 if status == 200 else 0
            self.assertEqual((status, json.loads(answer)["error"]["code"]), (507, "H822"), answer)
            self.assertIsNone(server.process.poll())
            self.assertEqual(server.ask("DELETE", "/v1/learners/a")[0], 204)
            status, _, answer = server.ask("POST", "/v1/learners/light/outcomes", {"id": "x", "outcome": [0, 1, 0.5]})
            self.assertEqual(status, 200, answer)
            self.assertEqual(server.json("GET", "/v1/learners/light")["rounds"], 1)
            self.assertEqual(server.stop()[0], 0)

    @staticmethod
    def start(folder, program):
        import server as module  # pylint: disable=import-outside-toplevel
        before, module.BINARY = module.BINARY, str(program)
        try:
            return Server(folder, "--memory", "100000", "--workers", "1")
        finally:
            module.BINARY = before


class Reset(ServerTest):
    FLAGS = ("--allow-external",)

    def test_a_learner_that_cannot_be_made_again_stays_as_it_is(self):
        program = self.folder / "oracle.py"
        source = pathlib.Path(__file__).resolve().parents[2] / "examples" / "external" / "table_oracle.py"
        shutil.copy(source, program)
        oracle = f"external:{sys.executable} {program}"
        self.make("a", {**LIGHT, "learner": {"kind": "leader", "params": {"oracle": oracle}}})
        tell = lambda i: self.server.ask("POST", "/v1/learners/a/outcomes", {"id": str(i), "outcome": [0, 1, 0.5]})[0]
        self.assertEqual(tell(1), 200)
        program.unlink()
        self.assertGreaterEqual(self.server.ask("POST", "/v1/learners/a/reset")[0], 400)
        seen = self.server.json("GET", "/v1/learners/a")
        self.assertEqual((seen["generation"], seen["rounds"]), (1, 1))
        self.assertEqual(tell(2), 200)
        shutil.copy(source, program)
        self.server.stop()
        self.server.start()
        seen = self.server.json("GET", "/v1/learners/a/report")
        self.assertEqual(seen["rounds"], 2)
        self.assertEqual(self.server.ask("POST", "/v1/learners/a/reset")[0], 200)
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["generation"], 2)


if __name__ == "__main__":
    main()
