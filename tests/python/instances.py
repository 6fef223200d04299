"""What the tests of the package share: the program, problems with rows, and random outcomes."""

import json
import os
import subprocess

import numpy as np

PROGRAM = os.environ["HANNAN_PROGRAM"]

# Problems whose outcomes are rows of numbers in [0,1], each small.
ROWS = {
    "experts": {"experts": 5},
    "vcg-reserves": {"bidders": 3, "levels": 6},
    "level-auction": {"bidders": 2, "levels": 3, "thresholds": 2},
}


def rows(width, rounds, seed=1):
    return np.random.default_rng(seed).random((rounds, width))


def program(*arguments, **more):
    """What the program prints; an error where it fails."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stderr}")
    return done.stdout


def recorded(path):
    """A record in two parts: where its outcomes came from, and all else but the digest, which covers the first."""
    with open(path, encoding="utf-8") as file:
        header, *lines = [json.loads(line) for line in file]
    lines[-1].pop("digest")
    return header.pop("data"), [header, *lines]


def pipe(*requests):
    """The answers of one session of `hannan pipe`."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    answers = [json.loads(line) for line in program("pipe", input=text).splitlines()]
    for answer in answers:
        if not answer["ok"]:
            raise AssertionError(answer)
    return answers
