"""`exact` and `measured` are names of JSON: texts and pages say what these estimates are instead."""
import json
import re

from program import FolderTest, csv_text, hannan, losses, main

NAMES = re.compile(r"\b(exact|measured)\b")
WORDS = ("estimated bound less what the noise in use is worth", "estimated bound from the learner's own sums")


def texts_of(value):
    """Every string of a value of JSON that is shown: not the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_of(part)


class Estimates(FolderTest):
    # Few actions, which the verifier lists, and more than it lists.
    PROBLEMS = {"experts": ["experts"], "vcg-reserves": ["vcg-reserves", "--param", "levels=64"]}

    def played(self, problem, learner):
        """The text of a run, and where its record is."""
        data = self.file("data.csv", csv_text(losses(12, 4)))
        record = self.folder / "run.jsonl"
        run = ["run", *self.PROBLEMS[problem], "-d", data, "-l", learner, "--seed", "3"]
        return self.ok(*run, "--record", record).out.decode(), json.loads(self.ok(*run, "--json").out), record

    def check(self, where, text):
        with self.subTest(where=where):
            self.assertIsNone(NAMES.search(text), text)
            for words in WORDS:
                self.assertIn(words, text)

    def test_texts_and_pages_say_what_the_estimates_are_and_json_has_their_names(self):
        for problem in self.PROBLEMS:
            for learner in ("ada", "flipflop"):
                with self.subTest(problem=problem, learner=learner):
                    said, report, record = self.played(problem, learner)
                    self.check("run", said)
                    verified = hannan("verify", record)
                    self.assertIn(verified.status, (0, 1), verified.err)
                    self.check("verify", verified.out.decode())
                    page = json.loads(self.ok("report", record, "--json").out)
                    self.check("page", "\n".join(texts_of(page["sections"])))
                    for found in (report, json.loads(record.read_text().splitlines()[-1])["end"]):
                        self.assertIsInstance(found["exact"], float)
                        self.assertIsInstance(found["measured"], float)
                        self.assertLessEqual({"exact", "measured"}, {b["name"] for b in found["certificate"]["bounds"]})


if __name__ == "__main__":
    main()
