"""Runs every ```sh block of the given Markdown files: run_examples.py BINARY FILE...

The blocks of a file run in order in one fresh folder, with the program on the PATH as `hannan` and the logs of
examples/logs where they are in the repository; each line must exit 0."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text):
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def main():
    binary, files = pathlib.Path(sys.argv[1]).resolve(), [pathlib.Path(f).resolve() for f in sys.argv[2:]]
    passed = failed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            bin_folder = pathlib.Path(folder, ".bin")
            bin_folder.mkdir()
            (bin_folder / "hannan").symlink_to(binary)
            pathlib.Path(folder, "examples").mkdir()
            pathlib.Path(folder, "examples/logs").symlink_to(pathlib.Path(__file__).resolve().parents[2] / "examples/logs")
            env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
            for block in blocks(file.read_text()):
                done = subprocess.run(["sh", "-euc", block], cwd=folder, env=env, capture_output=True, text=True, timeout=300)
                # The pipe answers errors on standard output and exits 0.
                wrong = done.returncode != 0 or '"ok":false' in done.stdout
                passed, failed = passed + (not wrong), failed + wrong
                if wrong:
                    print(f"FAIL {file.name}:\n{block}\nexit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
