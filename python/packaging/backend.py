"""Builds the wheel of the Python package, for pip: CMake compiles, the rest is a zip file. Standard library only, so that
`pip install --no-build-isolation .` works in a new virtual environment, without setuptools and wheel. The package needs
numpy when it runs: without a network, of an environment made with --system-site-packages.

HANNAN_BUILD_DIR names a build folder in which the target hannan_python was built already; without it one is made below
build/, with the options of CMAKE_ARGS after those given here.
The wheel is linked with the libraries of this system: it runs where they are, on the same release of Debian.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(hannan VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
EXTRAS = {"frames": "pandas", "sklearn": "scikit-learn", "plots": "matplotlib"}
DATE = (2020, 1, 1, 0, 0, 0)  # of all files: the same sources give the same bytes


def metadata():
    fields = [("Metadata-Version", "2.1"), ("Name", "hannan"), ("Version", VERSION),
              ("Summary", "Online decisions over sets too large to list, with a proof beside every run"),
              ("Author", "The Hannan authors"), ("License", "Apache-2.0"),
              ("License-File", "LICENSE"), ("Classifier", "License :: OSI Approved :: Apache Software License"),
              ("Classifier", "Programming Language :: C++"), ("Classifier", "Programming Language :: Python :: 3"),
              ("Classifier", "Operating System :: POSIX :: Linux"), ("Classifier", "Typing :: Typed"),
              ("Requires-Python", ">=3.9"), ("Requires-Dist", "numpy"), ("Description-Content-Type", "text/markdown")]
    for extra, needed in EXTRAS.items():
        fields += [("Provides-Extra", extra), ("Requires-Dist", f'{needed}; extra == "{extra}"')]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{re.sub('[^A-Za-z0-9]', '_', sysconfig.get_platform())}"


def compiled():
    """The module, built where it is not."""
    given = os.environ.get("HANNAN_BUILD_DIR")
    folder = pathlib.Path(given) if given else ROOT / "build" / f"wheel-{tag()}"
    if not given:
        missing = [name for name in ("cmake", "ninja") if shutil.which(name) is None]
        if missing:
            sys.exit(f"building the package needs {' and '.join(missing)}: install what packages.txt and packages-python.txt "
                     "name (scripts/setup --python), or name a finished build folder in HANNAN_BUILD_DIR")
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DHANNAN_BUILD_CLI=OFF",
                   "-DHANNAN_BUILD_TESTS=OFF", "-DHANNAN_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "hannan_python"], check=True)
    built = list((folder / "python" / "hannan").glob("_core*.so"))
    if len(built) != 1:
        sys.exit(f"found {len(built)} modules in {folder}, expected one")
    return built[0]


def dist_info():
    return {"METADATA": metadata().encode(), "LICENSE": (ROOT / "LICENSE").read_bytes(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: hannan\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()}


# What pip calls (PEP 517).


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"hannan-{VERSION}.dist-info"
    folder = pathlib.Path(metadata_directory, name)
    folder.mkdir()
    for file, content in dist_info().items():
        (folder / file).write_bytes(content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"hannan/{file.name}": file.read_bytes() for file in sorted((ROOT / "python" / "hannan").iterdir())
             if file.suffix in (".py", ".pyi") or file.name == "py.typed"}
    module = compiled()
    files[f"hannan/{module.name}"] = module.read_bytes()
    place = f"hannan-{VERSION}.dist-info"
    files.update((f"{place}/{file}", content) for file, content in dist_info().items())
    name = f"hannan-{VERSION}-{tag()}.whl"
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{file},sha256={digest},{len(content)}\n"
            write(wheel, file, content)
        write(wheel, f"{place}/RECORD", f"{record}{place}/RECORD,,\n".encode())
    return name


def write(wheel, name, content):
    info = zipfile.ZipInfo(name, DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
    wheel.writestr(info, content)


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("the package is built from a checkout of the repository; there is no source distribution of Python alone")
