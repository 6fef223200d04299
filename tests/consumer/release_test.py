"""scripts/release on finished builds: what it makes, its sums, and that it refuses bytes that differ.

    release_test.py BUILD"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(sys.argv.pop()).resolve()
LACKING = [name for name in ("git", "patchelf", "cpack", "dpkg-deb") if not shutil.which(name)]


def release(*words, **more):
    return subprocess.run(["/usr/bin/python3", "-B", ROOT / "scripts/release", "--trial", *map(str, words)], capture_output=True, text=True, **more)


def new_key(home):
    """The environment in which gpg has one key, "release", without a passphrase; its agent ends when `home` is gone."""
    home.mkdir(mode=0o700)
    env = os.environ | {"GNUPGHOME": str(home)}
    subprocess.run(["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-gen-key", "release", "ed25519", "sign", "never"],
                   check=True, env=env, capture_output=True)
    return env


class Release(unittest.TestCase):
    def test_archives_wheel_and_packages_with_their_sums(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out")
            signs, env = shutil.which("gpg"), os.environ
            if signs:
                env = new_key(pathlib.Path(folder, "key"))
                self.addCleanup(subprocess.run, ["gpgconf", "--kill", "all"], env=env)
            done = release("--build", BUILD, "--build", BUILD, "--out", out, *(["--key", "release"] if signs else []), env=env)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if signs:
                subprocess.run(["gpg", "--batch", "--verify", out / "SHA256SUMS.asc", out / "SHA256SUMS"], check=True, env=env, capture_output=True)
            sums = dict(reversed(line.split("  ")) for line in (out / "SHA256SUMS").read_text().splitlines())
            self.assertEqual({file.name for file in out.iterdir()} - {"SHA256SUMS", "SHA256SUMS.asc"}, set(sums))
            for name, digest in sums.items():
                self.assertEqual(hashlib.sha256((out / name).read_bytes()).hexdigest(), digest, name)
            for end in (".tar.gz", ".whl"):
                self.assertEqual(sum(name.endswith(end) for name in sums), 1, end)
            self.assertGreaterEqual(sum(name.endswith(".deb") for name in sums), 4)

    def test_a_second_build_of_other_bytes_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "other")
            (other / "python/hannan").mkdir(parents=True)
            for name in ("CPackConfig.cmake", "CMakeCache.txt"):
                shutil.copyfile(BUILD / name, other / name)
            module = next((BUILD / "python/hannan").glob("_core*.so"))
            copy = other / "python/hannan" / module.name
            shutil.copyfile(module, copy)
            subprocess.run(["patchelf", "--set-soname", "another.so", copy], check=True)
            done = release("--build", BUILD, "--build", other, "--out", folder + "/out")
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"found other bytes from a second build of hannan-[\w.-]+\.whl, expected the same")
            self.assertFalse(pathlib.Path(folder, "out").exists())

    def test_one_build_is_not_enough(self):
        self.assertIn("expected two or none", release("--build", BUILD).stderr)


if __name__ == "__main__":
    if LACKING or not (ROOT / ".git").exists():
        print(f"skipped, for {', '.join(LACKING) or 'a clone of git'} is not there")
        sys.exit(77)
    unittest.main()
