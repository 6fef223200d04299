"""The service under the restrictions of its systemd unit: it does all it does elsewhere, and what the unit forbids is refused."""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import sandbox
import server
from kinds import KINDS
from server import ServerTest, main

PROGRAM = pathlib.Path(server.BINARY).resolve()


class SandboxedServer(server.Server):
    def start(self, port=0):
        words = [PROGRAM, "serve", "--db", self.folder / "log.db", "--listen", f"127.0.0.1:{port}", *self.flags]
        command, rules = sandbox.wrapped(words, [self.folder], PROGRAM.parent)
        with rules:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                            pass_fds=[rules.fileno()])
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise RuntimeError("the service did not start: " + line + self.process.communicate(timeout=30)[1])
        self.port = int(found[1])

    def inner(self):
        """The process of the service itself, behind those of bubblewrap."""
        pid = self.process.pid
        while True:
            children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if not children:
                return pid
            pid = int(children[0])

    def stop(self):
        os.kill(self.inner(), signal.SIGTERM)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@unittest.skipIf(sandbox.missing(), sandbox.missing())
class Sandboxed(ServerTest):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.server = SandboxedServer(self.folder, "--metrics-learners", "*")
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def test_learners_of_every_kind_play_are_checked_and_survive_a_stop(self):
        draw = random.Random(1)
        for name, kind in KINDS.items():
            self.make(name, kind.body)
            if kind.late:
                continue
            told = [{"id": str(i), **kind.told(draw)} for i in range(20)]
            status, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"outcomes": told})
            self.assertEqual(status, 200, answer)
        self.assertEqual(self.server.ask("POST", "/v1/learners/flipflop/verify")[0], 202)  # on a thread of lower priority
        until = time.monotonic() + 60
        while (state := self.server.json("GET", "/v1/learners/flipflop/verify"))["state"] in ("waiting", "running"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        self.assertEqual(state["state"], "holds", state)
        metrics = self.server.ask("GET", "/metrics")[2].decode()
        for name in ("process_resident_memory_bytes", "process_open_fds", "process_cpu_seconds_total", "hannan_disk_free_bytes"):
            self.assertGreater(float(re.search(rf"(?m)^{name} (\S+)", metrics)[1]), 0)
        before = self.server.ask("GET", "/v1/learners/by-context/record")[2]
        self.assertEqual(self.server.stop()[0], 0)
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/by-context/record")[2], before)
        status = pathlib.Path(f"/proc/{self.server.inner()}/status").read_text()
        self.assertIn("NoNewPrivs:\t1", status)
        self.assertIn("Seccomp:\t2", status)
        self.assertIn("CapBnd:\t0000000000000000", status)

    def inside(self, code):
        """The exit status of a Python program in the sandbox."""
        command, rules = sandbox.wrapped(["/usr/bin/python3", "-c", code], [self.folder], PROGRAM.parent)
        with rules:
            done = subprocess.run(command, capture_output=True, text=True, pass_fds=[rules.fileno()], timeout=60)
        return done.returncode, done.stderr

    def test_what_the_unit_forbids_is_refused(self):
        self.assertEqual(self.inside(f"open({str(self.folder / 'x')!r}, 'w').write('x')"), (0, ""))
        for what, code in (
                ("files of others", "open('/etc/hannan-test', 'w')"),
                ("code that was written", "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)"),
                ("other sockets", "import socket; socket.socket(socket.AF_NETLINK)"),
                ("namespaces", "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); os._exit(0 if c.unshare(0x20000) == 0 else 1)"),
                ("mounts", "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); os._exit(0 if c.mount(b'x', b'/tmp', b'tmpfs', 0, None) == 0 else 1)")):
            with self.subTest(what):
                self.assertNotEqual(self.inside(code)[0], 0)


class Unit(unittest.TestCase):
    def test_its_exposure_stays_low(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=16", str(sandbox.UNIT)], capture_output=True,
                              text=True, timeout=60)
        if "unrecognized option" in done.stderr:
            self.skipTest("systemd is older than 250")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)


if __name__ == "__main__":
    main()
