"""The four published insider attack games as the parameters of security-game, and their blocks as outcomes.

    insider_attack_game.py DATA OUT [LEVELS]

Reads DATA/payoffs.csv (block, target, reward_if_uncovered, penalty_if_covered, ...) and, where it is there, DATA/coverage.csv
(block, trial, ...), and writes OUT/game.json and OUT/types.csv, and every block as a game of its own, OUT/game-B.json and
OUT/types-B.csv. In game.json each block of six targets becomes a type of attacker, with two
guards and coverage in steps of 1/LEVELS (10 unless given). The defender's payoffs were not published: they are taken as minus the
attacker's, and everything is divided by 10 to lie in [-1,1]. types.csv has the block of every trial, or each block once."""
import csv
import json
import pathlib
import sys

LARGEST = 10  # the greatest payoff of the games, in size
GUARDS = 2


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def attacker_type(targets):
    gain = [float(row["reward_if_uncovered"]) / LARGEST for row in targets]
    harm = [float(row["penalty_if_covered"]) / LARGEST for row in targets]
    return {"attacker": {"covered": harm, "uncovered": gain},
            "defender": {"covered": [-v for v in harm], "uncovered": [-v for v in gain]}}


def main(data, out, levels="10"):
    payoffs = rows(pathlib.Path(data, "payoffs.csv"))
    blocks = sorted({row["block"] for row in payoffs}, key=int)
    types = [attacker_type([row for row in payoffs if row["block"] == block]) for block in blocks]
    game = {"targets": len(types[0]["attacker"]["covered"]), "levels": int(levels), "resources": GUARDS, "types": types}
    trials = pathlib.Path(data, "coverage.csv")
    played = [row["block"] for row in rows(trials)] if trials.exists() else blocks
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "game.json").write_text(json.dumps(game) + "\n", encoding="utf-8")
    (out / "types.csv").write_text("".join(f"{blocks.index(block)}\n" for block in played), encoding="utf-8")
    for block, attacker in zip(blocks, types):
        (out / f"game-{block}.json").write_text(json.dumps({**game, "types": [attacker]}) + "\n", encoding="utf-8")
        (out / f"types-{block}.csv").write_text("0\n" * played.count(block), encoding="utf-8")
    print(f"{len(types)} types, {game['targets']} targets, {len(played)} rounds in {out}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
