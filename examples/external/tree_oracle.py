"""scikit-learn's weighted decision tree as the oracle of a classification stream over trees of depth 2.

    hannan run classification --params points.json -d labels.csv -l gftpl \
        --set oracle='external:python3 tree_oracle.py'

points.json holds {"points":[[...],...],"hypotheses":"trees2"}. The tree is grown greedily, so it claims nothing about
being the best; what it can prove is a floor: at every point each classifier errs on one of the two labels, so it pays
at least the lighter one. Needs python3-sklearn."""
import json
import sys

import numpy
from sklearn.tree import DecisionTreeClassifier


def constant(label):
    return {"feature": 0, "cut": "-inf", "above": label}


def cut_of(tree, node):
    """scikit-learn goes left where x <= threshold, a stump says `above` where x >= cut."""
    return {"feature": int(tree.feature[node]), "cut": float(numpy.nextafter(tree.threshold[node], numpy.inf))}


def stump(tree, labels, node):
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0 or labels[left] == labels[right]:
        return constant(labels[node] if left < 0 else labels[left])
    return {**cut_of(tree, node), "above": labels[right]}


def as_trees2(model):
    """A fitted tree of depth at most 2 in the form of the class trees2 (docs/problems/classification.md)."""
    tree = model.tree_
    labels = [int(model.classes_[counts[0].argmax()]) for counts in tree.value]
    if tree.children_left[0] < 0:
        return {"feature": 0, "cut": "-inf", "left": constant(labels[0]), "right": constant(labels[0])}
    return {**cut_of(tree, 0), "left": stump(tree, labels, tree.children_left[0]),
            "right": stump(tree, labels, tree.children_right[0])}


def floor_of(data, points):
    weights = numpy.zeros((points, 2))
    for item in data:
        weights[item["outcome"]["point"], item["outcome"]["label"]] += item["weight"]
    return float(weights.min(axis=1).sum())


def main():
    params = json.loads(sys.stdin.readline())["problem"]["params"]
    if params.get("hypotheses") != "trees2":
        print(json.dumps({"ready": False}), flush=True)
        return
    points = numpy.array(params["points"], dtype=float)
    print(json.dumps({"ready": True, "signed": False, "exact": False}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        data = request["data"]
        action = {"feature": 0, "cut": "-inf", "left": constant(0), "right": constant(0)}
        if data:
            model = DecisionTreeClassifier(max_depth=2, random_state=0)
            model.fit(points[[item["outcome"]["point"] for item in data]], [item["outcome"]["label"] for item in data],
                      sample_weight=[item["weight"] for item in data])
            action = as_trees2(model)
        print(json.dumps({"id": request["id"], "action": action, "floor": floor_of(data, len(points))}), flush=True)


if __name__ == "__main__":
    main()
