"""An automatic forger against the verifier: what is accepted is true, or named "on trust" with exit status 1.

    forger_test.py PROGRAM           short records, every learner
    forger_test.py PROGRAM --all     longer records and more of them

Records of all learners, with listed and unlisted actions, by context, with experts asleep and with outcomes that come late.

The forger takes an honest record, plays something else in it (the best reply to each outcome, a constant, the worst, what
the learner chose a round later), may claim another oracle than the run had, and then asks the verifier what it expected,
writes that and tries again, up to 200 times. It seals every try with a digest that fits. A record that is accepted with exit
status 0 though its actions, or its gaps where outcomes come late, are not those of the honest run is a hole."""
import json
import re
import sys

from program import FolderTest, hannan, main

WHOLE = "--all" in sys.argv
if WHOLE:
    sys.argv.remove("--all")
TRIES = 200
ROUNDS = 24 if WHOLE else 9
EXPERTS = 4
EXTERNAL = "external:python3 mine.py"
PLAIN = {
    "flipflop": [], "ada": [], "gftpl": [], "off": ["--set", "estimator=realised"], "leader": [], "hedge": [], "adahedge": [],
    "flipflop-hedge": [], "adanormalhedge": [], "fpl": [], "uniform-gftpl": ["--set", "beta=3"],
}
COMPLAINT = re.compile(r"hannan: H\d+: (.+?):(\d+): (?:field \"([^\"]+)\": )?(.*)")
NUMBER = r"(-?\d[\d.]*(?:e[+-]?\d+)?|inf|-inf|null|true|false)"


def digest(text):
    state = 14695981039346656037
    for byte in text.encode():
        state = (state ^ byte) * 1099511628211 % (1 << 64)
    return f"{state:016x}"


def written(value):
    """JSON as the program writes it: no spaces, whole numbers without a point."""

    def plain(x):
        if isinstance(x, float) and x.is_integer() and abs(x) < 1e15:
            return int(x)
        if isinstance(x, dict):
            return {k: plain(v) for k, v in x.items()}
        return [plain(v) for v in x] if isinstance(x, list) else x

    return json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False)


def sealed(lines):
    before = "".join(written(line) + "\n" for line in lines[:-1])
    end = written(lines[-1]["end"])
    return before + '{"end":' + end + ',"digest":"' + digest(before + end) + '"}\n'


def losses(rounds):
    """No two sums of them tie."""
    return [[(t * t * 31 + k * k * 17 + 41 * t * k + 7) % 97 / 97.0 for k in range(EXPERTS)] for t in range(1, rounds + 1)]


class Forger:
    def __init__(self, lines, file):
        self.lines, self.file, self.tries, self.last = lines, file, 0, ""

    def verdict(self):
        """The exit status of the verifier at the end: 0 or 1 where it accepts, None where the forger gives up."""
        for self.tries in range(1, TRIES + 1):
            self.file.write_text(sealed(self.lines))
            done = hannan("verify", self.file)
            if done.status in (0, 1) and not done.err:
                self.last = done.out.decode()
                return done.status
            self.last = done.err.decode()
            if not self.obey(self.last):
                return None
        return None

    def obey(self, text):
        """Writes what was expected; False where the complaint does not say, or says another action."""
        found = COMPLAINT.search(text)
        if not found or not found[3]:
            return False
        line, field, said = self.lines[int(found[2]) - 1], found[3], found[4]
        names = [part for part in re.split(r"[.\[\]]+", field) if part]
        if names[-1] in ("action", "after", "best_action"):
            return False
        if field == "end.certificate.bounds":
            return False
        holder = line
        for name in names[:-1]:
            holder = holder[int(name)] if isinstance(holder, list) else holder.get(name)
            if holder is None:
                return False
        key = int(names[-1]) if isinstance(holder, list) else names[-1]
        if "does not apply here" in said or "was there already" in said:
            del self.lines[-1]["end"]["certificate"]["bounds"][int(names[-2])]
            return True
        value = None
        for pattern in (rf"expected {NUMBER}(?![\w])", rf"choices are {NUMBER} above", rf"at most {NUMBER},", rf"bounds it is {NUMBER}"):
            if match := re.search(pattern, said):
                value = json.loads(match[1]) if match[1] not in ("inf", "-inf") else match[1]
                break
        else:
            if "not listed" in said or "expected null" in said:
                value = None
            elif "found true" in said or "found false" in said:
                value = "found false" in said
            elif match := re.search(r"expected \"([^\"]+)\"", said):
                value = match[1]
            else:
                return False
        old = holder[key] if isinstance(holder, list) or key in holder else None
        if isinstance(old, list) and not isinstance(value, list):
            was = re.search(rf"found {NUMBER}", said)
            place = min(range(len(old)), key=lambda i: abs(old[i] - float(was[1]))) if was else 0
            old[place] = value
        else:
            holder[key] = value
        return True


class AutomaticForger(FolderTest):
    def honest(self, *words, problem="experts", params=(), table=None, name="run.jsonl"):
        record = self.folder / name
        data = self.file("data.csv", "".join(",".join(map(repr, row)) + "\n" for row in table or losses(ROUNDS)).encode())
        done = hannan("run", problem, *params, "-d", data, "-q", "--record", record, *words)
        self.assertIn(done.status, (0, 1), done.err)
        return [json.loads(line) for line in record.read_text().splitlines()]

    def claim_external(self, lines):
        """The oracle was a program of ours, and its answers were not proven."""
        for params in (lines[0]["learner"]["params"], lines[-1]["end"]["params"]):
            params["oracle"] = EXTERNAL
            params.pop("pool", None)
        end = lines[-1]["end"]
        end["oracle_gap"] = 100000
        end["certificate"]["assumptions"] = {"oracle": "claimed floors", **end["certificate"]["assumptions"]}

    def claim_limit(self, lines, oracle):
        for params in (lines[0]["learner"]["params"], lines[-1]["end"]["params"]):
            params["oracle"] = oracle
        lines[-1]["end"]["oracle_gap"] = 100000

    def replay(self, lines, chosen):
        """Other actions, with the losses that they have."""
        total = 0
        for line in lines[1:-1]:
            if "nodes" in line:
                for node in line["nodes"]:
                    node["action"] = chosen(line)
                    if "after" in node:
                        node["after"] = chosen(line)
                continue
            line["action"] = chosen(line)
            if "after" in line:
                line["after"] = chosen(line)
            if isinstance(line["action"], int):
                line["loss"] = line["outcome"][line["action"]]
            total += line["loss"]
        lines[-1]["end"]["total"] = total

    def false_but_accepted(self, honest, forged, what):
        """Fails where the forger got a false record accepted with exit status 0."""
        same = [line.get("action", line.get("nodes")) for line in honest[1:-1]] == [line.get("action", line.get("nodes")) for line in forged[1:-1]]
        forger = Forger(forged, self.folder / "forged.jsonl")
        status = forger.verdict()
        if status == 0 and not same:
            self.fail(f"{what}: a forged record verifies after {forger.tries} tries\n{forger.last}")
        if status == 1:
            self.assertIn("on trust", forger.last, what)
            self.assertIn("is consistent,", forger.last.splitlines()[0], what)
        return status

    replies = {
        "best reply": lambda line: min(range(EXPERTS), key=lambda k: line["outcome"][k]),
        "constant": lambda line: 1,
        "worst": lambda line: max(range(EXPERTS), key=lambda k: line["outcome"][k]),
    }

    def test_no_learner_on_listed_actions(self):
        for learner, words in PLAIN.items():
            honest = self.honest("-l", learner, *words)
            for way, reply in self.replies.items():
                for claim in ("as it was", "external"):
                    with self.subTest(learner=learner, way=way, claim=claim):
                        forged = json.loads(json.dumps(honest))
                        self.replay(forged, reply)
                        if claim == "external":
                            self.claim_external(forged)
                        self.false_but_accepted(honest, forged, f"{learner}, {way}, {claim}")

    def test_perfect_foresight_is_on_trust_at_most_and_its_gap_is_bounded(self):
        honest = self.honest("-l", "ada")
        forged = json.loads(json.dumps(honest))
        self.replay(forged, self.replies["best reply"])
        self.claim_external(forged)
        file = self.folder / "forged.jsonl"
        file.write_text(sealed(forged))
        forger = Forger(forged, file)
        status = forger.verdict()
        self.assertIn(status, (1, None), forger.last)
        if status == 1:
            self.assertIn("consistent, choices on trust", forger.last)
            self.assertLess(forged[-1]["end"]["oracle_gap"], 100000)
            page = json.loads(hannan("report", file, "-o", self.folder / "page.html", "--json").out)
            self.assertRegex(page["sections"][0]["blocks"][0]["advice"], "^Not checked: ")

    def test_no_learner_on_unlisted_actions(self):
        # 40^5 reserve prices: no list of them is made.
        params = ["--param", "bidders=5", "--param", "levels=40"]
        table = [[(t * 7 + k * 13 + t * k * 5) % 40 / 40 for k in range(5)] for t in range(1, 8)]
        for learner in ("leader", "ada", "flipflop", "gftpl") if WHOLE else ("leader", "ada"):
            honest = self.honest("-l", learner, problem="vcg-reserves", params=params, table=table)
            actions = [line["action"] for line in honest[1:-1]]
            ways = {
                "constant": lambda line: actions[-1],
                "a round ahead": lambda line: actions[min(line["t"], len(actions) - 1)],
                "nothing": lambda line: [0] * 5,
            }
            for way, reply in ways.items():
                for claim in ("as it was", "external", "limited"):
                    with self.subTest(learner=learner, way=way, claim=claim):
                        forged = json.loads(json.dumps(honest))
                        self.replay(forged, reply)
                        if claim == "external":
                            self.claim_external(forged)
                        if claim == "limited":
                            self.claim_limit(forged, honest[0]["learner"]["params"]["oracle"].split(":")[0] + ":1")
                        self.false_but_accepted(honest, forged, f"unlisted {learner}, {way}, {claim}")

    def test_no_segment_of_a_context(self):
        table = [[*row, "ab"[t % 2]] for t, row in enumerate(losses(ROUNDS))]
        data = self.file("data.csv", ("a,b,c,d,who\n" + "".join(",".join(map(str, row)) + "\n" for row in table)).encode())
        for learner in ("flipflop", "ada", "leader", "gftpl"):
            record = self.folder / "run.jsonl"
            done = hannan("run", "experts", "-d", data, "--by", "who", "-l", learner, "-q", "--record", record)
            self.assertIn(done.status, (0, 1), done.err)
            honest = [json.loads(line) for line in record.read_text().splitlines()]
            for way, reply in self.replies.items():
                for claim in ("as it was", "external"):
                    with self.subTest(learner=learner, way=way, claim=claim):
                        forged = json.loads(json.dumps(honest))
                        self.replay(forged, reply)
                        if claim == "external":
                            self.claim_external(forged)
                        self.false_but_accepted(honest, forged, f"contexts {learner}, {way}, {claim}")

    def test_no_expert_asleep(self):
        table = [[x if (t + k) % 3 else "" for k, x in enumerate(row)] for t, row in enumerate(losses(ROUNDS))]
        data = self.file("data.csv", "".join(",".join(map(str, row)) + "\n" for row in table).encode())
        for learner in ("adahedge", "flipflop-hedge", "adanormalhedge"):
            record = self.folder / "run.jsonl"
            done = hannan("run", "experts", "-d", data, "--param", "missing=sleep", "-l", learner, "-q", "--record", record)
            self.assertEqual(done.status, 0, done.err)
            honest = [json.loads(line) for line in record.read_text().splitlines()]
            with self.subTest(learner=learner):
                forged = json.loads(json.dumps(honest))
                for line in forged[1:-1]:
                    awake = [k for k, x in enumerate(line["outcome"]) if x is not None]
                    line["action"] = min(awake, key=lambda k: line["outcome"][k])
                    line["loss"] = line["outcome"][line["action"]]
                self.false_but_accepted(honest, forged, f"asleep {learner}")

    # Round s gets its outcome after the decision of round LATE[s - 1]; the last two rounds stay open.
    LATE = [2, 4, 3, 5, 9, 8, 7, 9, 9] + [t + 1 + t % 4 for t in range(10, ROUNDS)]

    def late(self, problem, params, outcomes):
        """The record that the service keeps (docs/record.md), put together from the answers of the pipe."""
        rounds = len(outcomes)
        asked = [{"op": "problem", "as": "p", **problem},
                 {"op": "learner", "as": "l", "in": "p", "kind": "ada", "params": {"seed": 5, "delayed": True, **params}}]
        for t in range(1, rounds + 1):
            asked.append({"op": "act", "in": "l", "round": t})
            asked += [{"op": "observe", "in": "l", "round": s, "outcome": outcomes[s - 1]}
                      for s in range(1, min(t, rounds - 2) + 1) if min(self.LATE[s - 1], rounds) == t]
        asked.append({"op": "report", "in": "l"})
        done = hannan("pipe", stdin="".join(json.dumps(a) + "\n" for a in asked).encode())
        answers = [json.loads(line) for line in done.out.splitlines()]
        self.assertTrue(all(answer["ok"] for answer in answers), answers)
        version = hannan("--version").out.decode().split()[1]
        lines = [{"record": 1, "program": f"hannan {version}", "problem": problem,
                  "learner": {"kind": "ada", "params": answers[1]["params"]}}]
        for question, answer in zip(asked[2:-1], answers[2:-1]):
            if question["op"] == "act":
                line = {"decide": question["round"], "action": answer["action"], "multiplier": answer["multiplier"]}
            else:
                line = {"observe": question["round"], "outcome": question["outcome"]}
                line |= {k: answer[k] for k in ("loss", "settled", "gaps", "stability", "total", "best", "oracle_calls")}
            lines.append({"t": len(lines), **line})
        end = answers[-1]
        for only_of_the_pipe in ("ok", "best_proven", "best_range", "regret_range"):
            end.pop(only_of_the_pipe, None)  # not all of them in every version
        end["raw"].pop("best_range", None)
        return [*lines, {"end": end, "digest": ""}]

    def replay_late(self, lines, chosen):
        """Other actions, given the outcome of their round, with the losses that they have where those are in the outcome."""
        outcomes = {line["observe"]: line for line in lines[1:-1] if "observe" in line}
        for line in lines[1:-1]:
            if "decide" not in line or line["decide"] not in outcomes:
                continue
            came = outcomes[line["decide"]]
            line["action"] = chosen({"t": line["decide"], "outcome": came["outcome"]})
            if isinstance(line["action"], int):
                came["loss"] = came["outcome"][line["action"]]

    def test_no_learner_whose_outcomes_come_late(self):
        experts = {"kind": "experts", "params": {"experts": EXPERTS}}
        settings = [{}, {"track": "end"}, {"perturbation": "one-hot"}, {"M": 2}, {"noise": "lp:2"}]
        for params in settings if WHOLE else settings[:1]:
            honest = self.late(experts, params, losses(ROUNDS))
            file = self.file("honest.jsonl", sealed(honest).encode())
            self.assertEqual(hannan("verify", file).status, 0, (params, hannan("verify", file).err))
            actions = [line["action"] for line in honest[1:-1] if "decide" in line]
            ahead = {"a round ahead": lambda line: actions[min(line["t"], len(actions) - 1)]}
            for way, reply in {**self.replies, **ahead}.items():
                for claim in ("as it was", "external"):
                    with self.subTest(params=params, way=way, claim=claim):
                        forged = json.loads(json.dumps(honest))
                        self.replay_late(forged, reply)
                        if claim == "external":
                            self.claim_external(forged)
                        self.false_but_accepted(honest, forged, f"late {params}, {way}, {claim}")

    def test_no_gap_of_a_late_round_and_no_other_order_of_outcomes(self):
        honest = self.late({"kind": "experts", "params": {"experts": EXPERTS}}, {}, losses(ROUNDS))

        def no_gaps(lines):  # then nothing is ever drawn, and the leader is played
            for line in lines[1:-1]:
                line |= {"gaps": [0] * len(line["gaps"]), "stability": 0} if "gaps" in line else {"multiplier": 0}

        def sooner(lines):  # every outcome before the next decision, so that nothing was missing
            rows = sorted(lines[1:-1], key=lambda line: (line.get("decide", line.get("observe")), "observe" in line))
            lines[1:-1] = [{**line, "t": t} for t, line in enumerate(rows, 1)]

        for claim in ("as it was", "external"):
            for way in (no_gaps, sooner):
                with self.subTest(way=way.__name__, claim=claim):
                    forged = json.loads(json.dumps(honest))
                    way(forged)
                    if claim == "external":
                        self.claim_external(forged)
                    told = [line.get("gaps", line.get("decide")) for line in forged[1:-1]]
                    forger = Forger(forged, self.folder / "forged.jsonl")
                    status = forger.verdict()
                    true = [line.get("gaps", line.get("decide")) for line in honest[1:-1]]
                    now = [line.get("gaps", line.get("decide")) for line in forged[1:-1]]
                    # Obeying, the forger may come back to the honest record, which is no forgery.
                    if status == 0 and now != true:
                        self.fail(f"{way.__name__}, {claim}: {told} became {now} after {forger.tries} tries\n{forger.last}")

    def test_no_late_outcome_on_unlisted_actions(self):
        problem = {"kind": "vcg-reserves", "params": {"bidders": 5, "levels": 40, "units": 1, "rule": "eager"}}
        table = [[(t * 7 + k * 13 + t * k * 5) % 40 / 40 for k in range(5)] for t in range(1, 8)]
        honest = self.late(problem, {}, table)
        actions = [line["action"] for line in honest[1:-1] if "decide" in line]
        ways = {
            "constant": lambda line: actions[-1],
            "a round ahead": lambda line: actions[min(line["t"], len(actions) - 1)],
            "nothing": lambda line: [0] * 5,
        }
        for way, reply in ways.items():
            for claim in ("as it was", "external", "limited") if WHOLE else ("external", "limited"):
                with self.subTest(way=way, claim=claim):
                    forged = json.loads(json.dumps(honest))
                    self.replay_late(forged, reply)
                    if claim == "external":
                        self.claim_external(forged)
                    if claim == "limited":
                        self.claim_limit(forged, honest[0]["learner"]["params"]["oracle"].split(":")[0] + ":1")
                    self.false_but_accepted(honest, forged, f"unlisted and late, {way}, {claim}")


if __name__ == "__main__":
    main()
