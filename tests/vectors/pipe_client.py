"""Drives `hannan pipe` from Python: one request, one answer."""
import json
import subprocess


class PipeError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']} at {error['at']!r}: {error['message']}")
        self.error = error


class Pipe:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, op, **fields):
        """The answer's fields; raises PipeError where the answer is not ok. `in` is written `of`."""
        if "of" in fields:
            fields["in"] = fields.pop("of")
        fields = {name: value for name, value in fields.items() if value is not None}
        self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if not answer["ok"]:
            raise PipeError(answer["error"])
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def number(value):
    """A number of the vectors or the protocol: 3, "3/5", "inf"."""
    if isinstance(value, str):
        if value in ("inf", "-inf"):
            return float(value)
        top, _, bottom = value.partition("/")
        return int(top) / int(bottom or 1)
    return value


def close(found, wanted, tolerance=1e-9):
    found, wanted = number(found), number(wanted)
    if wanted in (float("inf"), float("-inf")) or found in (float("inf"), float("-inf")):
        return found == wanted
    return abs(found - wanted) <= tolerance * max(1.0, abs(wanted))
