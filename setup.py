"""Builds the Python package by CMake: the compiled part is the target hannan_python of the library's own build.

HANNAN_BUILD_DIR names a build folder in which it was built already; without it one is made below build/, with the
options of CMAKE_ARGS after those given here.
The wheel is linked with the libraries of this system: it runs where they are, on the same release of Debian.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(hannan VERSION ([0-9.]+)", (HERE / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("HANNAN_BUILD_DIR")
        folder = pathlib.Path(given) if given else pathlib.Path(self.build_temp).resolve()
        if not given:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DHANNAN_BUILD_CLI=OFF",
                       "-DHANNAN_BUILD_TESTS=OFF", "-DHANNAN_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
            options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
            subprocess.run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", *options], check=True)
            subprocess.run(["cmake", "--build", folder, "--target", "hannan_python"], check=True)
        built = list((folder / "python" / "hannan").glob("_core*.so"))
        if len(built) != 1:
            raise RuntimeError(f"found {len(built)} modules in {folder}, expected one")
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built[0], target)


setup(
    name="hannan",
    version=VERSION,
    description="Online decisions over sets too large to list, with a proof beside every run",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    package_dir={"": "python"},
    packages=["hannan"],
    package_data={"hannan": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("hannan._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"frames": ["pandas"], "sklearn": ["scikit-learn"], "plots": ["matplotlib"]},
)
