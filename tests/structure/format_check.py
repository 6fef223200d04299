"""format_check.py CLANG_FORMAT ROOT: every C++ file is laid out as .clang-format says; `clang-format-19 -i FILE` mends one."""
import pathlib
import subprocess
import sys

FOLDERS = ("hannan", "cli", "service", "python", "bench", "examples", "tests")


def check(formatter, root):
    """The formatter's objections, and the number of files it read."""
    files = sorted(str(f) for folder in FOLDERS for f in (pathlib.Path(root) / folder).rglob("*.?pp"))
    if not files:
        return "", 0
    done = subprocess.run([formatter, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    return done.stderr or ("" if done.returncode == 0 else f"{formatter} ended with {done.returncode}"), len(files)


if __name__ == "__main__":
    said, count = check(sys.argv[1], sys.argv[2])
    print("\n".join(said.splitlines()[:40]) or f"{count} files laid out as .clang-format says")
    sys.exit(1 if said or count == 0 else 0)
