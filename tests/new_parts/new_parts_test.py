"""new_parts_test.py --source TREE --build FOLDER --format CLANG_FORMAT [--python PYTHON]: what scripts/new writes works as it is.

Copies the sources, writes one part of each kind with scripts/new, and holds the copy against the structure checks, the conformance
suite, the tests of noises and commands, and a user's first commands. Of the copy only the new sources and the tables that list them are
compiled, and linked in front of what the build folder has (CMakeLists.txt here). Of a problem with money (newsvendor.py) it is shown
that logs, comparisons, pages, the service and Python know it, without a line of theirs."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import newsvendor

PARTS = {"problem": ["guess-number"], "learner": ["first-draft", "--param", "step"], "noise": ["two-sided"], "command": ["names"]}
MOST_FILES_OF_A_LEARNER = 4  # with a parameter of its own; written or changed, the verifier's included
LEFT_OUT = shutil.ignore_patterns("build", ".git", "__pycache__")


class Copy:
    def __init__(self, args):
        self.args, self.scratch = args, args.build / "new_parts"
        self.tree = self.scratch / "tree"
        self.program = self.scratch / "hannan_new_program"

    def run(self, *command, status=0, env=None):
        done = subprocess.run([str(word) for word in command], cwd=self.tree, capture_output=True, text=True,
                              env={**os.environ, **(env or {})})
        if done.returncode != status:
            sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}, expected {status}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def write(self):
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.args.source, self.tree, ignore=LEFT_OUT)
        for kind, words in PARTS.items():
            said = self.run("scripts/new", kind, *words).splitlines()
            files = [line for line in said if line.startswith(("wrote ", "added "))]
            if kind == "learner" and not 2 <= len(files) <= MOST_FILES_OF_A_LEARNER:
                sys.exit(f"a learner touches {len(files)} files, expected at most {MOST_FILES_OF_A_LEARNER}: {files}")
            self.run("scripts/new", kind, *words, status=1)  # never over something that is there
        self.run("scripts/new", "noise", "Two_Sided", status=1)
        self.run("scripts/new", "noise", "fair", "--param", "step", status=1)
        self.run("scripts/new", "noise", "other", "--money", status=1)
        before = self.fingerprints()
        self.run("scripts/new", "problem", "newsvendor", "--money")
        after = self.fingerprints()
        written, changed = sorted(after.keys() - before), sorted(f for f in before if before[f] != after[f])
        if len(written) != 3 or changed != ["hannan/problems/all.hpp"]:
            sys.exit(f"a problem with money writes {written} and changes {changed}, expected 3 files and 1 line")

    def fingerprints(self):
        return {f.relative_to(self.tree).as_posix(): f.read_bytes() for f in self.tree.rglob("*") if f.is_file()}

    def check_structure(self):
        checks = self.tree / "tests/structure"
        for check in ("include_check", "namespace_check", "words_check", "problem_names"):
            self.run(sys.executable, "-B", checks / f"{check}.py", self.tree)
        if shutil.which(self.args.format):
            self.run(sys.executable, "-B", checks / "format_check.py", self.args.format, self.tree)

    def make(self):
        self.run("cmake", f"-DTREE={self.tree}", f"-DOUTPUT={self.scratch / 'listed'}", "-P", self.tree / "cmake/listed_sources.cmake")
        targets = ["hannan_new_program", "hannan_new_conformance_tests", "hannan_new_unit_tests", "hannan_new_serve"]
        self.run("cmake", "--build", self.args.build, "--parallel", "2", "--target", *targets,
                 *(["hannan_new_python"] if self.args.python else []))

    def test(self):
        # The new problems with every learner, and the new learner on every problem.
        new = "guess_number/*:newsvendor/*:*LearnerConformance*/guess_number:*LearnerConformance*/newsvendor"
        for name, filter, least, learner in (("hannan_new_conformance_tests", new, 30, {}),
                                             ("hannan_new_conformance_tests", "*LearnerConformance*", 96, {"HANNAN_LEARNER": "first-draft"}),
                                             ("hannan_new_unit_tests", "Noise.*:LearnerRules.*", 9, {})):
            program = self.scratch / name
            said = self.run(program, f"--gtest_filter={filter}", "--gtest_brief=1", env=learner)
            passed = int(said.split("[  PASSED  ] ")[1].split()[0])
            if passed < least:
                sys.exit(f"{program.name}: found {passed} tests of the new parts, expected at least {least}")
        self.run(sys.executable, "-B", self.tree / "tests/cli/commands_test.py", self.program)

    def use(self):
        names = self.run(self.program, "names", "--part", "guess").split()
        if names != ["guess-number"]:
            sys.exit(f"hannan names: found {names}, expected the new problem")
        (self.tree / "numbers.jsonl").write_text("".join(f"{t * t % 10}\n" for t in range(200)))
        game = ("guess-number", "--param", "greatest=9", "-d", "numbers.jsonl")
        self.run(self.program, "run", *game, "-l", "gftpl", "--set", "noise=two-sided", "--record", "record.jsonl", "-q")
        self.run(self.program, "run", *game, "-l", "first-draft", "--set", "step=0.5", "--record", "verified.jsonl", "-q")
        self.run(self.program, "verify", "verified.jsonl")
        record = (self.tree / "verified.jsonl").read_text()
        if record.count('"step":0.5') != 2:  # in the header and at the end
            sys.exit(f"hannan run: found no parameter of the new learner in {record[:400]}")
        (self.tree / "forged.jsonl").write_text(record.replace('"step":0.5', '"step":-1', 1))
        self.run(self.program, "verify", "forged.jsonl", status=3)  # by the rule's own range
        best = json.loads(self.run(self.program, "oracle", *game, "--json"))
        if not best:
            sys.exit("hannan oracle: found nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--format", required=True)
    parser.add_argument("--python", help="the interpreter of the Python module, where the build has one")
    copy = Copy(parser.parse_args())
    copy.write()
    copy.check_structure()
    copy.make()
    copy.test()
    copy.use()
    newsvendor.check(copy)
    shutil.rmtree(copy.scratch)
    print(f"one of each: {', '.join(f'{kind} {words[0]}' for kind, words in PARTS.items())}")


if __name__ == "__main__":
    main()
