"""Several nodes on one PostgreSQL, and clients that find the node of a learner as they should."""
import http.client
import json
import random
import re
import threading
import time
import urllib.parse

from postgres import PostgresTest
from server import RESERVES


def outcome(i):
    return [0.3, 0.1 * (i % 7), 0.5]


class NodesTest(PostgresTest):
    def shards(self, server):
        text = server.ask("GET", "/metrics")[2].decode()
        return int(re.search(r"^hannan_shards_owned (\d+)$", text, re.M)[1])

    def balanced(self, servers, shards):
        held = [self.shards(server) for server in servers]
        return sum(held) == shards and max(held) <= -(-shards // len(servers)) + 1 and min(held) >= shards // len(servers)

    def ask(self, servers, method, path, body=None, seconds=30, patience=30):
        """As a client does: asks any node, goes where Location says, and tries again until it is answered."""
        until = time.monotonic() + seconds
        text = json.dumps(body) if body is not None else None
        port = random.choice(servers).port
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
            try:
                connection.request(method, path, text)
                answer = connection.getresponse()
                status, headers, content = answer.status, dict(answer.getheaders()), answer.read()
                if status in (307, 421):
                    port = urllib.parse.urlsplit(headers["Location"]).port
                    if time.monotonic() < until:
                        time.sleep(0.005)
                        continue
                # A node that was cut off and has not looked again answers from memory, and says so.
                if status not in (307, 421, 503) and not headers.get("Warning", "").startswith("110"):
                    return status, content, port
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            self.assertLess(time.monotonic(), until, "no node answered")
            time.sleep(0.02)
            port = random.choice(servers).port

    def make_at(self, servers, name):
        status, content, _ = self.ask(servers, "PUT", "/v1/learners/" + name, RESERVES)
        self.assertEqual(status, 201, content)

    def tell(self, servers, name, i, **more):
        status, content, port = self.ask(servers, "POST", f"/v1/learners/{name}/outcomes",
                                         {"id": f"{name}-{i}", "outcome": outcome(i)}, **more)
        self.assertEqual(status, 200, content)
        return json.loads(content), port

    def owner(self, servers, name):
        """Asked at the first of them, which must not pass requests on."""
        _, _, port = self.ask(servers[:1], "GET", f"/v1/learners/{name}/decision")
        return next(server for server in servers if server.port == port)

    def verify_at(self, servers, name):
        self.server = self.owner(servers, name)
        return self.verify(name)

    def ids(self, name):
        return [row[0] for row in self.cluster.ask(
            f"select r.id from round r join learner l on l.id=r.learner where l.name='{name}' order by r.t")]


class Load:
    """Clients that send the outcomes of their learner in turn, each until it is acknowledged."""

    def __init__(self, test, nodes, names):
        self.test, self.nodes, self.done, self.errors = test, nodes, threading.Event(), []
        self.acknowledged = {name: [] for name in names}
        self.longest = {name: 0.0 for name in names}
        self.threads = [threading.Thread(target=self.client, args=(name,)) for name in names]
        for one in self.threads:
            one.start()

    def client(self, name):
        i = 1000000
        try:
            while not self.done.is_set():
                begin = time.monotonic()
                self.test.tell(self.nodes, name, i, seconds=40)
                self.longest[name] = max(self.longest[name], time.monotonic() - begin)
                self.acknowledged[name].append(f"{name}-{i}")
                i += 1
        except Exception as error:  # pylint: disable=broad-except
            self.errors.append(error)

    def stop(self):
        self.done.set()
        for one in self.threads:
            one.join()
