"""A network that fails between a node and PostgreSQL: connections that break, and such that are silent."""
import http.client
import json
import selectors
import socket
import threading
import time

from nodes import Load, NodesTest, outcome
from server import main


class Proxy:
    """Between a node, over TCP, and the socket of the cluster. One thread, which ends with the test."""

    def __init__(self, target):
        self.target, self.mode, self.pairs, self.asked = str(target), "pass", {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def set(self, mode):
        """pass; drop: connections are cut and new ones are not taken; hang: they stay, and nothing comes through;
        deaf: what the node asks comes through, the answers do not; trap: deaf from the next write of rounds on."""
        with self.asked:
            self.mode = mode
            if mode == "drop":
                while self.pairs:
                    self.end(next(iter(self.pairs)))

    def end(self, one):
        other = self.pairs.pop(one, None)
        for each in filter(None, (one, other)):
            self.pairs.pop(each, None)
            if each in self.selector.get_map():
                self.selector.unregister(each)
            each.close()

    def work(self):
        while not self.done.is_set():
            for key, _ in self.selector.select(0.02):
                with self.asked:
                    self.serve(key.fileobj)

    def serve(self, one):
        if one is self.listener:
            client, _ = self.listener.accept()
            if self.mode not in ("pass", "trap"):
                client.close()
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.target)
            except OSError:
                client.close()
                server.close()
                return
            for each, other, side in ((client, server, "node"), (server, client, "database")):
                self.pairs[each] = other
                self.selector.register(each, selectors.EVENT_READ, side)
        elif one in self.pairs:
            side = self.selector.get_key(one).data
            if self.mode == "hang" or (self.mode == "deaf" and side == "database"):
                time.sleep(0.002)
                return
            try:
                data = one.recv(65536)
                if self.mode == "trap" and b"insert into round" in data:
                    self.mode = "deaf"
                self.pairs[one].sendall(data)
            except OSError:
                data = b""
            if not data:
                self.end(one)

    def stop(self):
        self.done.set()
        self.thread.join()
        self.set("drop")
        self.listener.close()
        self.selector.close()


class NetworkTest(NodesTest):
    def cut_off(self, *flags):
        """A node that reaches the database through a proxy."""
        proxy = Proxy(self.cluster.folder / ".s.PGSQL.5432")
        self.addCleanup(proxy.stop)
        url = f"postgresql://hannan@127.0.0.1:{proxy.port}/{self.cluster.database}"
        return self.node(*flags, url=url), proxy

    def check(self, nodes, name, acknowledged):
        ids = self.ids(name)
        self.assertEqual(len(ids), len(set(ids)), "an outcome was counted twice")
        self.assertEqual(set(acknowledged) - set(ids), set(), "an acknowledged outcome is gone")
        self.assertEqual([line["t"] for line in self.verify_at(nodes, name)[1:-1]], list(range(1, len(ids) + 1)))


class Broken(NetworkTest):
    def test_connections_that_break_again_and_again_lose_and_double_nothing(self):
        node, proxy = self.cut_off("--shards", "4")
        names = ["a", "b", "c"]
        for name in names:
            self.make_at([node], name)
        load = Load(self, [node], names)
        try:
            for turn in range(6):
                time.sleep(0.7)
                proxy.set("trap" if turn % 2 else "pass")  # a commit whose answer is lost
                time.sleep(0.2)
                proxy.set("drop")
                time.sleep(0.3)
                proxy.set("pass")
            time.sleep(1.5)
        finally:
            proxy.set("pass")
            load.stop()
        self.assertEqual(load.errors, [])
        for name in names:
            self.assertGreater(len(load.acknowledged[name]), 6)
            self.check([node], name, load.acknowledged[name])

    def test_decisions_are_marked_stale_and_outcomes_refused_while_there_is_no_way(self):
        node, proxy = self.cut_off()
        self.make_at([node], "a")
        self.tell([node], "a", 0)
        decision = node.ask("GET", "/v1/learners/a/decision")[2]
        proxy.set("drop")
        status, _, body = node.ask("POST", "/v1/learners/a/outcomes", {"id": "a-1", "outcome": outcome(1)})
        self.assertEqual((status, json.loads(body)["error"]["code"]), (503, "H821"))
        self.wait_for(lambda: "Warning" in node.ask("GET", "/v1/learners/a/decision")[1], 10, "decisions are marked")
        self.assertEqual(node.ask("GET", "/v1/learners/a/decision")[2], decision)
        self.assertEqual(node.ask("GET", "/readyz")[0], 503)
        proxy.set("pass")
        self.assertEqual(self.tell([node], "a", 1)[0]["last"], 2)
        self.wait_for(lambda: node.ask("GET", "/readyz")[0] == 200, 20, "it is ready again")
        self.check([node], "a", ["a-0", "a-1"])


class Silent(NetworkTest):
    def test_a_commit_whose_answer_is_held_back_is_there_once(self):
        node, proxy = self.cut_off("--shards", "2", "--stale", "4")
        self.make_at([node], "a")
        self.tell([node], "a", 0)
        other = self.node()
        self.wait_for(lambda: self.shards(node) == self.shards(other) == 1, 20, "the nodes share the shards")
        two = {"problem": {"kind": "experts", "params": {"experts": 2}}}
        mine = next(f"x{i}" for i in range(100) if node.ask("PUT", f"/v1/learners/x{i}", two)[0] == 201)
        proxy.set("trap")
        waiting = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60)
        self.addCleanup(waiting.close)
        body = {"id": "o1", "outcome": [0, 1]}
        waiting.request("POST", f"/v1/learners/{mine}/outcomes", json.dumps(body))
        # Decisions come from memory meanwhile: marked, and not for ever.
        self.wait_for(lambda: "Warning" in node.ask("GET", f"/v1/learners/{mine}/decision")[1], 10, "marked stale")
        self.wait_for(lambda: node.ask("GET", f"/v1/learners/{mine}/decision")[0] == 503, 20, "stale decisions end")
        # The server ends the silent session, so the other node has the learner, with the outcome that was committed.
        status, content, port = self.ask([other], "POST", f"/v1/learners/{mine}/outcomes", body, seconds=40, patience=2)
        self.assertEqual((status, port), (200, other.port), content)
        self.assertEqual(json.loads(content)["duplicates"], 1)
        proxy.set("drop")
        proxy.set("pass")
        # It does not know whether that was written, and says so.
        answer = waiting.getresponse()
        self.assertIn(answer.status, (421, 503), answer.read())
        status, content, _ = self.ask([node], "POST", f"/v1/learners/{mine}/outcomes", {"id": "o2", "outcome": [1, 0]})
        self.assertEqual((status, json.loads(content)["last"]), (200, 2))
        self.check([node, other], mine, ["o1", "o2"])

    def test_a_write_that_comes_through_late_is_not_made(self):
        node, proxy = self.cut_off("--shards", "1")
        self.make_at([node], "a")
        self.tell([node], "a", 0)
        other = self.node()
        proxy.set("hang")
        waiting = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60)
        self.addCleanup(waiting.close)
        waiting.request("POST", "/v1/learners/a/outcomes", json.dumps({"id": "a-late", "outcome": outcome(5)}))
        self.assertEqual(self.tell([other], "a", 1, seconds=40, patience=2)[0]["last"], 2)
        proxy.set("pass")
        answer = waiting.getresponse()
        self.assertIn(answer.status, (421, 503), answer.read())
        self.assertEqual(self.tell([node, other], "a", 2)[0]["last"], 3)
        self.assertEqual(self.ids("a"), ["a-0", "a-1", "a-2"])
        self.check([node, other], "a", ["a-0", "a-1", "a-2"])


if __name__ == "__main__":
    main()
