"""An oracle for `experts` that breaks ties its own way.

    tied.py last|first|zero exact|floors|bare

`last` answers the greatest of the best actions, `first` the smallest, `zero` always action 0. It claims to be exact, or
gives the least value as a floor, or no floor at all."""
import json
import sys

WAY, CLAIM = sys.argv[1], sys.argv[2]


def main():
    hello = json.loads(sys.stdin.readline())
    actions = hello["problem"]["params"]["experts"]
    print(json.dumps({"ready": True, "signed": True, "exact": CLAIM == "exact"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        totals = [0.0] * actions
        for point in request["data"]:
            for k, loss in enumerate(point["outcome"]):
                totals[k] += point["weight"] * loss
        least = min(totals)
        tied = [k for k in range(actions) if totals[k] <= least + 1e-9]
        answer = {"id": request["id"], "action": 0 if WAY == "zero" else tied[-1 if WAY == "last" else 0]}
        if CLAIM == "floors":
            answer["floor"] = least
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
