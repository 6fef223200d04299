"""hannan experiment: the same bytes on any threads and ranks and after any interruption."""
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

from experiment_folder import ExperimentFolder, PLAN, outputs
from program import BINARY, csv_text, losses, main


class ExperimentTest(ExperimentFolder):
    def test_threads_do_not_change_a_byte(self):
        one = self.play(self.quick, "one")
        self.assertEqual(one, self.play(self.quick, "two", "--threads", "2"))
        self.assertEqual(one, self.play(self.quick, "many", "--threads", "7"))
        self.assertEqual(set(one), {"results.csv", "results.json", "tables.md", "report.html", "figure-1-1.svg", "figure-1-2.svg"})

    def test_the_page_of_the_folder_is_the_one_of_hannan_report(self):
        page = self.play(self.quick, "out")["report.html"]
        done = subprocess.run([BINARY, "report", "results.json", "-o", "../again.html"], cwd=self.folder / "out", capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(page, (self.folder / "again.html").read_bytes())
        # Every number of tables.md is on it: the plan's tables are made in one place.
        data = json.loads(re.search(rb'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
        rows = [row for block in data["sections"][0]["blocks"] if block["block"] == "table" for row in block["rows"]]
        lines = [line for line in (self.folder / "out/tables.md").read_text().splitlines() if line.startswith("| ")]
        self.assertGreater(len(rows), 8)
        for row in rows:
            self.assertIn("| " + " | ".join(row) + " |", lines)

    def test_a_finished_experiment_plays_nothing_again(self):
        first = self.play(self.quick, "out")
        before = self.finished("out")
        self.assertEqual(first, self.play(self.quick, "out"))
        self.assertEqual(before, self.finished("out"))

    def test_more_seeds_play_only_what_is_new(self):
        self.play(self.quick, "out")
        self.assertEqual(len(self.finished("out")), 48)
        more = self.file("more.toml", self.quick.read_bytes().replace(b"seeds = 6", b"seeds = 7"))
        self.assertEqual(self.play(more, "out"), self.play(more, "fresh"))
        self.assertEqual(len(self.finished("out")), 56)

    def test_changed_data_are_played_anew(self):
        self.play(self.quick, "out")
        self.file("losses.csv", csv_text(losses(200, 16, seed=2)))
        self.assertEqual(self.play(self.quick, "out"), self.play(self.quick, "fresh"))

    def test_an_interrupted_experiment_goes_on_to_the_same_bytes(self):
        plan = self.slow()
        whole = self.play(plan, "whole", "--threads", "2")
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            out = how.name
            process = self.start(plan, out)
            self.wait_for_some(out, process)
            process.send_signal(how)
            said = process.communicate()[1].decode()
            kept = len(self.finished(out))
            self.assertLess(kept, 48)
            if how != signal.SIGKILL:
                self.assertEqual(process.returncode, 1)
                self.assertRegex(said, r"H501: .*interrupted after \d+ of 48 runs")
                self.assertFalse((self.folder / out / "tables.md").exists())
            self.assertEqual(whole, self.play(plan, out))
            self.assertGreaterEqual(len(self.finished(out)), 48)

    def test_lines_cut_short_or_changed_are_played_again(self):
        whole = self.play(self.quick, "out")
        file = self.folder / "out/finished/0.jsonl"
        lines = file.read_bytes().split(b"\n")
        lines[3] = lines[3].replace(b'"regret":', b'"regret":1')
        lines[5] = b"not JSON"
        file.write_bytes(b"\n".join(lines[:-1])[:-20])
        self.assertEqual(whole, self.play(self.quick, "out"))
        self.assertEqual(len(file.read_bytes().split(b"\n")), len(lines) + 3)

    def test_ranks_do_not_change_a_byte(self):
        plan = self.slow()
        whole = self.play(plan, "whole", "--threads", "2")
        for rank, size in (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")):
            out = rank
            ranks = [self.start(plan, out, env={rank: str(r), size: "3"}) for r in range(3)]
            for process in ranks:
                self.assertEqual(process.wait(timeout=200), 0)
                process.stderr.close()
            self.assertEqual(whole, outputs(self.folder / out))
            self.assertEqual(len(list((self.folder / out / "finished").iterdir())), 3)

    def test_live_ranks_redo_the_work_of_one_that_died(self):
        plan = self.slow()
        whole = self.play(plan, "whole", "--threads", "2")
        ranks = [self.start(plan, "out", "--rank", str(r), "--ranks", "3") for r in range(3)]
        self.wait_for_some("out", ranks[1])
        ranks[1].kill()
        self.assertEqual([process.wait(timeout=200) for process in ranks], [0, -signal.SIGKILL, 0])
        for process in ranks:
            process.stderr.close()
        self.assertEqual(whole, outputs(self.folder / "out"))

    def test_a_rank_alone_does_the_work_of_all(self):
        self.assertEqual(self.play(self.quick, "one"), self.play(self.quick, "alone", "--rank", "1", "--ranks", "4"))

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_mpirun_spreads_the_plan(self):
        whole = self.play(self.quick, "whole")
        for ranks in (1, 2, 3):
            out = f"mpi{ranks}"
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), BINARY, "experiment", str(self.quick), "-o", str(self.folder / out), "-q"]
            done = subprocess.run(command, capture_output=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(whole, outputs(self.folder / out))
            self.assertEqual(len(list((self.folder / out / "finished").glob("*.jsonl"))), ranks)

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_mpirun_goes_on_after_a_rank_was_killed(self):
        plan = self.file("long.toml", PLAN.format(rounds=300000).encode())
        whole = self.play(plan, "whole", "--threads", "2")
        # mpirun ends all ranks when one dies; each leaves its process number in a file.
        script = f'echo $$ > {self.folder}/pid.$OMPI_COMM_WORLD_RANK; exec "$@"'
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", "sh", "-c", script, "sh"]
        command = [*mpirun, BINARY, "experiment", str(plan), "-o", str(self.folder / "out"), "-q"]
        (self.folder / "out/finished").mkdir(parents=True)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_some("out", process)
        os.kill(int((self.folder / "pid.1").read_text()), signal.SIGKILL)
        self.assertNotEqual(process.wait(timeout=200), 0)
        self.assertLess(len({json.loads(line)["task"] for line in self.finished("out") if line.endswith(b"}")}), 48)
        self.assertEqual(subprocess.run(command, capture_output=True, timeout=300).returncode, 0)
        self.assertEqual(whole, outputs(self.folder / "out"))

    def test_two_processes_of_one_rank_do_not_share_a_folder(self):
        plan = self.slow()
        process = self.start(plan, "out")
        self.wait_for_some("out", process)
        self.assertIn("H209", self.play(plan, "out", status=3))
        process.kill()
        process.communicate()


if __name__ == "__main__":
    main()
