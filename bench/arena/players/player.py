"""What the NumPy players share: the lines of the protocol. A player is a class with weights() and learn(losses, own).

`weights()` is the law of the next choice; `learn` is told the losses of all actions, or None where only `own`, the loss
of the action that was played, was seen."""
import json
import random
import sys


def answer(fields):
    print(json.dumps({"ok": True, **fields}), flush=True)


def draw(weights, dice):
    """The first action whose summed weight is above a number drawn from [0,1)."""
    u, total = dice.random(), 0.0
    for action, weight in enumerate(weights):
        total += weight
        if u < total:
            return action
    return len(weights) - 1


def play(make, mixes=True):
    """Reads requests until they end. `make(actions, dice)` gives the player; one that mixes says its weights."""
    player = dice = action = None
    actions = 0
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "problem":
            actions = request["params"]["experts"]
            answer({"actions": actions})
        elif request["op"] == "learner":
            dice = random.Random(request["params"]["seed"])
            player = make(actions, dice)
            answer({})
        elif request["op"] == "act":
            weights = player.weights()
            action = draw(weights, dice)
            answer({"action": action, "weights": [float(w) for w in weights]} if mixes else {"action": action})
        elif request["op"] == "observe":
            shown = request["outcome"]
            losses = shown if isinstance(shown, list) else None
            player.learn(losses, losses[action] if losses else shown["seen"][0])
            answer({})
