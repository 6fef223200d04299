"""Plays one program against one run of a task, and counts: total loss of the player, least total of an action, regret.

The program is asked through its standard input and output (README.md has the lines). What it says of its own losses is
never read. Where it states the weights of its mixture, the mean loss over them is charged, else the loss of its action."""
import contextlib
import json
import math
import subprocess
import threading

MOST_SECONDS = 600  # of one game
TOLERANCE = 1e-9  # of weights, which are computed in floating point


class Fault(Exception):
    """What a player did wrong."""


class Game:
    """The losses of one run of a task, as they are charged, and the lines that show them."""

    def __init__(self, task, run, rounds, folder):
        self.task, self.run = task, run
        self.raw = task.outcomes(run, min(rounds, task.rounds), folder)
        self.losses = [task.losses(outcome) for outcome in self.raw]
        self.count = len(self.losses[0])
        self.number = {json.dumps(action): k for k, action in enumerate(task.actions)} if task.actions else {}
        totals = [math.fsum(column) for column in zip(*self.losses)]
        self.best = min(totals)
        self.texts = {True: [json.dumps(row) for row in self.raw] if task.actions else None,
                      False: [json.dumps(row) for row in self.losses]}

    def shown(self, t, action, player):
        """The outcome of round t, as far as this player sees it."""
        if "own" in (self.task.seen, player.sees):
            return f'{{"seen":[{self.losses[t][action]}]}}'
        return self.texts[not player.listed and self.task.actions is not None][t]


class Program:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.late = False
        self.clock = threading.Timer(MOST_SECONDS, self.end)  # a program that says nothing is ended too
        self.clock.start()

    def end(self):
        self.late = True
        self.process.kill()

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            text = self.process.stdout.readline()
        except BrokenPipeError:
            text = ""
        if self.late:
            raise Fault(f"found a game that takes longer than {MOST_SECONDS} s, expected less")
        if not text:
            raise Fault("found the end of the program, expected a line of JSON")
        try:
            reply = json.loads(text)
        except ValueError:
            raise Fault(f"found {text[:80]!r}, expected a line of JSON") from None
        if not isinstance(reply, dict) or reply.get("ok") is not True:
            raise Fault(f"found {text[:200].strip()}, expected \"ok\":true in answer to {line[:80]}")
        return reply

    def stop(self):
        self.clock.cancel()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def chosen(game, reply, listed):
    """The number of the action that was played."""
    action = reply.get("action")
    if not listed and game.task.actions:
        action = game.number.get(json.dumps(action))
    if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < game.count:
        raise Fault(f"found the action {reply.get('action')}, expected one of the problem")
    return action


def charged(losses, action, weights):
    if weights is None:
        return losses[action]
    fine = isinstance(weights, list) and len(weights) == len(losses) and all(isinstance(w, (int, float)) and w >= 0 for w in weights)
    if not fine or abs(math.fsum(weights) - 1) > TOLERANCE:
        raise Fault("found weights that are no law over the actions, expected one")
    return math.fsum(w * x for w, x in zip(weights, losses))


def play(game, player):
    """(regret, whether all was charged by weights) of a player of players.py in this game."""
    listed = player.listed
    kind, params = ("experts", {"experts": game.count}) if listed else game.task.problem(game.count)
    program = Program(player.command(len(game.losses)))
    try:
        program.ask(json.dumps({"op": "problem", "as": "p", "kind": kind, "params": params}))
        program.ask(json.dumps({"op": "learner", "as": "me", "in": "p", "kind": player.kind, "params": {"seed": game.run + 1, **player.params}}))
        total, mixed = [], True
        for t, losses in enumerate(game.losses):
            reply = program.ask('{"op":"act","in":"me"}')
            action = chosen(game, reply, listed)
            weights = reply.get("weights")
            mixed = mixed and weights is not None
            total.append(charged(losses, action, weights))
            program.ask('{"op":"observe","in":"me","outcome":' + game.shown(t, action, player) + "}")
    finally:
        program.stop()
    return math.fsum(total) - game.best, mixed
