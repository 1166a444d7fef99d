#!/usr/bin/env python3
"""Measures cacheledger on the made-up indexes of a ref, which it makes where they are missing (see generate_graph.py):
the first ingest, side by side with other ways to load the same rows (see yardsticks.py), the same again, the next state,
and the questions about dependencies. Prints a table, writes it as JSON, and fails only where the program does: a goal
that is not met is said to be so."""

import json
import os
import pathlib
import shutil
import sqlite3
import sys

import generate_graph
import yardsticks
from benchmark import Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results, run

# The goals for indexes of full size on a machine with two cores. The goals relative to the yardsticks are in
# yardsticks.py.
GOAL_AGAIN = 0.1         # times the time of the first ingest
GOAL_NEXT = 0.3          # likewise
GOAL_PEAK = 400          # MB
GOAL_SIZE = 60           # MB
GOAL_QUESTION = 500      # ms
GOAL_COMMITS = 1000      # ms
GOAL_ALL_NEW = 5         # s

FIRST, SAME, NEXT, OTHER = (f"2025-04-0{day}T00:00:00Z" for day in range(1, 5))


def add_commits(database):
    """20 commits for the recipe of each package, 5 of them between the first states: as many as spack-packages has."""
    with sqlite3.connect(database) as ledger:
        first = int(ledger.execute("SELECT min(taken_at) FROM snapshot").fetchone()[0])
        day = 86400
        ledger.execute("INSERT INTO package_repository VALUES (1, 'packages', zeroblob(20), ?, ?)",
                       (first - 30 * day, first + 30 * day))
        ledger.execute("INSERT INTO recipe_package SELECT package_id, name, 'builtin' FROM package")
        packages = ledger.execute("SELECT count(*) FROM package").fetchone()[0]
        for number in range(20 * packages):
            moment = first + (number % 20 - 14) * day // 3
            ledger.execute("INSERT INTO recipe_commit VALUES (?, 1, randomblob(20), ?, 'a change of a recipe (#1234)')",
                           (number + 1, moment))
        ledger.execute("INSERT INTO recipe_change SELECT p.package_id, c.recipe_commit_id FROM recipe_commit c JOIN ("
                       "SELECT package_id, row_number() OVER (ORDER BY package_id) AS place FROM package) p "
                       "ON p.place = (c.recipe_commit_id - 1) / 20 + 1")


class Benchmark:
    def __init__(self, options, data, folder):
        self.options = options
        self.data = data
        self.folder = folder
        self.counts = json.loads((data / "counts.json").read_text())
        self.ledger = Ledger(options.program, folder / "graph.db")
        self.work = Ledger(options.program, folder / "work.db")
        self.results = Results()
        self.full_size = all(getattr(options, name) == default for name, default in generate_graph.DEFAULTS.items())
        self.yardsticks = []
        for name, make in (("floor", lambda: yardsticks.graph_floor(options.floor, folder)),
                           ("Python", lambda: yardsticks.graph_python(folder))):
            try:
                self.yardsticks.append(make())
            except yardsticks.Unusable as reason:
                self.results.skip(name, str(reason))

    def goal(self, value):
        return value if self.full_size else None

    def measure_all(self):
        self.measure_ingest()
        self.measure_questions()

    def ingest(self, ledger, state, moment):
        return ledger.run("ingest", self.data / state / "indexes.json", "--taken-at", moment)

    def ingest_into_copy(self, state, moment):
        """Into a copy of the ledger that has the first state."""
        remove(self.work.database)
        shutil.copyfile(self.ledger.database, self.work.database)
        with open(self.work.database, "rb+") as file:
            os.fsync(file.fileno())
        return self.ingest(self.work, state, moment)

    def measure_ingest(self):
        """In rounds, so that what else the machine does falls on all."""
        for file in sorted(self.data.rglob("*.json")):
            file.read_bytes()  # so that every round finds it in memory
        cold, again, same, following = [], [], [], []
        for _ in range(self.options.runs):
            remove(self.ledger.database)
            cold.append(self.ingest(self.ledger, "first", FIRST))
            expected = self.verify()
            for yardstick in list(self.yardsticks):
                self.load(yardstick, expected)
            again.append(self.ingest(self.ledger, "first", FIRST))
            same.append(self.ingest_into_copy("first", SAME))
            following.append(self.ingest_into_copy("next", NEXT))
        size = self.ledger.database.stat().st_size / 1e6

        self.results.add_times("ingest into a new database", cold)
        for yardstick in self.yardsticks:
            self.results.add_times(f"{yardstick.name}: the same rows", yardstick.runs)
            self.results.add_ratio(f"time of ingest / of {yardstick.name}", cold, yardstick.runs,
                                   self.goal(yardstick.goal))
        self.results.add_times("ingest again, nothing changed", again)
        self.results.add_ratio("time of ingest again / of ingest", again, cold, self.goal(GOAL_AGAIN))
        self.results.add_times("a snapshot of the same indexes", same)
        self.results.add_ratio("time of a snapshot of the same / of ingest", same, cold, self.goal(GOAL_AGAIN))
        self.results.add_times("ingest of the next state", following)
        self.results.add_ratio("time of the next state / of ingest", following, cold, self.goal(GOAL_NEXT))
        self.results.add("peak memory of ingest", [one.peak_mb for one in cold + again + following], "MB",
                         self.goal(GOAL_PEAK))
        self.results.add("file", [size], "MB", self.goal(GOAL_SIZE))
        for yardstick in self.yardsticks:
            self.results.add(f"{yardstick.name}: file", [yardstick.size_mb()], "MB")

    def load(self, yardstick, expected):
        try:
            yardstick.load(self.data / "first", expected)
        except yardsticks.Unusable as reason:
            self.yardsticks.remove(yardstick)
            self.results.skip(yardstick.name, str(reason))

    def verify(self):
        """That the program loaded what was made. Gives the numbers of rows."""
        rows = yardsticks.graph_counts(self.ledger.database)
        counts = dict(zip(yardsticks.GRAPH_TABLES, rows))
        made = self.counts["first"]
        for table, expected in (("spec", made["nodes"]), ("node", made["nodes"]), ("dependency", made["edges"]),
                                ("presence", made["cached"])):
            if counts[table] != expected:
                sys.exit(f"{self.ledger.database}: expected {expected} rows of {table}, got {counts[table]}")
        recomputed = yardsticks.sqlite_counts(self.ledger.database,
                                              "SELECT count(*) FROM node WHERE hash_state = 'recomputed'")
        if recomputed != (made["nodes"],):
            sys.exit(f"{self.ledger.database}: expected {made['nodes']} hashes that can be recomputed, got {recomputed}")
        return rows

    def measure_questions(self):
        ref = generate_graph.REF
        before = f"{ref}@{FIRST}"
        self.measure("why of the next state", "ms", GOAL_QUESTION, "why", before, f"{ref}@{NEXT}")
        self.measure("report audit/closure", "ms", GOAL_QUESTION, "report", "audit/closure")
        self.measure("dependents of the most used node", "ms", GOAL_QUESTION, "dependents",
                     f"/{self.counts['most_needed']}")
        add_commits(self.work.database)
        self.measure("why of the next state, with commits", "ms", GOAL_QUESTION, "why", before, f"{ref}@{NEXT}")
        self.measure("report drift/commits of the next state", "ms", GOAL_COMMITS, "report", "drift/commits", "--from", before,
                     "--to", f"{ref}@{NEXT}")
        self.ingest_into_copy("other", OTHER)
        reasons = self.work.rows("why", before, f"{ref}@{OTHER}", "--all")["reasons"]
        self.measure(f"why where all is new, {len(reasons)} reasons", "s", GOAL_ALL_NEW, "why", before,
                     f"{ref}@{OTHER}")

    def measure(self, name, unit, goal, *arguments):
        runs = [self.work.run(*arguments) for _ in range(self.options.runs)]
        self.results.add_times(name, runs, unit, self.goal(goal))


def read_options():
    parser = options_parser(__doc__, generate_graph.DEFAULTS)
    parser.add_argument("--floor", type=pathlib.Path, metavar="PATH", help="default: beside the program")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each; default 5")
    options = parser.parse_args()
    options.runs = max(1, options.runs)
    options.floor = options.floor or options.program.parent / "bench" / "bench-graph-floor"
    return options


def main():
    options = read_options()
    if not is_there(options.program):
        print(f"skipped: the program {options.program} (see --program) is not there")
        return
    values = {name: getattr(options, name) for name in generate_graph.DEFAULTS}
    data = data_folder(options.work, "graph", generate_graph, values)
    folder = options.work / "graph-databases"
    folder.mkdir(exist_ok=True)
    report = Report(options, [*generate_graph.DEFAULTS, "runs"])
    benchmark = Benchmark(options, data, folder)
    benchmark.measure_all()
    report.finish(benchmark.results, folder / "results.json",
                  f"{options.records} records, {options.stacks} stacks", python=sys.version.split()[0],
                  python_sqlite=sqlite3.sqlite_version)


if __name__ == "__main__":
    main()
