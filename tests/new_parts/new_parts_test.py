"""new_parts_test.py --source TREE --scratch FOLDER --format CLANG_FORMAT --compiler CXX: what scripts/new writes works as it is.

Copies the sources, writes one part of each kind with scripts/new, and holds the copy against the structure checks, the conformance
suite, the tests of noises and commands, and a user's first commands."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

PARTS = {"problem": "guess-number", "learner": "first-draft", "noise": "two-sided", "command": "names"}
KEPT = ("experts", "finite_game")  # problems of the copy: a new learner is compiled for every problem
UNIT_TESTS = ("noise_test.cpp", "learner_rules_test.cpp")  # those that hold every noise and learner to its rules
# Quick to build, from nothing: several sources as one, and no optimisation, for little is computed.
SETTINGS = ("CMAKE_UNITY_BUILD=ON", "CMAKE_BUILD_TYPE=Debug", "CMAKE_CXX_FLAGS_DEBUG=-O0", "HANNAN_BUILD_PYTHON=OFF")
LEFT_OUT = shutil.ignore_patterns("build", ".git", "__pycache__")


class Copy:
    def __init__(self, args):
        self.tree, self.args = args.scratch / "tree", args
        self.build = self.tree / "build/new"
        self.program = self.build / "cli/hannan"

    def run(self, *command, status=0):
        done = subprocess.run([str(word) for word in command], cwd=self.tree, capture_output=True, text=True)
        if done.returncode != status:
            sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}, expected {status}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def write(self):
        shutil.rmtree(self.args.scratch, ignore_errors=True)
        shutil.copytree(self.args.source, self.tree, ignore=LEFT_OUT)
        for test in self.tree.glob("hannan/**/*_test.cpp"):
            if test.name not in UNIT_TESTS:
                test.unlink()
        registry = self.tree / "hannan/problems/all.hpp"
        lines = registry.read_text().splitlines(keepends=True)
        registry.write_text("".join(line for line in lines if line.startswith("//") or any(f"({name}," in line for name in KEPT)))
        for kind, name in PARTS.items():
            self.run("scripts/new", kind, name)
            self.run("scripts/new", kind, name, status=1)  # never over something that is there
        self.run("scripts/new", "noise", "Two_Sided", status=1)

    def check_structure(self):
        checks = self.tree / "tests/structure"
        for check in ("include_check", "namespace_check", "words_check"):
            self.run(sys.executable, "-B", checks / f"{check}.py", self.tree)
        if shutil.which(self.args.format):
            self.run(sys.executable, "-B", checks / "format_check.py", self.args.format, self.tree)

    def make(self):
        settings = (f"CMAKE_CXX_COMPILER={self.args.compiler}", *SETTINGS)
        self.run("cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *(f"-D{setting}" for setting in settings))
        self.run("cmake", "--build", self.build, "--target", "hannan-cli", "hannan_conformance_tests", "hannan_unit_tests")

    def test(self):
        tests = self.build / "tests"
        for program, filter, least in ((tests / "conformance/hannan_conformance_tests", "guess_number/*:*LearnerConformance*", 20),
                                       (tests / "hannan_unit_tests", "Noise.*:LearnerRules.*", 9)):
            said = self.run(program, f"--gtest_filter={filter}", "--gtest_brief=1")
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
        self.run(self.program, "run", *game, "-l", "first-draft", "--record", "verified.jsonl", "-q")
        self.run(self.program, "verify", "verified.jsonl")
        best = json.loads(self.run(self.program, "oracle", *game, "--json"))
        if not best:
            sys.exit("hannan oracle: found nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--format", required=True)
    copy = Copy(parser.parse_args())
    copy.write()
    copy.check_structure()
    copy.make()
    copy.test()
    copy.use()
    shutil.rmtree(copy.args.scratch)
    print(f"one of each: {', '.join(f'{kind} {name}' for kind, name in PARTS.items())}")


if __name__ == "__main__":
    main()
