"""An exact oracle for `experts` and `finite-game` in plain Python; the smallest whole example of the format.

    hannan run experts -d losses.csv --set oracle='external:python3 table_oracle.py'

With the word `nonnegative` it asks for data of non-negative weights only."""
import json
import sys


def losses_by_outcome(problem):
    """A function from an outcome to the list of every action's loss."""
    params = problem["params"]
    if problem["kind"] == "experts":
        return lambda outcome: outcome
    table = params.get("losses") or [[1 - reward for reward in row] for row in params["rewards"]]
    return lambda outcome: [row[outcome] for row in table]


def main():
    hello = json.loads(sys.stdin.readline())
    losses = losses_by_outcome(hello["problem"])
    actions = hello["problem"]["params"].get("experts") or len(losses(0))
    print(json.dumps({"ready": True, "signed": "nonnegative" not in sys.argv, "exact": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        totals = [0.0] * actions
        for point in request["data"]:
            for k, loss in enumerate(losses(point["outcome"])):
                totals[k] += point["weight"] * loss
        # Ties go to the smallest action; sums that differ by rounding only are a tie.
        least = min(totals)
        action = next(k for k in range(actions) if totals[k] <= least + 1e-9)
        print(json.dumps({"id": request["id"], "action": action, "floor": least}), flush=True)


if __name__ == "__main__":
    main()
