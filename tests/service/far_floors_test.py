"""A set of floors whose learners are on several nodes: one file, from whichever node is asked."""
import hashlib
import json
import time

from nodes import NodesTest
from server import main

ONE = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 1, "levels": 10}}, "cap": 2.0, "currency": "EUR"}
TWO = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 10}}, "cap": 4.0, "currency": "EUR",
       "slots": ["Dsp1", "*"]}
TOKEN = {"Authorization": "Bearer secret"}


class OnSeveralNodes(NodesTest):
    def place(self, nodes, names, headers=None):
        """A node for each name, which has it."""
        places = {}
        for name in names:
            for node in nodes:
                status, _, _ = node.ask("PUT", f"/v1/learners/{name}", TWO if name.startswith("two") else ONE, headers)
                if status == 201:
                    places[name] = node
        return places

    def spread(self, *flags, headers=None):
        nodes = [self.node("--shards", "8", *flags), self.node(*flags)]
        self.wait_for(lambda: self.balanced(nodes, 8), 10, "the nodes share the shards")
        names = [f"one{i}" for i in range(6)] + [f"two{i}" for i in range(6)]
        places = self.place(nodes, names, headers)
        self.assertEqual(set(places), set(names))
        self.assertEqual(len({node.port for node in places.values()}), 2)
        rules = [{"key": [name], "learner": name, **({"slot": "Dsp1"} if name.startswith("two") else {})} for name in names]
        return nodes, places, {"fields": ["adUnitCode"], "rules": rules, "public": True, "max_age": 60}

    def put(self, nodes, body, headers=None):
        """The node that has the set; asked again while shards are under way."""
        until = time.monotonic() + 20
        while True:
            for node in nodes:
                status, _, answer = node.ask("PUT", "/v1/floors/site", body, headers)
                if status not in (421, 503):
                    return node, status, json.loads(answer)
            self.assertLess(time.monotonic(), until, answer)
            time.sleep(0.1)

    def test_the_node_of_the_set_asks_the_others(self):
        nodes, places, body = self.spread()
        keeper, status, _ = self.put(nodes, body)
        self.assertEqual(status, 201)
        for i, (name, node) in enumerate(places.items()):
            bids = [0.5, 0.1 * (i % 7)] if name.startswith("two") else [0.1 * (i % 7)]
            self.assertEqual(node.ask("POST", f"/v1/learners/{name}/outcomes", {"id": "1", "outcome": bids})[0], 200)
        status, headers, text = keeper.ask("GET", "/v1/floors/site.json")
        self.assertEqual((status, headers["Cache-Control"]), (200, "public, max-age=60"))
        self.assertNotIn("Warning", headers)
        file = json.loads(text)
        self.assertEqual(file["modelVersion"], ",".join(f"{name}=g1.2" for name in places))
        for name, node in places.items():
            own = node.json("GET", f"/v1/learners/{name}/floors.json")
            self.assertEqual(file["values"][name.lower()], own["values"]["dsp1" if name.startswith("two") else "1"], name)
        two = json.loads(keeper.ask("GET", "/v1/floors/site.json?schema=2")[2])
        self.assertEqual(two["modelGroups"][0]["values"], file["values"])
        # A learner that was ended is left out, wherever it was.
        gone = next(name for name, node in places.items() if node is not keeper)
        self.assertEqual(places[gone].ask("DELETE", f"/v1/learners/{gone}")[0], 204)
        status, headers, text = keeper.ask("GET", "/v1/floors/site.json")
        self.assertIn("199", headers["Warning"])
        self.assertEqual(set(json.loads(text)["values"]), set(places) - {gone})
        # So is one that was made again without floors, or in another currency than the first.
        experts = {"problem": {"kind": "experts", "params": {"experts": 2}}}
        last = [name for name, node in places.items() if node is not keeper][-1]
        for other in (experts, {**(TWO if last.startswith("two") else ONE), "currency": "JPY"}):
            self.assertEqual(places[last].ask("DELETE", f"/v1/learners/{last}?purge=true")[0], 204)
            self.assertEqual(places[last].ask("PUT", f"/v1/learners/{last}", other)[0], 201)
            status, headers, text = keeper.ask("GET", "/v1/floors/site.json")
            self.assertEqual((status, json.loads(text)["currency"]), (200, "EUR"), text)
            self.assertIn("199", headers["Warning"])
            self.assertEqual(set(json.loads(text)["values"]), set(places) - {gone, last})
        self.assertNotEqual(keeper.ask("GET", "/v1/floors/other.json")[0], 200)

    def test_the_last_floors_are_served_while_a_node_is_away(self):
        nodes, places, body = self.spread()
        keeper, status, _ = self.put(nodes, body)
        self.assertEqual(status, 201)
        before = keeper.json("GET", "/v1/floors/site.json")
        next(node for node in nodes if node is not keeper).kill()
        seen, until = set(), time.monotonic() + 20
        while time.monotonic() < until:
            status, headers, text = keeper.ask("GET", "/v1/floors/site.json")
            self.assertEqual(status, 200, text)
            self.assertEqual(json.loads(text)["values"], before["values"])
            seen.add(headers.get("Warning", "")[:3])
            if self.shards(keeper) == 8 and "Warning" not in headers:
                break
        self.assertIn("", seen)  # its learners are on this node by now
        self.assertIn("110", seen)

    def test_what_is_wrong_with_a_learner_of_another_node_is_found(self):
        nodes, places, body = self.spread()
        keeper, status, _ = self.put(nodes, body)
        self.assertEqual(status, 201)
        far = next(name for name, node in places.items() if node is not keeper and name.startswith("two"))
        for change, code in (({"slot": "dsp9"}, "H106"), ({"learner": "none-such"}, "H107")):
            rules = [dict(rule, **change) if rule["learner"] == far else rule for rule in body["rules"]]
            _, status, answer = self.put([keeper], {**body, "rules": rules})
            self.assertIn(status, (400, 404))
            self.assertEqual(answer["error"]["code"], code)

    def test_the_token_of_the_client_is_asked_with(self):
        tokens = self.folder / "tokens"
        tokens.write_text(hashlib.sha256(b"secret").hexdigest() + " read,observe,admin * all\n")
        nodes, places, body = self.spread("--tokens", str(tokens), "--metrics-public", headers=TOKEN)
        keeper, status, _ = self.put(nodes, {**body, "public": False}, TOKEN)
        self.assertEqual(status, 201)
        self.assertEqual(keeper.ask("GET", "/v1/floors/site.json")[0], 401)
        status, headers, text = keeper.ask("GET", "/v1/floors/site.json", headers=TOKEN)
        self.assertEqual((status, headers["Cache-Control"]), (200, "private, max-age=60"))
        self.assertEqual(set(json.loads(text)["values"]), set(places))


if __name__ == "__main__":
    main()
