"""Would the rounds in PostgreSQL be faster in a partition for each shard? partitions_bench.py [--seconds S] [--windows N] [--rounds N]

A server is started for this run. Two databases have the same rows in the tables of service/postgres_schema.cpp: in one table, and in
a table that is partitioned by shard, whose keys must then begin with the shard. pgbench sends the service's own statements to
both in turn, by one connection, as the service writes: groups of 16 rows of 16 learners, groups of 512 rows of one learner, the
search for 16 ids, and replay of all rows of a learner. Rows a second are medians over the windows, ratios medians within a window."""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "service"))
from postgres import FOLDERS, Cluster  # noqa: E402 pylint: disable=wrong-import-position,import-error

SHARDS, LEARNERS = 64, 640
COLUMNS = "learner bigint not null, generation bigint not null, t bigint not null, id text not null, decision bigint not null, " \
          "time bigint not null, line text not null"
ONE = f"""create table round({COLUMNS}, primary key(learner, generation, t));
create unique index round_by_id on round(id, learner, generation);"""
PARTS = f"""create table round(shard integer not null, {COLUMNS}, primary key(shard, learner, generation, t)) partition by list(shard);
create unique index round_by_id on round(shard, id, learner, generation);
""" + "\n".join(f"create table round_{i} partition of round for values in ({i});" for i in range(SHARDS))
LINE = "repeat('x', 200)"
# The rows of a group come as lists, as the service sends them. `n` is a number that no group had before.
INSERT = """\\set n :n + 1
insert into round({shard}learner, generation, t, decision, time, id, line) select * from unnest({shards}
  (select array_agg({learner}) from generate_series(1, {rows}) i), array_fill(1::bigint, array[{rows}]),
  (select array_agg({t}) from generate_series(1, {rows}) i), array_fill(1::bigint, array[{rows}]),
  array_fill(1::bigint, array[{rows}]),
  (select array_agg('{name}-' || :n::bigint || '-' || i) from generate_series(1, {rows}) i),
  (select array_agg({line}) from generate_series(1, {rows}) i));
"""
SEARCH = """\\set l random(1, {learners})
select t, id, decision, time, line from round where {where} learner+0=:l::bigint and generation+0=1
  and id = any((select array_agg('i' || :l::bigint || '-' || i) from generate_series(1, 16) i)::text[]);
"""
REPLAY = """\\set l random(1, {learners})
select t, id, decision, time, line from round where {where} learner=:l::bigint and generation=1 and t>0 order by t limit {rounds};
"""


def statements(parted, window, rounds):
    shard = "shard, " if parted else ""
    where = f"shard = :l::bigint % {SHARDS} and" if parted else ""

    def insert(rows, learner, t):
        shards = f"(select array_agg((({learner}) % {SHARDS})::int) from generate_series(1, {rows}) i)," if parted else ""
        return INSERT.format(shard=shard, shards=shards, learner=learner, rows=rows, t=t, name=f"w{window}-{rows}", line=LINE)

    # Rounds of a window are above those of the windows before.
    base = f"{10_000_000 * (window + 1)}"
    return {"insert, 16 learners": (16, insert(16, f"((:n::bigint * 16 + i) % {LEARNERS} + 1)::bigint", f"{base} + :n::bigint")),
            "insert, one learner": (512, insert(512, f"(:n::bigint % {LEARNERS} + 1)::bigint", f"{base} + 5000000 + :n::bigint * 512 + i")),
            "search for 16 ids": (16, SEARCH.format(learners=LEARNERS, where=where)),
            "replay": (rounds, REPLAY.format(learners=LEARNERS, where=where, rounds=rounds))}


def fill(cluster, tables, parted, rounds):
    cluster.make_database()
    cluster.ask(tables)
    shard = f"l % {SHARDS}, " if parted else ""
    cluster.ask(f"insert into round select {shard}l, 1, t, 'i' || l || '-' || t, 1, 1, {LINE} from generate_series(1, {LEARNERS}) l, "
                f"generate_series(1, {rounds}) t")
    cluster.ask("analyze round")
    return cluster.database


def transactions(cluster, database, text, seconds):
    """A second, of one connection."""
    path = cluster.folder / "script.sql"
    path.write_text(text)
    done = subprocess.run([f"{FOLDERS[-1]}/pgbench", "-h", cluster.folder, "-U", "hannan", "-n", "-M", "extended", "-D", "n=0", "-T",
                           str(seconds), "-f", path, database], capture_output=True, text=True, timeout=60 + seconds)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(re.search(r"tps = ([0-9.]+)", done.stdout)[1])


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("--seconds", type=int, default=3)
    parse.add_argument("--windows", type=int, default=5)
    parse.add_argument("--rounds", type=int, default=500, help="of each learner, before; as many are replayed")
    args = parse.parse_args()
    if not FOLDERS:
        raise SystemExit("PostgreSQL is not there")
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            one, parts = fill(cluster, ONE, False, args.rounds), fill(cluster, PARTS, True, args.rounds)
            found = {}
            for window in range(args.windows):
                both = statements(False, window, args.rounds), statements(True, window, args.rounds)
                for name, (rows, text) in both[0].items():
                    rates = [rows * transactions(cluster, one, text, args.seconds),
                             rows * transactions(cluster, parts, both[1][name][1], args.seconds)]
                    found.setdefault(name, []).append(rates)
        finally:
            cluster.stop()
    print(f"{LEARNERS} learners, {SHARDS} shards; {args.rounds} rounds each; rows a second, medians of {args.windows} windows of {args.seconds} s")
    print(f"{'':22} {'one table':>10} {'partitions':>10}  partitions : one table (least to most)")
    for name, rates in found.items():
        ratios = [parted / plain for plain, parted in rates]
        print(f"{name:22} {statistics.median(r[0] for r in rates):10.4g} {statistics.median(r[1] for r in rates):10.4g}  "
              f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
