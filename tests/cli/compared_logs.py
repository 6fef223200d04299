"""What tests of logs share: where logs are, how one is written and read by Python alone, and `hannan compare` on it."""
import csv
import json
import pathlib

from program import FolderTest, hannan

LOGS = pathlib.Path(__file__).parents[2] / "examples/logs"


def table(path):
    """The rows of a CSV file, by the names of their columns."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def players_of(result):
    return {player["name"]: player for player in result["players"]}


class ComparedLogs(FolderTest):
    learner = ("-l", "flipflop")  # where a test names none; (): those that the program takes then

    def log(self, header, rows):
        """A log of cells without separators; the header as one line, or as cells."""
        head = header if isinstance(header, str) else ",".join(header)
        return self.file("log.csv", "".join(line + "\n" for line in [head, *(",".join(map(str, row)) for row in rows)]).encode())

    def compared(self, *args):
        """The result and what was printed; the page that a second command makes of it is in self.page, warnings in self.err."""
        result = self.folder / "result.json"
        done = hannan("compare", *args, *(() if "-l" in args else self.learner), "-o", result)
        self.assertEqual(done.status, 0, done.err)
        self.ok("report", result, "-o", self.folder / "page.html", "-q")
        self.page = (self.folder / "page.html").read_text()
        self.err = done.err.decode()
        return json.loads(result.read_text()), done.out.decode()
