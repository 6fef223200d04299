"""`hannan serve` and `hannan bench` become programs of their own: found beside hannan, handed everything, and missed with
one clear error. HTTP and databases are no part of hannan."""
import os
import pathlib
import shutil
import subprocess
import unittest

from program import BINARY, FolderTest, hannan, main

HERE = pathlib.Path(BINARY).resolve()
# Answers with all that a program is handed.
ECHO = '''#!/bin/sh
echo "{name} $$ $COLOUR"
printf '<%s>' "$@"
cat
echo "to standard error" >&2
exit 7
'''


class Programs(FolderTest):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "prefix" / "bin"
        self.bin.mkdir(parents=True)
        self.program = self.bin / "hannan"
        shutil.copy(HERE, self.program)

    def echo(self, folder, name="hannan-serve"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(ECHO.format(name=folder.name))
        (folder / name).chmod(0o755)

    def start(self, *words, program=None, path="/usr/bin:/bin"):
        started = subprocess.Popen([program or self.program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "PATH": path, "COLOUR": "blue"}, text=True)
        out, err = started.communicate("from standard input", timeout=60)
        return started, out, err

    def test_arguments_environment_streams_process_and_status_are_handed_on(self):
        self.echo(self.bin)
        started, out, err = self.start("serve", "--db", "a b.db", "--listen", "unix:", "--forward")
        self.assertEqual(out, f"bin {started.pid} blue\n<--db><a b.db><--listen><unix:><--forward>from standard input")
        self.assertEqual((started.returncode, err), (7, "to standard error\n"))

    def test_it_is_found_behind_links_then_in_libexec_then_on_the_path(self):
        elsewhere = self.folder / "elsewhere"
        self.echo(elsewhere)
        link = self.folder / "link"
        link.symlink_to(self.program)
        self.assertTrue(self.start("serve", path=f"/nowhere:{elsewhere}:/usr/bin:/bin")[1].startswith("elsewhere "))
        self.echo(self.bin.parent / "libexec" / "hannan")
        self.assertTrue(self.start("serve", path=f"{elsewhere}:/usr/bin:/bin")[1].startswith("hannan "))
        self.echo(self.bin)
        for program in (self.program, link):
            self.assertTrue(self.start("serve", program=program, path=f"{elsewhere}:/usr/bin:/bin")[1].startswith("bin "))

    def test_where_it_is_not_installed_one_error_says_what_to_install(self):
        for command in ("serve", "bench"):
            started, out, err = self.start(command)
            self.assertEqual((started.returncode, out, err.count("\n")), (2, "", 1), err)
            self.assertIn("hannan: H108: ", err)
            self.assertIn(f"install the package hannan-{command}", err)

    def test_one_that_cannot_be_run_is_named(self):
        (self.bin / "hannan-serve").write_text("no program")
        started, out, err = self.start("serve")
        self.assertEqual((started.returncode, out), (3, ""))
        self.assertIn(f"hannan: H201: {self.bin}/hannan-serve: ", err)

    def test_help_and_wrong_flags_need_no_other_program(self):
        for command in ("serve", "bench"):
            for words in ((command, "--help"), (command, "--help-all"), ("help", command)):
                started, out, _ = self.start(*words)
                self.assertEqual((started.returncode, out), (0, hannan(*words).out.decode()))
                self.assertIn(f"hannan {command} [OPTIONS]", out)
            started, _, err = self.start(command, "--no-such-flag")
            self.assertEqual(started.returncode, 2)
            self.assertIn("H100", err)

    def test_the_programs_themselves_take_the_same_flags(self):
        for command in ("serve", "bench"):
            alone = HERE.parent / f"hannan-{command}"
            for words in (["--help"], ["--help-all"], ["--no-such-flag"]):
                done = subprocess.run([alone, *words], capture_output=True, timeout=60)
                through = hannan(command, *words)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (through.status, through.out, through.err))
            self.assertEqual(subprocess.run([alone, "--version"], capture_output=True, timeout=60).stdout, hannan("--version").out)

    @unittest.skipUnless(shutil.which("ldd"), "no ldd")
    def test_the_program_is_linked_with_no_library_of_http_databases_or_linear_programmes(self):
        libraries = subprocess.run(["ldd", HERE], capture_output=True, text=True, timeout=60).stdout
        self.assertIn("libc.so", libraries)
        for name in ("libpq", "libsqlite3", "libssl", "libldap", "libkrb5", "libboost", "libClp", "liblapack", "libgfortran"):
            self.assertNotIn(name, libraries)


if __name__ == "__main__":
    main()
