"""Routing on graphs from files, and the scripts of examples/ that turn public data sets into them.

Where the environment's HANNAN_DATA names a folder of those data sets, they are played at full length too."""
import gzip
import json
import pathlib
import random
import subprocess
import sys

from bad_input_test import OneLine
from program import DATA, FolderTest, hannan, main

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

EDGES = [("home", "mill"), ("mill", "port"), ("home", "park"), ("park", "port")]
LIST = "".join(f"{a},{b}\n" for a, b in EDGES)
NAMES = sorted({name for edge in EDGES for name in edge})
GRAPHML = ("<graphml><key id='k' for='node' attr.name='label'/><graph edgedefault='directed'>" +
           "".join(f"<node id='n{i}'><data key='k'>{name}</data></node>" for i, name in enumerate(NAMES)) +
           "".join(f"<edge source='n{NAMES.index(a)}' target='n{NAMES.index(b)}'/>" for a, b in EDGES) + "</graph></graphml>")
GML = ("graph [ directed 1\n" + "".join(f'node [ id {i} label "{name}" ]\n' for i, name in enumerate(NAMES)) +
       "".join(f"edge [ source {NAMES.index(a)} target {NAMES.index(b)} ]\n" for a, b in EDGES) + "]\n")
ENDS = ["--param", "source=home", "--param", "target=port"]


def costs(rounds, edges, seed=3):
    coins = random.Random(seed)
    return "".join(",".join(str(coins.randrange(0, 65) / 64) for _ in range(edges)) + "\n" for _ in range(rounds)).encode()


class Files(FolderTest):
    def test_every_format_gives_the_same_run(self):
        data = self.file("costs.csv", costs(50, 4))
        params = self.file("town.json", json.dumps({"edges": EDGES, "source": "home", "target": "port"}).encode())
        wanted = self.ok("run", "routing", "--params", params, "-d", data, "--json").out
        for name, text in (("list.csv", LIST), ("list.tsv", LIST.replace(",", "\t")), ("town.graphml", GRAPHML), ("town.gml", GML)):
            for file in (self.file(name, text.encode()), self.file(name + ".gz", gzip.compress(text.encode()))):
                with self.subTest(file=file.name):
                    self.assertEqual(self.ok("run", "routing", "--from", file, *ENDS, "-d", data, "--json").out, wanted)
        # Ids do as well as labels.
        ids = ["--param", f"source={NAMES.index('home')}", "--param", f"target={NAMES.index('port')}"]
        self.assertEqual(self.ok("run", "routing", "--from", self.file("ids.gml", GML.encode()), *ids, "-d", data, "--json").out, wanted)

    def test_the_record_of_a_graph_from_a_file_verifies_without_it(self):
        graph, data = self.file("town.gml", GML.encode()), self.file("costs.csv", costs(30, 4))
        learners = ("flipflop", "ada", "gftpl")
        for learner in learners:
            self.ok("run", "routing", "-q", "--from", graph, *ENDS, "-d", data, "-l", learner, "--record", self.folder / f"{learner}.jsonl")
        graph.unlink()
        for learner in learners:
            self.ok("verify", self.folder / f"{learner}.jsonl")

    def test_show_numbers_the_edges_and_writes_the_parameters(self):
        out = self.folder / "town.json"
        text = self.ok("show", "routing", "--from", self.file("town.graphml", GRAPHML.encode()), *ENDS, "-o", out).out.decode()
        self.assertIn("routing: 2 actions", text)
        self.assertIn('edges[3] ["park","port"]', text)
        self.assertEqual(json.loads(out.read_text())["edges"], [list(edge) for edge in EDGES])
        again = json.loads(self.ok("show", "routing", "--params", out, "--json").out)
        self.assertEqual(again["params"]["target"], "port")
        self.assertEqual(again["facts"]["actions"], 2)

    def test_undirected_edges_go_both_ways_next_to_each_other(self):
        graph = self.file("ring.csv", b"1 2\n2 3\n3 1\n")
        shown = json.loads(self.ok("show", "routing", "--from", graph, "--param", "directed=false", "--param", "source=1", "--param",
                                   "target=3", "--param", "hops=2", "--json").out)
        self.assertEqual(shown["params"]["edges"], [[1, 2], [2, 1], [2, 3], [3, 2], [3, 1], [1, 3]])
        self.assertEqual(shown["facts"]["actions"], 2)  # straight, and by 2

    def test_simulated_costs_fit_the_graph(self):
        graph, data = self.file("list.csv", LIST.encode()), self.folder / "costs.jsonl"
        for stream in ("uniform", "switching"):
            self.ok("simulate", "routing", "--from", graph, *ENDS, "--stream", stream, "--rounds", "40", "-q", "-o", data)
            rows = [json.loads(line) for line in data.read_text().splitlines()]
            self.assertEqual([len(row) for row in rows], [4] * 40)
            self.assertEqual(json.loads(self.ok("run", "routing", "--from", graph, *ENDS, "-d", data, "--json").out)["rounds"], 40)


class BadGraphs(OneLine):
    def refused_graph(self, text, code, status, at, params=ENDS):
        graph = self.file("bad.graph", text if isinstance(text, bytes) else text.encode())
        return self.refused(["show", "routing", "--from", graph, *params], code, status, at)

    def test_files_that_are_no_graph(self):
        self.refused_graph("", "H206", 3, "bad.graph")
        self.refused_graph("home\n", "H202", 3, "bad.graph:1")
        self.refused_graph("<graphml>", "H207", 3, "bad.graph:1:")
        self.refused_graph("<a></b>", "H202", 3, "bad.graph:1")
        self.refused_graph("graph [ node [ id 1 ]", "H207", 3, "bad.graph:1")
        self.refused_graph(GML.replace("source 0", "source 99"), "H202", 3, "99")
        self.refused_graph(GRAPHML.replace("id='n1'", "id='n0'"), "H202", 3, "second node")
        self.refused_graph(b"\x00\x01\x02", "H202", 3, "bad.graph")
        self.refused_graph(gzip.compress(GML.encode())[:-9], "H207", 3, "bad.graph")
        self.refused(["show", "routing", "--from", self.folder / "none.gml", *ENDS], "H201", 3, "none.gml")

    def test_a_huge_file_is_refused(self):
        self.refused_graph(gzip.compress(b"aaaaaaa,bbbbbbb\n" * (5 << 20), 1), "H208", 3, "64 MiB")
        self.refused_graph("a,b\n" * 100001, "H105", 2, "100001 edges", ["--param", "source=a", "--param", "target=b"])

    def test_ends_that_are_not_there(self):
        self.refused_graph(GML, "H106", 2, "lake", ["--param", "source=lake", "--param", "target=port"])
        self.refused_graph(GML, "H102", 2, "target", ["--param", "source=home"])
        self.refused_graph(GML, "H105", 2, "no way", ["--param", "source=port", "--param", "target=home"])
        self.refused_graph(GML, "H104", 2, "source", ["--param", "source=[1]", "--param", "target=port"])
        twice = GML.replace('"mill"', '"home"')
        self.refused_graph(twice, "H106", 2, 'expected one of their ids: "0", "1"')
        self.refused_graph(LIST + "port,home\nport,mill\nmill,home\n", "H102", 2, "hops")

    def test_edges_and_a_file_contradict_each_other(self):
        self.refused_graph(LIST, "H100", 2, "edges", [*ENDS, "--param", "edges=[]"])
        self.refused_graph(LIST, "H104", 2, "directed", [*ENDS, "--param", "directed=7"])
        self.refused(["show", "experts", "--from", self.file("x.csv", LIST.encode()), "--param", "experts=2"], "H108", 2)

    def test_costs_that_do_not_fit(self):
        graph, data = self.file("list.csv", LIST.encode()), self.file("costs.csv", costs(5, 3))
        self.refused(["run", "routing", "-q", "--from", graph, *ENDS, "-d", data], "H203", 3, "found 3 columns, expected 4")


class Converted(FolderTest):
    """A data set that a script has turned into the files of a run."""

    def convert(self, script, *args, data=None):
        done = subprocess.run([sys.executable, "-B", EXAMPLES / script, data or self.folder, self.folder / "out", *args],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def out(self, name):
        return (self.folder / "out" / name).read_text().splitlines()

    def played(self, *params, learner="flipflop", verdict=(0, b" verifies: ")):
        record = self.folder / "run.jsonl"
        report = self.ok("run", "routing", "--from", self.folder / "out" / "edges.csv", "-d", self.folder / "out" / "costs.csv",
                         *params, "-l", learner, "--record", record, "--json").out
        done = hannan("verify", record)
        self.assertEqual((done.status, verdict[1] in done.out), (verdict[0], True), done.out + done.err)
        return json.loads(report)


class Scripts(Converted):
    """Each script on a tiny set of its own kind, with the numbers worked out by hand."""

    def test_seattle(self):
        self.file("seattle_rtt_24nodes.tsv", b"slice\tsource\tto_0\tto_7\tto_9\n1\t0\t0\t0.5\t9\n1\t7\t0.1\t0\t0.2\n1\t9\t1\t2\t0.3\n"
                                             b"2\t0\t0\t1\t0.4\n2\t7\t0.1\t0\t0.2\n2\t9\t1\t2\t0.3\n")
        self.convert("routing/seattle_rtt.py")
        self.assertEqual(self.out("edges.csv")[1:], ["0,7", "0,9", "7,0", "7,9", "9,0", "9,7"])
        # Over 2 seconds, the 9 cut to 2; what stands from a node to itself is left out.
        self.assertEqual(self.out("costs.csv")[1:], ["0.25,1,0.05,0.1,0.5,1", "0.5,0.2,0.05,0.1,0.5,1"])
        report = self.played("--param", "source=0", "--param", "target=9", "--param", "hops=2")
        self.assertEqual(report["rounds"], 2)
        # By 7: 0.35 and 0.6 over two hops; straight: 1 and 0.2.
        self.assertAlmostEqual(report["best"], (0.35 + 0.6) / 2)

    def test_los_angeles(self):
        self.file("los_adj.csv", b"1,0.5,0\n0.5,1,0.2\n0,0.2,1\n")
        self.file("los_speed.csv", b"11,12,13\n70,35,0\n80,70,70\n")
        self.convert("routing/metr_la_week.py")
        self.assertEqual(self.out("edges.csv")[1:], ["11,12", "12,11", "12,13", "13,12"])
        # 1 - (70+35)/140, 1 - 35/140; then faster than 70 counts as 70.
        self.assertEqual(self.out("costs.csv")[1:], ["0.25,0.25,0.75,0.75", "0,0,0,0"])
        self.assertAlmostEqual(self.played("--param", "source=11", "--param", "target=13", "--param", "hops=2")["best"], 0.5)

    def test_internet2(self):
        (self.folder / "measurements").mkdir()
        self.file("links.txt", b"I2-A-B-400GE-1\nI2-B-A-100GE-2\nI2-B-B-VLAN-3\n")
        for hour, load in (("01", "5e10"), ("02", "9e11")):
            self.file(f"measurements/{hour}.csv", f"source_id,target_id,throughput\nA,B,{load}\nB,C,4e10\n".encode())
        self.convert("routing/internet2_link_load.py")
        # A-B has 500 Gbit/s in two circuits, B-C is not in the list and has 400; loads beyond are cut to 1.
        self.assertEqual(self.out("costs.csv"), ["A>B,B>C", "0.1,0.1", "1,0.1"])
        self.assertAlmostEqual(self.played("--param", "source=A", "--param", "target=C")["best"], (0.2 + 1.1) / 2)

    def test_insider_attack_game(self):
        self.file("payoffs.csv", b"block,target,reward_if_uncovered,penalty_if_covered\n1,1,2,-1\n1,2,8,-5\n1,3,5,-5\n2,1,9,-9\n2,2,3,-2\n2,3,1,-1\n")
        self.file("coverage.csv", b"block,trial\n1,1\n1,2\n2,1\n")
        self.convert("security/insider_attack_game.py", "20")
        game = json.loads(self.out("game.json")[0])
        self.assertEqual((game["targets"], game["levels"], game["resources"]), (3, 20, 2))
        self.assertEqual(game["types"][1]["attacker"], {"covered": [-0.9, -0.2, -0.1], "uncovered": [0.9, 0.3, 0.1]})
        self.assertEqual(game["types"][1]["defender"]["covered"], [0.9, 0.2, 0.1])
        self.assertEqual(self.out("types.csv"), ["0", "0", "1"])
        record = self.folder / "run.jsonl"
        self.ok("run", "security-game", "-q", "--params", self.folder / "out" / "game.json", "-d", self.folder / "out" / "types.csv", "--record", record)
        self.ok("verify", record)


class RealData(Converted):
    """The public data sets at full length; skipped where they are not at hand."""

    def setUp(self):
        super().setUp()
        if not (DATA / "seattle_rtt").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")

    def holds(self, report, rounds):
        self.assertEqual(report["rounds"], rounds)
        self.assertTrue(all(bound["holds"] is not False and ("says" in bound or bound["side"] != "upper" or report["regret"] <= bound["value"])
                            for bound in report["certificate"]["bounds"]), report["certificate"]["bounds"])

    def test_relays_between_personal_computers(self):
        self.convert("routing/seattle_rtt.py", data=DATA / "seattle_rtt")
        for learner in ("flipflop", "ada", "gftpl"):
            self.holds(self.played("--param", "source=0", "--param", "target=26", "--param", "hops=3", learner=learner), 688)

    def test_highways(self):
        self.convert("routing/metr_la_week.py", data=DATA / "metr_la_week")
        self.holds(self.played("--param", "source=769953", "--param", "target=717823", "--param", "hops=20",
                               verdict=(1, b" is consistent, in part on trust: ")), 2016)

    def test_backbone(self):
        self.convert("routing/internet2_link_load.py", data=DATA / "internet2_link_load")
        self.holds(self.played("--param", "source=SEAT", "--param", "target=NEWY32AOA", "--param", "hops=12"), 360)

    def test_topologies(self):
        for name in ("Abilene", "Cogentco", "Kdl"):
            shown = self.ok("show", "routing", "--from", DATA / "topology_zoo" / f"{name}.gml", "--param", "source=0", "--param", "target=5",
                            "--param", "hops=30", "--json")
            self.assertGreater(json.loads(shown.out)["facts"]["ln_actions"], 0)


if __name__ == "__main__":
    main()
