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
ALLOWED = r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux-.*"  # what PEP 600 lets a wheel expect
MAPPED = """
import re
print("\\n".join(sorted(set(re.findall(r"(/\\S+\\.so\\S*)$", open("/proc/self/maps").read(), re.MULTILINE)))))
"""
PLAY = """
import hannan
run = hannan.problem("experts", experts=3).learner("flipflop", seed=1).play([[0.0, 1.0, 0.5]] * 50)
print(hannan.__file__, run.report().rounds)
solved = hannan.problem("finite-game", losses=[[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]).solve()  # a linear programme
assert abs(solved.upper - 0.5) < 1e-6, solved
""" + MAPPED


def libraries_of(file):
    """Where this system has the libraries that a program or library needs, whoever needs them."""
    text = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
    return {os.path.realpath(path) for path in re.findall(r"=> (/\S+)", text)}


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
        looked = 0
        for file in (self.folder / "open").rglob("*.so*"):
            text = subprocess.run(["readelf", "-d", "-V", file], check=True, capture_output=True, text=True).stdout
            for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
                looked += 1
                self.assertTrue(name in inside or re.fullmatch(ALLOWED, name), (file.name, name))
            for version in re.findall(r"\bGLIBC_2\.(\d+)", text):
                self.assertLessEqual(int(version), 36, file.name)
        self.assertGreater(looked, 5)
        info = next((self.folder / "open").glob("*.dist-info"))
        self.assertGreaterEqual(len(list(info.glob("LICENSE*"))), 4)

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is not there")
    def test_it_plays_in_a_new_environment_with_its_own_libraries(self):
        venv = self.folder / "venv"  # numpy is the system's, as there may be no network
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
        self.env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.python = venv / "bin/python3"
        subprocess.run([self.python, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-index", "--no-deps", self.wheels[0]],
                       check=True, env=self.env)
        self.every_library_of_the_wheel_is_loaded_and_bound_to_the_wheel()
        self.plays_without_the_libraries_of_the_system()

    def run_python(self, text, hide=(), **more):
        return subprocess.run([*hide, self.python, "-B", "-c", text], capture_output=True, text=True, env=self.env | more, cwd=self.folder)

    def every_library_of_the_wheel_is_loaded_and_bound_to_the_wheel(self):
        """Each symbol that the module, Clp or a library of theirs takes from elsewhere comes from the wheel, from what PEP 600
        allows, or from the interpreter with its own libraries, which come first in every search (Debian's has zlib and expat).
        NumPy's LAPACK of the system is in the same process, and none of it is used."""
        done = self.run_python(PLAY, LD_BIND_NOW="1", LD_DEBUG="bindings", LD_DEBUG_OUTPUT=str(self.folder / "bindings"))
        self.assertEqual(done.returncode, 0, done.stderr)
        first, *mapped = done.stdout.splitlines()
        self.assertIn(str(self.python.parents[1]), first)
        self.assertTrue(first.endswith(" 50"))
        libs = next(self.python.parents[1].glob("lib/python3*/site-packages/hannan.libs"))
        inside = {str(file) for file in libs.iterdir()}
        self.assertEqual(inside - set(mapped), set())
        module = str(next((libs.parent / "hannan").glob("_core*.so")))
        interpreter = {os.path.realpath(self.python)} | libraries_of(os.path.realpath(self.python))
        bound = set()
        for file in self.folder.glob("bindings.*"):
            bound |= set(re.findall(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]", file.read_text()))
        ours = [(os.path.normpath(user), os.path.normpath(giver)) for user, giver in bound if "hannan" in pathlib.Path(user).parent.name]
        for user, giver in ours:
            self.assertTrue(giver in inside | {module} or re.fullmatch(ALLOWED, os.path.basename(giver))
                            or os.path.realpath(giver) in interpreter, (user, giver))
        pairs = {tuple(re.sub(r"[-.].*", "", os.path.basename(file)) for file in pair) for pair in ours}
        for pair in (("libClp", "libCoinUtils"), ("libCoinUtils", "liblapack"), ("liblapack", "libblas"), ("liblapack", "libgfortran")):
            self.assertIn(pair, pairs)

    def plays_without_the_libraries_of_the_system(self):
        """The same where those of this system cannot be loaded, but for what the interpreter and NumPy load for themselves; a
        plain build cannot even be imported there."""
        module = next((BUILD / "python/hannan").glob("_core*.so"))
        clp = next(pathlib.Path(path) for path in libraries_of(module) if "libfmt" in path).parent / "libClp.so.1"
        others = self.run_python("import numpy, ssl" + MAPPED).stdout.splitlines()
        found = (libraries_of(module) | libraries_of(clp) | {os.path.realpath(clp)}) - {os.path.realpath(path) for path in others}
        hidden = sorted(path for path in found if not re.match(ALLOWED, os.path.basename(path)))
        for name in ("fmt", "simdjson", "hwy", "Clp", "CoinUtils"):
            self.assertTrue(any(f"lib{name}" in path for path in hidden), (name, hidden))
        hide = ["bwrap", "--dev-bind", "/", "/"] + [word for path in hidden for word in ("--ro-bind", "/dev/null", path)]
        if not shutil.which("bwrap") or subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
            self.skipTest("bubblewrap is not there, or may not hide files")
        plain = self.run_python("import hannan", hide, PYTHONPATH=str(BUILD / "python"))
        self.assertIn("ImportError", plain.stderr)
        done = self.run_python(PLAY, hide)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" 50\n", done.stdout)


if __name__ == "__main__":
    if LACKING or "LD_PRELOAD" in os.environ:
        print(f"skipped, for {', '.join(LACKING) or 'a module with a sanitizer is no wheel'} is not there")
        sys.exit(77)
    unittest.main()
