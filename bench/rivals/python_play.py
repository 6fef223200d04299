"""The Python package on an array. Reads one line and answers with one:

{"make": file.npy, "rounds": T, "columns": n} writes uniform numbers to the file;
{"file": file.npy, "problem": kind, "params": {...}, "learner": name, "times": n} plays the file: the least processor seconds
of n runs over the array, which is loaded before, the total loss, and the seconds of one act and observe, each called from Python.
"""
import json
import math
import os
import sys
import time

import numpy as np

try:
    import hannan
except ImportError:  # the package of the build folder that this file stands in
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../python"))
    import hannan


def make(asked):
    np.save(asked["make"], np.random.default_rng(1).random((asked["rounds"], asked["columns"])))
    return {}


def play(asked):
    problem = hannan.problem(asked["problem"], **asked["params"])
    seconds = pair = math.inf
    data = np.load(asked["file"])
    for _ in range(asked["times"]):
        start = time.process_time()
        learner = problem.learner(asked["learner"], track="end")
        learner.play(data)
        seconds = min(seconds, time.process_time() - start)
        total = learner.total
        alone = problem.learner(asked["learner"], track="end")
        rows = list(data[:20_000])
        start = time.process_time()
        for row in rows:
            alone.act()
            alone.observe(row)
        pair = min(pair, (time.process_time() - start) / len(rows))
    return {"seconds": seconds, "total": total, "pair": pair}


def main():
    asked = json.loads(sys.stdin.readline())
    print(json.dumps(make(asked) if "make" in asked else play(asked)), flush=True)


if __name__ == "__main__":
    main()
