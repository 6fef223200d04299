"""The built program as a user runs it, and small data files for it."""
import gzip
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

BINARY = sys.argv[1] if len(sys.argv) > 1 else "hannan"
DATA = pathlib.Path(os.environ.get("HANNAN_DATA", "."))  # public data sets, where they are at hand

# Every learner kind on experts, with the parameters it cannot do without and some that change its path.
LEARNERS = [
    ["-l", "flipflop"],
    ["-l", "ada", "--set", "perturbation=one-hot"],
    ["-l", "gftpl"],
    ["-l", "gftpl", "--set", "draw=once", "--set", "noise=lp:2", "--set", "c=0.5"],
    ["-l", "off", "--set", "estimator=paper"],
    ["-l", "off", "--set", "estimator=tight"],
    ["-l", "off", "--set", "estimator=trajectory", "--set", "draw=once"],
    ["-l", "off", "--set", "estimator=regret", "--set", "mc=4"],
    ["-l", "off", "--set", "estimator=realised"],
    ["-l", "leader"],
    ["-l", "hedge"],
    ["-l", "hedge", "--set", "rate=fixed", "--set", "eta=0.3"],
    ["-l", "hedge", "--set", "rate=small-loss"],
    ["-l", "adahedge"],
    ["-l", "flipflop-hedge"],
    ["-l", "fpl"],
    ["-l", "uniform-gftpl", "--set", "beta=3"],
]


class Done:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def hannan(*args, stdin=b"", timeout=600):
    """Runs the program to its end; a hang is a failure."""
    done = subprocess.run([BINARY, *map(str, args)], input=stdin, capture_output=True, timeout=timeout)
    return Done(done.returncode, done.stdout, done.stderr)


def losses(rounds, experts, seed=1):
    """Losses with few digits, so that every format carries them exactly; some rounds are all equal."""
    coins = random.Random(seed)
    return [[coins.randrange(0, 257) / 256 if t % 7 else 0.5 for _ in range(experts)] for t in range(rounds)]


def csv_text(rows, header=None):
    lines = ([",".join(header)] if header else []) + [",".join(repr(cell) for cell in row) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def npy_bytes(rows):
    """Format 1.0, little-endian doubles in C order, the header padded to a multiple of 64."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = b"".join(struct.pack("<d", cell) for row in rows for cell in row)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def jsonl_text(rows):
    return "".join("[" + ",".join(repr(cell) for cell in row) + "]\n" for row in rows).encode()


def gzipped(data):
    return gzip.compress(data, mtime=0)


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def file(self, name, data=b""):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def ok(self, *args, **how):
        done = hannan(*args, **how)
        self.assertEqual(done.status, 0, done.err)
        self.assertEqual(done.err, b"")
        return done


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
