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
        for page in ("README.md", "docs/python.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.MULTILINE | re.DOTALL)
            self.assertTrue(blocks, page)
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
                before = os.getcwd()
                os.chdir(folder)
                try:
                    names = {"__name__": "__main__"}
                    for block in blocks:
                        with self.subTest(page=page, block=block[:60]):
                            exec(compile(block, page, "exec"), names)
                finally:
                    os.chdir(before)


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


class Install(unittest.TestCase):
    @unittest.skipIf("LD_PRELOAD" in os.environ, "a module with a sanitizer is not installed")
    def test_pip_installs_what_was_built_without_setuptools_and_wheel(self):
        have = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, timeout=60)
        if have.returncode != 0:
            self.skipTest("pip is not there")
        with tempfile.TemporaryDirectory() as folder:
            tree, target = pathlib.Path(folder, "tree"), pathlib.Path(folder, "target")
            shutil.copytree(SOURCE / "python", tree / "python")
            for name in ("pyproject.toml", "README.md", "CMakeLists.txt", "LICENSE"):
                shutil.copy(SOURCE / name, tree)
            # As in a new virtual environment, where neither is there.
            bare = pathlib.Path(folder, "bare")
            for name in ("wheel", "setuptools"):
                (bare / name).mkdir(parents=True)
                (bare / name / "__init__.py").write_text("raise ImportError(__name__ + ' is not there')\n")
            env = {**os.environ, "HANNAN_BUILD_DIR": os.environ["HANNAN_BUILD"], "PYTHONPATH": str(bare)}
            done = subprocess.run(
                [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps",
                 "--disable-pip-version-check", "--target", target, tree],
                capture_output=True, text=True, timeout=240, env=env)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            code = "import hannan; print(hannan.__file__, hannan.problem('experts', experts=2).learner().act())"
            done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60,
                                  cwd=folder, env={**os.environ, "PYTHONPATH": str(target)})
            self.assertEqual(done.stdout.strip(), f"{target}/hannan/__init__.py 0", done.stderr)
            told = (target / f"hannan-{hannan.__version__}.dist-info" / "METADATA").read_text()
            for line in ("Name: hannan", "License: Apache-2.0", "Author: The Hannan authors", "Home-page: https://",
                         "Requires-Dist: numpy", 'Requires-Dist: pandas; extra == "frames"'):
                self.assertIn("\n" + line, told)
            self.assertTrue((target / f"hannan-{hannan.__version__}.dist-info" / "LICENSE").exists())
            self.assertTrue((target / "hannan" / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
