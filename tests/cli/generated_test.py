"""Manual pages and completion: generated from the commands, taken by the programs they are for."""
import re
import shutil
import subprocess
import unittest

from commands_test import COMMANDS
from program import FolderTest, main

NAMES = [name for name, _ in COMMANDS]


class Generated(FolderTest):
    def setUp(self):
        super().setUp()
        self.share = self.folder / "share"
        self.ok("generate", self.share)

    def pages(self):
        return sorted((self.share / "man" / "man1").iterdir())

    def test_there_is_a_page_for_the_program_and_one_for_each_command(self):
        self.assertEqual({page.name for page in self.pages()}, {"hannan.1", *(f"hannan-{name}.1" for name in NAMES)})
        for page in self.pages():
            text = page.read_text()
            sections = re.findall(r"^\.SH (.*)$", text, re.M)
            self.assertEqual(sections[:2], ["NAME", "SYNOPSIS"], page.name)
            self.assertIn("EXAMPLES", sections)
            self.assertRegex(text, r"\n\.SH NAME\nhannan[a-z\\-]* \\- \S")

    def test_a_page_has_every_flag_of_the_help(self):
        for name in NAMES:
            text = (self.share / "man" / "man1" / f"hannan-{name}.1").read_text().replace("\\-", "-")
            for flag in re.findall(r"^  (-[^ ]*)", self.ok(name, "--help-all").out.decode(), re.M):
                if flag != "-h,--help":
                    self.assertIn(f"\\fB{flag}\\fR", text, name)

    def test_the_pages_are_good_roff(self):
        """No line is taken for an unknown request, and groff has no complaint."""
        known = {"TH", "SH", "TP", "PP", "RS", "RE", "BR", "nf", "fi"}
        for page in self.pages():
            for line in page.read_text().splitlines():
                if line.startswith((".", "'")):
                    self.assertIn(line[1:].split(" ")[0], known, f"{page.name}: {line}")
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(page)], capture_output=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, b""), page.name)
                self.assertRegex(re.sub(b".\x08", b"", done.stdout), rb"\nNAME\n +hannan")

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.share / "bash-completion" / "completions" / "hannan"
        quoted = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(["bash", "--norc", "-c", f'source "{script}"; COMP_WORDS=(hannan {quoted}); COMP_CWORD={len(words)}; _hannan; '
                               'printf "%s\\n" "${COMPREPLY[@]}"; complete -p hannan'], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        *offered, registered = done.stdout.decode().splitlines()
        self.assertEqual(registered, "complete -o default -F _hannan hannan")
        return [word for word in offered if word]

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completes_commands_flags_and_names(self):
        self.assertEqual(self.complete(""), [*NAMES, "--help", "--help-all", "--version"])
        self.assertEqual(self.complete("ver"), ["verify"])
        self.assertEqual(self.complete("run", "vcg"), ["vcg-reserves"])
        self.assertIn("routing", self.complete("run", ""))
        self.assertEqual(self.complete("run", "experts", "--deci"), ["--decimal", "--decisions"])
        self.assertEqual(self.complete("run", "experts", "--decis"), ["--decisions"])
        self.assertEqual(self.complete("run", "experts", "-l", "flip"), ["flipflop", "flipflop-hedge"])
        self.assertEqual(self.complete("run", "experts", "--track", "p"), ["powers"])
        self.assertEqual(self.complete("run", "experts", "--track", "=", "p"), ["powers"])
        self.assertEqual(self.complete("run", "experts", "--track", "="), ["every", "powers", "end"])
        self.assertEqual(self.complete("run", "experts", "--data", ""), [])  # bash offers files
        self.assertEqual(self.complete("check", "--json", "exp"), ["experts"])
        self.assertEqual(self.complete("nothing", ""), [])

    def test_every_flag_is_completed(self):
        for name in NAMES:
            offered = self.complete(name, "-")
            for flags in re.findall(r"^  (-[^ ]*)", self.ok(name, "--help-all").out.decode(), re.M):
                for flag in flags.split(","):
                    self.assertTrue(flag in offered or flag == "-h", f"{name} {flag}")

    def test_the_completion_for_zsh_knows_the_same_flags(self):
        script = self.share / "zsh" / "site-functions" / "_hannan"
        text = script.read_text()
        self.assertTrue(text.startswith("#compdef hannan\n"))
        for name in NAMES:
            part = text.split(f"\n    {name})\n", 1)[1].split("\n      ;;\n", 1)[0]
            for flags in re.findall(r"^  (-[^ ]*)", self.ok(name, "--help-all").out.decode(), re.M):
                for flag in flags.split(","):
                    self.assertIn(flag, part, name)
        if shutil.which("zsh"):
            done = subprocess.run(["zsh", "-n", str(script)], capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    main()
