"""kill -9 under load, again and again: nothing that was acknowledged is lost or doubled, and the record still verifies.

HANNAN_KILLS sets the number of kills; few here, so that the suite stays short. What was sent is printed at the end."""
import http.client
import json
import os
import random
import threading
import time

from server import ServerTest, main

KILLS = int(os.environ.get("HANNAN_KILLS", "8"))
CLIENTS = 4


class Kill(ServerTest):
    def client(self, number, acknowledged, known, done):
        """Sends outcomes in turn, each until it is acknowledged; `known` counts those whose answer was lost by a kill."""
        coins = random.Random(number)
        connection, i = None, 0
        while not done.is_set():
            body = json.dumps({"outcomes": [{"id": f"{number}-{i}-{k}", "outcome": [coins.random() for _ in range(3)]}
                                            for k in range(1 + i % 3)]})
            while True:  # the same request, whole and unchanged, until it is answered
                try:
                    if connection is None:
                        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
                    connection.request("POST", "/v1/learners/a/outcomes", body)
                    answer = connection.getresponse()
                    text = answer.read()
                    if answer.status == 200:
                        known.append(json.loads(text)["duplicates"])
                        break
                    if answer.status != 503:
                        raise AssertionError(text)
                except (OSError, http.client.HTTPException):
                    if connection is not None:
                        connection.close()
                    connection = None
                time.sleep(0.01)
                if done.is_set():
                    return
            for k in range(1 + i % 3):
                acknowledged.append(f"{number}-{i}-{k}")
            i += 1

    def test_nothing_acknowledged_is_lost(self):
        self.make()
        done, acknowledged, known = threading.Event(), [], []
        clients = [threading.Thread(target=self.client, args=(n, acknowledged, known, done)) for n in range(CLIENTS)]
        for one in clients:
            one.start()
        coins = random.Random(5)
        try:
            for _ in range(KILLS):
                time.sleep(coins.uniform(0.05, 0.5))
                self.server.kill()
                self.server.start()
        finally:
            done.set()
            for one in clients:
                one.join()
        self.assertGreater(len(acknowledged), KILLS)
        self.server.kill()
        self.server.start()
        import sqlite3
        ids = [row[0] for row in sqlite3.connect(f"file:{self.folder}/log.db?mode=ro", uri=True).execute(
            "select id from round order by t")]
        self.assertEqual(len(ids), len(set(ids)), "an outcome was counted twice")
        self.assertEqual(set(acknowledged) - set(ids), set(), "an acknowledged outcome is gone")
        print(f"{KILLS} kills, {len(acknowledged)} acknowledged, {sum(known)} of them sent again and known, {len(ids)} rows", flush=True)
        lines = self.verify()
        self.assertEqual([line["t"] for line in lines[1:-1]], list(range(1, len(ids) + 1)))


if __name__ == "__main__":
    main()
