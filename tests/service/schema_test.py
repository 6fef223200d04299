"""Databases of other versions: an older schema is brought to the present one at the start, a later one is refused."""
import json
import sqlite3
import subprocess
import threading

from postgres import FOLDERS, PostgresTest
from server import BINARY, RESERVES, ServerTest, main

# What version 1 of the schema was: one process, no shards, no nodes.
TO_FIRST = """
alter table learner rename to later;
create table learner(id bigserial primary key, name text not null, generation bigint not null,
  config text not null, status text not null, created bigint not null);
insert into learner select id, name, generation, config, status, created from later;
drop table later, node;
alter table learner add unique(name);
delete from meta where key in ('shards', 'cluster');
update meta set value = '1' where key = 'schema';
"""
FIRST_LOCK = 0x68616e6e616e


def shard_of(name, shards):
    """fnv1a, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value % shards


class Postgres(PostgresTest):
    NAMES = [f"n{i}" for i in range(9)]

    def tell(self, node, name, i):
        status, _, body = node.ask("POST", f"/v1/learners/{name}/outcomes", {"id": f"o{i}", "outcome": [0.3, 0.1 * i, 0.5]})
        self.assertEqual(status, 200, body)
        return json.loads(body)

    def first_schema(self):
        """A database as version 1 left it, with the records of its learners."""
        node = self.node()
        for name in self.NAMES:
            self.assertEqual(node.ask("PUT", "/v1/learners/" + name, RESERVES)[0], 201)
            for i in range(4):
                self.tell(node, name, i)
        records = {name: node.ask("GET", f"/v1/learners/{name}/record")[2] for name in self.NAMES}
        node.stop()
        self.cluster.ask(TO_FIRST)
        return records

    def meta(self):
        return dict(self.cluster.ask("select key, value from meta"))

    def start(self):
        return subprocess.run([BINARY, "serve", "--db", self.cluster.url, "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=60)

    def test_the_first_schema_is_brought_to_the_second(self):
        records = self.first_schema()
        self.server = node = self.node("--shards", "7")
        self.assertEqual((self.meta()["schema"], self.meta()["shards"]), ("2", "7"))
        self.assertEqual(self.cluster.ask("select name, shard from learner order by name"),
                         [[name, str(shard_of(name, 7))] for name in self.NAMES])
        for name in self.NAMES:
            self.assertEqual(node.ask("GET", f"/v1/learners/{name}/record")[2], records[name])
            self.assertEqual(self.tell(node, name, 2)["duplicates"], 1)
            self.assertEqual(self.tell(node, name, 4)["last"], 5)
            self.verify(name)
        node.kill()
        node.flags = ()
        node.start()  # on the second one
        self.assertEqual(len(self.verify("n0")), 7)

    def test_two_nodes_that_start_at_once_bring_it_there_once(self):
        self.first_schema()
        nodes = []
        threads = [threading.Thread(target=lambda: nodes.append(self.node())) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(len(nodes), 3)
        self.assertEqual(self.meta()["schema"], "2")
        self.wait_for(lambda: len(nodes[0].json("GET", "/v1/nodes")["nodes"]) == 3, 20, "all three are nodes")

    def test_nothing_is_changed_under_a_process_of_the_first_version(self):
        self.first_schema()
        holder = subprocess.Popen([*self.psql(), "-c", f"select pg_advisory_lock({FIRST_LOCK}), 'held'", "-c",
                                   "select pg_sleep(60)"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (holder.kill(), holder.wait(), holder.stdout.close()))
        self.wait_for(lambda: self.cluster.ask("select 1 from pg_locks where locktype = 'advisory'"), 20, "it is held")
        done = self.start()
        self.assertEqual(done.returncode, 3)
        self.assertIn("H401", done.stderr)
        self.assertIn("stop it", done.stderr)
        self.assertEqual(self.meta()["schema"], "1")
        self.assertNotIn("shards", self.meta())
        columns = self.cluster.ask("select column_name from information_schema.columns where table_name = 'learner'")
        self.assertNotIn(["shard"], columns)

    def psql(self):
        return [f"{FOLDERS[-1]}/psql", "-h", str(self.cluster.folder), "-U", "hannan", "-d", self.cluster.database, "-X", "-q", "-A", "-t"]

    def test_a_later_schema_is_refused(self):
        self.node().stop()
        self.cluster.ask("update meta set value = '3' where key = 'schema'")
        done = self.start()
        self.assertEqual(done.returncode, 3)
        self.assertIn("H401", done.stderr)
        self.assertIn("found schema 3, expected 2 or 1", done.stderr)


class Sqlite(ServerTest):
    def test_a_later_schema_and_a_damaged_one_are_refused_and_left_alone(self):
        self.make()
        self.server.stop()
        for value, words in (("2", "a later version of hannan"), ("0", "restore it from a backup")):
            with sqlite3.connect(self.folder / "log.db") as log:
                log.execute("update meta set value = ? where key = 'schema'", (value,))
            log.close()
            with self.assertRaisesRegex(RuntimeError, f"H401.*found schema {value}, expected 1; .*{words}"):
                self.server.start()
            self.server.process.stdout.close()
        with sqlite3.connect(self.folder / "log.db") as log:
            log.execute("update meta set value = '1' where key = 'schema'")
        log.close()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision")["decision"], "g1.1")


if __name__ == "__main__":
    main()
