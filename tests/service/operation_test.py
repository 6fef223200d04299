"""What an operator starts from: the unit, the files of proxies, and the scripts of the package."""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest

import server
from server import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FILES = SOURCE / "examples" / "service"


def run(*words, **how):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **how)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.unit = (FILES / "hannan.service").read_text()

    def setting(self, name):
        return re.search(rf"^{name}=(.*)$", self.unit, re.MULTILINE)[1]

    def test_the_unit_starts_a_service_that_reloads_and_stops(self):
        words = shlex.split(self.setting("ExecStart"))
        self.assertEqual(words.pop(), "$HANNAN_FLAGS")
        paths = {"/usr/bin/hannan": server.BINARY, "/var/lib/hannan/hannan.db": str(self.folder / "log.db"),
                 "unix:/run/hannan/hannan.sock": f"unix:{self.folder / 's'}"}
        self.assertEqual({word for word in words if "/" in word}, set(paths))
        process = subprocess.Popen([paths.get(word, word) for word in words], stdout=subprocess.PIPE, text=True,
                                   umask=int(self.setting("UMask"), 8))
        try:
            self.assertIn("serving", process.stdout.readline())
            ask = run("curl", "--silent", "--unix-socket", self.folder / "s", "http://x/readyz")
            self.assertTrue(json.loads(ask.stdout)["writable"], ask.stderr)
            self.assertEqual((self.folder / "s").stat().st_mode & 0o777, 0o770)  # for a proxy of its group
            self.assertEqual(self.setting("ExecReload"), "/bin/kill -HUP $MAINPID")
            process.send_signal(1)
            time.sleep(0.2)
            self.assertIsNone(process.poll())
        finally:
            process.terminate()
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertLess(10, int(self.setting("TimeoutStopSec")))  # --grace is 10

    def test_the_unit_its_user_and_the_scripts_of_the_package_fit(self):
        user = self.setting("User")
        self.assertIn(f"u {user} ", (FILES / "hannan.sysusers").read_text())
        for script in ("postinst", "prerm"):
            path = SOURCE / "cmake" / "debian" / script
            self.assertEqual(run("sh", "-n", path).returncode, 0)
            self.assertTrue(path.stat().st_mode & 0o100)
        # No systemd runs here, and the package is not being set up: the scripts do nothing.
        self.assertEqual(run("sh", SOURCE / "cmake" / "debian" / "postinst", "abort-upgrade").returncode, 0)
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        unit = self.folder / "hannan.service"
        unit.write_text(self.unit.replace("/usr/bin/hannan", str(pathlib.Path(server.BINARY).resolve())))
        done = run("systemd-analyze", "verify", "--man=no", unit)
        self.assertEqual((done.returncode, "hannan.service" in done.stderr), (0, False), done.stderr)

    def test_nginx_keeps_files_of_floors_alone(self):
        text = (FILES / "nginx.conf").read_text()
        self.assertIn("unix:/run/hannan/hannan.sock", text)
        found = re.search(r"location ~ (/floors\S+)", text)[1]
        for path, cached in (("/v1/learners/a/floors.json", True), ("/v1/floors/site.json", True), ("/v1/floors/site", False)):
            self.assertEqual(bool(re.search(found, path)), cached, path)
        self.assertEqual(text.count("{"), text.count("}"))

    def test_caddy_takes_its_file(self):
        self.assertIn("unix//run/hannan/hannan.sock", (FILES / "Caddyfile").read_text())
        if not shutil.which("caddy"):
            self.skipTest("caddy is not installed")
        done = run("caddy", "validate", "--adapter", "caddyfile", "--config", FILES / "Caddyfile")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
