"""The package as it is installed, its types, and every example of its documentation."""

import doctest
import importlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import hannan

SOURCE = pathlib.Path(os.environ["HANNAN_SOURCE"])
MODULES = ["hannan", "hannan._problem", "hannan._learner", "hannan._custom", "hannan._own", "hannan._functions", "hannan._log", "hannan._summary",
           "hannan.river"]


class Examples(unittest.TestCase):
    def test_examples_in_docstrings_run(self):
        tried = 0
        for name in MODULES:
            found = doctest.testmod(importlib.import_module(name))
            self.assertEqual(found.failed, 0, name)
            tried += found.attempted
        self.assertGreater(tried, 15)

    @unittest.skipUnless(all(importlib.util.find_spec(name) for name in ("pandas", "sklearn")),
                         "pandas or scikit-learn is not there")
    def test_examples_in_the_pages_run(self):
        for page in [file for file in ("README.md", *sorted(f"docs/{page.name}" for page in (SOURCE / "docs").glob("*.md")))
                     if "\n```python\n" in (SOURCE / file).read_text()]:
            blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.MULTILINE | re.DOTALL)
            self.assertTrue(blocks, page)
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
                before = os.getcwd()
                os.chdir(folder)
                names = {"__name__": "__main__"}
                try:
                    for block in blocks:
                        with self.subTest(page=page, block=block[:60]):
                            exec(compile(block, page, "exec"), names)
                finally:
                    os.chdir(before)
                    if "server" in names:  # an example that fails does not end it
                        names["server"].kill()
                        names["server"].wait()


@unittest.skipUnless(shutil.which("mypy"), "mypy is not there")
class Types(unittest.TestCase):
    def mypy(self, folder, *arguments):
        return subprocess.run(
            [shutil.which("mypy"), "--config-file", SOURCE / "pyproject.toml", "--cache-dir", folder, *arguments],
            capture_output=True, text=True, timeout=240, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})

    def test_the_package_and_those_who_use_it_have_sound_types(self):
        with tempfile.TemporaryDirectory() as folder:
            user = pathlib.Path(folder, "user.py")
            user.write_text(
                "import hannan\n"
                "learner: hannan.Learner = hannan.problem('experts', experts=3).learner('ada', seed=1)\n"
                "step: hannan.Step = learner.observe([0.0, 1.0, 0.5])\n"
                "loss: float = step.loss\n"
                "run: hannan.Run = learner.play([[0.0, 1.0, 0.5]])\n"
                "held: bool = run.report().holds\n"
                "again: hannan.Learner = hannan.load(learner.save())\n")
            done = self.mypy(folder, "-p", "hannan")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            done = self.mypy(folder, str(user))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            user.write_text("import hannan\nloss: str = hannan.problem('experts').learner().observe([0.0]).loss\n")
            self.assertNotEqual(self.mypy(folder, str(user)).returncode, 0)

    def test_the_stub_names_what_the_module_has(self):
        stub = (SOURCE / "python/hannan/_core.pyi").read_text()
        for name, value in vars(hannan._core).items():
            if name.startswith("__"):
                continue
            self.assertRegex(stub, rf"(?m)^(class|def) {name}\b|^{name}:")
            if name in ("Problem", "Learner"):
                body = re.search(rf"^class {name}:\n(.*?)(?=^\S)", stub, re.MULTILINE | re.DOTALL).group(1)
                own = {n for n in vars(value) if not n.startswith("__") and not n.startswith("_pybind11")}
                self.assertEqual(own, set(re.findall(r"def (\w+)\(", body)) - {"__init__"}, name)


@unittest.skipIf("LD_PRELOAD" in os.environ, "a module with a sanitizer is not installed")
@unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is not there")
class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.python = self.folder / "venv" / "bin" / "python3"

    def run_in(self, *command, **env):
        given = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=240, cwd=self.folder,
                              env={**given, **env})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_pip_installs_what_was_built_in_a_new_environment_without_setuptools_and_wheel(self):
        tree = self.folder / "tree"
        shutil.copytree(SOURCE / "python", tree / "python")
        for name in ("pyproject.toml", "README.md", "CMakeLists.txt", "LICENSE"):
            shutil.copy(SOURCE / name, tree)
        # numpy is the system's, as there may be no network; its setuptools and wheel are hidden.
        self.run_in(sys.executable, "-m", "venv", "--system-site-packages", self.folder / "venv")
        bare = self.folder / "bare"
        for name in ("wheel", "setuptools"):
            (bare / name).mkdir(parents=True)
            (bare / name / "__init__.py").write_text("raise ImportError(__name__ + ' is not there')\n")
        pip = [self.python, "-m", "pip", "--disable-pip-version-check"]
        self.run_in(*pip, "install", "--no-build-isolation", "--no-index", tree,
                    HANNAN_BUILD_DIR=os.environ["HANNAN_BUILD"], PYTHONPATH=str(bare))
        (self.folder / "lines.py").write_text("import hannan\nprint(hannan.__file__)\n" + "".join(
            re.findall(r"^```python\n(.*?)^```", (SOURCE / "README.md").read_text(), re.MULTILINE | re.DOTALL)))
        (self.folder / "examples").symlink_to(SOURCE / "examples")
        place, *said = self.run_in(self.python, "-B", "lines.py").splitlines()
        package = pathlib.Path(place).parent
        self.assertIn(self.folder / "venv", package.parents)
        self.assertTrue(said)
        self.assertTrue((package / "py.typed").exists())
        shown = self.run_in(*pip, "show", "-v", "hannan")
        for line in ("Name: hannan", "License: Apache-2.0", "Author: The Hannan authors", "Requires: numpy"):
            self.assertIn(line + "\n", shown)
        info = package.parent / f"hannan-{hannan.__version__}.dist-info"
        told = (info / "METADATA").read_text().partition("\n\n")[0]
        self.assertIn('\nRequires-Dist: pandas; extra == "frames"', told)
        self.assertNotIn("://", told)  # the project has no address
        self.assertTrue((info / "LICENSE").exists())

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "cmake or ninja is not there")
    def test_the_module_is_compiled_before_numpy_is_there(self):
        self.run_in(sys.executable, "-m", "venv", "--without-pip", self.folder / "venv")
        self.run_in(self.python, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('numpy') is not None)")
        self.run_in("cmake", "-S", SOURCE, "-B", self.folder / "build", "-G", "Ninja", "-DHANNAN_BUILD_CLI=OFF",
                    "-DHANNAN_BUILD_TESTS=OFF", "-DHANNAN_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={self.python}")


if __name__ == "__main__":
    unittest.main()
