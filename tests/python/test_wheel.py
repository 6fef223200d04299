"""The wheel that runs elsewhere (scripts/wheel): what it needs, what is in it, and that it plays in a new environment."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE, BUILD = pathlib.Path(os.environ["HANNAN_SOURCE"]), pathlib.Path(os.environ["HANNAN_BUILD"])
LACKING = [name for name in ("patchelf", "readelf", "strip", "dpkg-query") if not shutil.which(name)]
PLAY = """
import hannan, re
run = hannan.problem("experts", experts=3).learner("flipflop", seed=1).play([[0.0, 1.0, 0.5]] * 50)
print(hannan.__file__, run.report().rounds)
solved = hannan.problem("finite-game", losses=[[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]).solve()  # a linear programme
assert abs(solved.upper - 0.5) < 1e-6, solved
loaded = set(re.findall(r"/\\S*/lib(?:fmt|simdjson|hwy|Clp|CoinUtils)\\S*", open("/proc/self/maps").read()))
print("\\n".join(sorted(loaded)))
"""


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.wheels = [cls.made(cls.folder / name) for name in ("one", "two")]

    @classmethod
    def made(cls, out):
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts/wheel", "--build", BUILD, "--out", out], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return pathlib.Path(done.stdout.strip())

    def test_two_of_them_have_the_same_bytes(self):
        self.assertEqual(self.wheels[0].read_bytes(), self.wheels[1].read_bytes())

    def test_it_needs_only_what_every_system_of_its_tag_has(self):
        self.assertRegex(self.wheels[0].name, r"^hannan-[\d.]+-cp3\d+-cp3\d+-manylinux_2_36_(aarch64|x86_64)\.whl$")
        with zipfile.ZipFile(self.wheels[0]) as wheel:
            wheel.extractall(self.folder / "open")
        inside = {file.name for file in (self.folder / "open/hannan.libs").iterdir()}
        allowed = r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux-.*"
        looked = 0
        for file in (self.folder / "open").rglob("*.so*"):
            text = subprocess.run(["readelf", "-d", "-V", file], check=True, capture_output=True, text=True).stdout
            for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
                looked += 1
                self.assertTrue(name in inside or re.fullmatch(allowed, name), (file.name, name))
            for version in re.findall(r"\bGLIBC_2\.(\d+)", text):
                self.assertLessEqual(int(version), 36, file.name)
        self.assertGreater(looked, 5)
        info = next((self.folder / "open").glob("*.dist-info"))
        self.assertGreaterEqual(len(list(info.glob("LICENSE*"))), 4)

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is not there")
    def test_it_plays_in_a_new_environment_with_its_own_libraries(self):
        venv = self.folder / "venv"  # numpy is the system's, as there may be no network
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([venv / "bin/python3", "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-index", "--no-deps", self.wheels[0]],
                       check=True, env=env)
        said = subprocess.run([venv / "bin/python3", "-B", "-c", PLAY], check=True, capture_output=True, text=True, env=env, cwd=self.folder).stdout
        first, *loaded = said.splitlines()
        self.assertIn(str(venv), first)
        self.assertTrue(first.endswith(" 50"))
        self.assertEqual(len(loaded), 5)
        for library in loaded:
            self.assertIn("hannan.libs", library)
        self.plays_without_the_libraries_of_the_system(venv / "bin/python3", env)

    def plays_without_the_libraries_of_the_system(self, python, env):
        """The same where those of this system cannot be loaded; a plain build cannot even be imported there."""
        module = next((BUILD / "python/hannan").glob("_core*.so"))
        found = re.findall(r"=> (/\S*lib(?:fmt|simdjson|hwy)\S*)", subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout)
        found += [str(file) for file in pathlib.Path(found[0]).parent.glob("libClp.so.1")]
        hide = ["bwrap", "--dev-bind", "/", "/"] + [word for path in found for word in ("--ro-bind", "/dev/null", os.path.realpath(path))]
        if not shutil.which("bwrap") or subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
            self.skipTest("bubblewrap is not there, or may not hide files")
        self.assertEqual(len(found), 4)
        plain = subprocess.run([*hide, sys.executable, "-c", "import hannan"], capture_output=True, text=True, env={**env, "PYTHONPATH": str(BUILD / "python")})
        self.assertIn("ImportError", plain.stderr)
        done = subprocess.run([*hide, python, "-B", "-c", PLAY], capture_output=True, text=True, env=env, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" 50\n", done.stdout)


if __name__ == "__main__":
    if LACKING or "LD_PRELOAD" in os.environ:
        print(f"skipped, for {', '.join(LACKING) or 'a module with a sanitizer is no wheel'} is not there")
        sys.exit(77)
    unittest.main()
