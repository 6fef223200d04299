"""A problem with money, as scripts/new writes it, is known to logs, `hannan compare`, pages, the service and Python.

Demand is 6 or 14 pieces, in turn. A piece too much costs 1 EUR, a piece too little 4. Of the stocks 0, 5, 10 and 15 the best is 15:
(9 + 1) / 2 = 5 EUR a round; 10, which is used today, costs (4 + 4 * 4) / 2 = 10. A loss of 1 is 4 * 16 = 64 EUR, so that sums are exact.
"""
import csv
import http.client
import json
import os
import re
import shutil
import subprocess
import sys

ROUNDS = 400
PARAMS = {"stocks": [0, 5, 10, 15], "over": 1, "under": 4, "most": 16}
GAME = ["newsvendor", *(f"--param={name}={json.dumps(value)}" for name, value in PARAMS.items())]
LOG = ["-d", "log.csv", "--format", "long", "--currency", "EUR"]


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"newsvendor, {what}: found {found!r}, expected {wanted!r}")


def check_log(copy):
    """A log with a column of demand is read for it, by `convert` and directly."""
    with (copy.tree / "log.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["day", "demand", "note"])
        rows.writerows([day + 1, 14 if day % 2 else 6, "as counted"] for day in range(ROUNDS))
    copy.run(copy.program, "convert", "log.csv", "--for", "newsvendor", "-o", "demand.csv", "--summary", "demand.json", "-q")
    summary = json.loads((copy.tree / "demand.json").read_text())
    expect("convert", (summary["for"], summary["auctions"]["used"], summary["largest_bid"]), ("newsvendor", ROUNDS, 14))
    expect("the table", (copy.tree / "demand.csv").read_text().split()[:3], ["demand", "6", "14"])
    said = subprocess.run([copy.program, "compare", "routing", *LOG], cwd=copy.tree, capture_output=True, text=True)
    expect("the list of problems that a log is for", "newsvendor" in said.stderr, True)


def check_compare(copy):
    """With money, a verdict and a file to deploy."""
    result = json.loads(copy.run(copy.program, "compare", *GAME, *LOG, "--fixed", "today=2", "--decisions", "next.csv", "-o",
                                 "result.json", "--json"))
    players = {player["name"]: player for player in result["players"]}
    expect("the money of today", players["today"]["money"], 10 * ROUNDS)
    expect("the money of the best", players["best fixed"]["money"], 5 * ROUNDS)
    expect("the best", (players["best fixed"]["final_action"], result["currency"], result["baseline"]), (3, "EUR", "today"))
    expect("the verdict", result["players"][0]["judgement"]["recommendation"], "deploy")
    lines = (copy.tree / "next.csv").read_text().splitlines()
    expect("the decision", lines, ["item,stock,currency,decision,verdict", "demand,15,,next,deploy"])
    check_page(copy, ("Stock", "learned stock levels", "EUR"))
    copy.run(copy.program, "compare", *GAME, *LOG, "--fixed", "today=2", "-l", "flipflop", "-o", "result.json", "-q")
    check_page(copy, ("Stock", "learned stock levels", "EUR", "stock levels.csv"))  # a portfolio hands on itself, no file


def check_page(copy, words_on_it):
    copy.run(copy.program, "report", "result.json", "-o", "page.html")
    page = (copy.tree / "page.html").read_text()
    for words in words_on_it:
        expect(f'"{words}" on the page', words in page, True)


def check_service(copy):
    """Learns over HTTP, and shows its stock in pieces."""
    process = subprocess.Popen([copy.scratch / "hannan_new_serve", "--db", copy.tree / "log.db", "--listen", "127.0.0.1:0"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])

        def ask(method, path, body=None):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request(method, path, json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                sys.exit(f"newsvendor, {method} {path}: {answer.status} {text.decode()}")
            return json.loads(text)

        ask("PUT", "/v1/learners/shop", {"problem": {"kind": "newsvendor", "params": PARAMS}, "currency": "EUR"})
        for day in range(40):
            ask("POST", "/v1/learners/shop/outcomes", {"id": str(day), "outcome": 14 if day % 2 else 6})
        expect("the decision of the service", ask("GET", "/v1/learners/shop/decision")["action"], 3)
        report = ask("GET", "/v1/learners/shop/report")
        expect("rounds of the service", report["rounds"], 40)
    finally:
        process.terminate()
        process.communicate(timeout=60)


PYTHON = """
import hannan
problem = hannan.problem("newsvendor", stocks=[0, 5, 10, 15], over=1, under=4, most=16)
log = hannan.convert("log.csv", problem="newsvendor", format="long")
result = hannan.compare(problem, log, fixed={"today": 2}, currency="EUR")
print(len(log), result["best fixed"]["money"], result.players[0].verdict)
print(hannan.decisions(result.players[0], log)["decisions"])
"""


def check_python(copy):
    package = copy.scratch / "python/hannan"
    for file in (copy.tree / "python/hannan").iterdir():
        shutil.copy(file, package / file.name)
    done = subprocess.run([copy.args.python, "-B", "-c", PYTHON], cwd=copy.tree, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(package.parent)})
    expect("Python", (done.returncode, done.stdout.splitlines(), done.stderr[-2000:]),
           (0, [f"{ROUNDS} {5 * ROUNDS} deploy", "[{'item': 'demand', 'stock': 15}]"], ""))


def check(copy):
    check_log(copy)
    check_compare(copy)
    check_service(copy)
    if copy.args.python:
        check_python(copy)
