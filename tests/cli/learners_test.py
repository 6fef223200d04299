"""Every learner of the program's table: its run is recorded, verified and reported."""
import json

from program import FolderTest, hannan, main

GAME = {"rewards": [[0.1, 0.7, 0.4], [0.9, 0.2, 0.3], [0.35, 0.45, 0.85]]}


def learners():
    done = hannan("pipe", stdin=b'{"op":"hello"}\n')
    return json.loads(done.out.splitlines()[0])["learners"]


class EveryLearner(FolderTest):
    def test_it_is_recorded_verified_and_reported(self):
        params = self.file("game.json", json.dumps(GAME).encode())
        data = self.file("outcomes.csv", "".join(f"{(t * t + t // 4) % 3}\n" for t in range(40)).encode())
        names = learners()
        self.assertIn("flipflop", names)
        for name in names:
            with self.subTest(learner=name):
                record, page = self.folder / f"{name}.jsonl", self.folder / f"{name}.html"
                run = ["run", "finite-game", "--params", params, "-d", data, "-l", name, "--seed", "3", "-q"]
                run += ["--set", "today=0"] if name == "portfolio" else []  # what is done today has to be said
                done = hannan(*run, "--record", record)
                if done.status != 0:  # a learner that is tuned to the number of rounds asks for it
                    self.assertIn(b"rounds to tune it by", done.err)
                    self.ok(*run, "--record", record, "--set", "rounds=40")
                self.assertIn(b"40 rounds", self.ok("verify", record).out)
                section = json.loads(self.ok("report", record, "-o", page, "--json").out)["sections"][0]
                self.assertEqual(section["blocks"][0]["advice"], "Checked: computed again by separate code, and agrees")
                self.assertEqual(section["title"], f"Decisions of {name}, record of a run")
                self.assertGreater(page.stat().st_size, 1000)


if __name__ == "__main__":
    main()
