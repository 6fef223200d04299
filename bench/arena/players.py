"""Who plays: the rows of the table. A player is a program that speaks the lines of README.md."""
import functools
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


@functools.lru_cache
def numpy_python():
    """A Python that has NumPy: this one, or Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return python
    raise SystemExit("found no Python with NumPy, expected one: install python3-numpy")


class Player:
    """`words` is its command, in which {rounds} stands for the length of the game; `listed`: it knows experts only, and is
    given the losses of all actions. `sees`: "all" losses of a round; "own" only, whatever the task shows; or "both", what
    the task shows."""

    def __init__(self, name, words, *, kind="player", params=None, listed=True, sees="all", ours=False):
        self.name, self.words, self.kind, self.params = name, words, kind, params or {}
        self.listed, self.sees, self.ours = listed, sees, ours

    def command(self, rounds):
        return [str(word).replace("{rounds}", str(rounds)) for word in self.words]

    def enters(self, task):
        return task.seen == "all" or self.sees != "all"


def numpy_player(name, file, **more):
    return Player(name, [numpy_python(), "-B", HERE / "players" / file, "{rounds}"], **more)


def all_players(program):
    ours = [Player(kind, [program, "pipe"], kind=kind, listed=kind in ("adahedge", "flipflop-hedge"), ours=True)
            for kind in ("flipflop", "ada", "gftpl", "leader", "adahedge", "flipflop-hedge")]
    ours.append(Player("ada:feedback=elements", [program, "pipe"], kind="ada", params={"feedback": "elements"}, sees="own", ours=True))
    return ours + [numpy_player("Hedge, knows T", "hedge.py"), numpy_player("FTPL, knows T", "ftpl.py"),
                   numpy_player("MLpol (opera)", "mlpol.py"), numpy_player("BOA (opera)", "boa.py"),
                   numpy_player("Exp3, knows T", "exp3.py", sees="own")]


def own_player(text):
    """NAME=COMMAND of the command line; a name that ends in ! plays by own losses too."""
    name, sign, command = text.partition("=")
    if not sign or not command:
        raise SystemExit(f"found --player {text}, expected NAME=COMMAND")
    return Player(name.rstrip("!"), shlex.split(command), sees="both" if name.endswith("!") else "all")
