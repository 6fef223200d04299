"""The Containerfile of examples/service: what it names is there, and where podman or buildah runs the image is built and answers."""
import http.client
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import server
from server import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FILE = SOURCE / "examples" / "service" / "Containerfile"
BUILD = pathlib.Path(server.BINARY).resolve().parents[1]
TOKEN_LINE = "e632b7095b0bf32c260fa4c539e9fd7b852d0de454e9be26f24d0d6f91d069d3 read *\n"  # of the token T


def run(*words, timeout=900):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout)


class Container(unittest.TestCase):
    def test_it_names_packages_paths_and_flags_that_there_are(self):
        text = FILE.read_text()
        packages = (SOURCE / "cmake" / "package.cmake").read_text()
        self.assertEqual(set(re.findall(r"([a-z-]+)_\*\.deb", text)), {"hannan", "hannan-serve"})
        self.assertIn("CPACK_DEBIAN_RUNTIME_PACKAGE_NAME hannan)", packages)
        self.assertIn("foreach(part SERVE BENCH)", packages)
        help_text = run(server.BINARY, "serve", "--help").stdout
        for flag in re.findall(r'"(--[a-z-]+)"', re.search(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)[1]):
            self.assertIn(flag, help_text)
        user = re.search(r"^USER (\w+)$", text, re.MULTILINE)[1]
        self.assertIn(f"u {user} ", (SOURCE / "examples" / "service" / "hannan.sysusers").read_text())

    def image(self, tool, folder):
        """The image, built from packages that are made now."""
        made = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder, "-D", "CPACK_COMPONENTS_ALL=runtime;serve")
        if not list(folder.glob("hannan-serve_*.deb")):
            self.skipTest("the Debian packages cannot be made from this build: " + made.stderr[-200:])
        context = folder / "context"
        context.mkdir()
        for package in [*folder.glob("hannan_*.deb"), *folder.glob("hannan-serve_*.deb")]:
            shutil.copy(package, context)
        # Without namespaces of its own where the machine has none to give: BUILDAH_ISOLATION=chroot.
        built = run(tool, "build", "--file", FILE, "--tag", "hannan-serve-test", context)
        if built.returncode != 0 and re.search("pinging container registry|no such host|dial tcp|connection refused|operation not permitted",
                                               built.stderr, re.IGNORECASE):
            self.skipTest(f"{tool} does not reach the base image, or may not build here: " + built.stderr.strip().splitlines()[-1][-200:])
        self.assertEqual(built.returncode, 0, built.stderr[-2000:])

    def test_the_image_answers(self):
        tool = shutil.which("podman") or shutil.which("buildah")
        if not tool:
            self.skipTest("neither podman nor buildah is installed")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.image(tool, folder)
        if not tool.endswith("podman"):
            self.skipTest("the image was built; podman, which would start it, is not installed")
        tokens = folder / "tokens"
        tokens.write_text(TOKEN_LINE)
        tokens.chmod(0o644)
        started = run(tool, "run", "--detach", "--rm", "--publish", "127.0.0.1::8080", "--read-only", "--cap-drop", "all",
                      "--volume", f"{tokens}:/etc/hannan/tokens:ro", "hannan-serve-test", "--tokens", "/etc/hannan/tokens")
        if started.returncode != 0 and "not permitted" in started.stderr:
            self.skipTest("the image was built, and podman may not start it here: " + started.stderr.strip().splitlines()[-1][-200:])
        self.assertEqual(started.returncode, 0, started.stderr)
        name = started.stdout.strip()
        self.addCleanup(run, tool, "rm", "--force", name)
        port = int(run(tool, "port", name, "8080/tcp").stdout.rsplit(":", 1)[1])
        until = time.monotonic() + 60
        while (status := self.status(port)) != 200:
            self.assertLess(time.monotonic(), until, status)
            time.sleep(0.2)
        self.assertEqual(run(tool, "stop", "--time", "20", name).returncode, 0)

    def status(self, port):
        try:
            return server.ask(http.client.HTTPConnection("127.0.0.1", port, timeout=5), "GET", "/readyz")[0]
        except OSError as failure:
            return failure


if __name__ == "__main__":
    main()
