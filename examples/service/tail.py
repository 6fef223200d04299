#!/usr/bin/env python3
"""A bridge from a file that grows to a learner of `hannan serve`.

    tail.py outcomes.jsonl unix:/run/hannan/hannan.sock homepage

Each line is {"id": ..., "outcome": ...}, or the outcome alone; then its id is made from its place in the file. What the
service has acknowledged is noted in FILE.position, after the answer and never before, so nothing is lost when the bridge
is killed: it sends the last lines again, and the service knows them by their ids. A file that is rotated (another one
has its name) is read to its end first. A bridge from a message queue is the same loop: fetch, observe_many with the
messages' ids, and acknowledge to the queue when that returns.
"""
import argparse
import json
import os
import pathlib
import sys
import time

import hannan


class Tail:
    """Complete lines of a file from a position on; a line that is still being written is left for later."""

    def __init__(self, path):
        self.path, self.note = pathlib.Path(path), pathlib.Path(str(path) + ".position")
        self.file, self.name, self.at = None, "", 0

    def open(self):
        try:
            self.file = open(self.path, "rb")
        except FileNotFoundError:
            return False
        facts = os.fstat(self.file.fileno())
        self.name, self.at = f"{facts.st_dev:x}-{facts.st_ino:x}", 0
        if self.note.exists():
            noted = json.loads(self.note.read_text())
            if noted["file"] == self.name and noted["at"] <= facts.st_size:
                self.at = noted["at"]
        return True

    def rotated(self):
        try:
            facts = os.stat(self.path)
        except FileNotFoundError:
            return False
        return f"{facts.st_dev:x}-{facts.st_ino:x}" != self.name

    def lines(self, most):
        """(position behind the line, id, outcome) of each."""
        if self.file is None and not self.open():
            return []
        self.file.seek(self.at)
        found, at = [], self.at
        for line in self.file:
            if len(found) == most or not line.endswith(b"\n"):
                break
            row = json.loads(line)
            named = isinstance(row, dict)
            found.append((at + len(line), str(row["id"]) if named else f"{self.name}:{at}", row["outcome"] if named else row))
            at += len(line)
        if not found and self.rotated():
            self.file.close()
            self.file = None
        return found

    def acknowledge(self, at):
        """Noted in one step: a kill leaves the old note or the new one."""
        self.at = at
        fresh = self.note.with_name(self.note.name + ".new")
        with open(fresh, "w", encoding="utf-8") as file:
            json.dump({"file": self.name, "at": at}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.note)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("url", help="of hannan serve: http://HOST:PORT or unix:PATH")
    parser.add_argument("learner")
    parser.add_argument("--token-file", help="a file with the token, where the service asks for one")
    parser.add_argument("--block", type=int, default=1000, help="lines of a request")
    parser.add_argument("--once", action="store_true", help="end at the end of the file")
    flags = parser.parse_args()
    token = pathlib.Path(flags.token_file).read_text(encoding="utf-8").strip() if flags.token_file else None
    tail = Tail(flags.file)
    with hannan.connect(flags.url, token) as service:
        learner = service.learner(flags.learner)
        while True:
            lines = tail.lines(flags.block)
            if lines:
                learner.observe_many([outcome for _, _, outcome in lines], ids=[name for _, name, _ in lines])
                tail.acknowledge(lines[-1][0])
            elif flags.once and tail.file is not None:
                return
            elif tail.file is not None:
                time.sleep(0.2)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
