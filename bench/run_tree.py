#!/usr/bin/env python3
"""Measures cacheledger on a made-up build cache, which it makes where it is missing (see generate_tree.py): first
ingest, side by side with other ways to load the same pages (see yardsticks.py), then reports, queries and start-up.
Prints a table, writes it as JSON, and fails only where the program does: a goal that is not met is said to be so."""

import json
import os
import pathlib
import shutil
import sqlite3
import sys

import generate_tree
import yardsticks
from benchmark import Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results, run

# The goals for a cache of full size on a machine with two cores. The goals relative to the yardsticks are in
# yardsticks.py.
GOAL_AGAIN = 0.25        # times the time of the first ingest
GOAL_TENTH = 12          # times the time of a tenth of the pages
GOAL_NEXT = 0.15         # s
GOAL_WEEK = 0.15         # times the time of the first ingest
GOAL_SIZE = 30           # MB
GOAL_PEAK = 150          # MB
GOAL_REPORT = 150        # ms
GOAL_QUERY = 10          # ms, start-up included
GOAL_START = 10          # ms

MOMENT = "2025-04-01"    # of tags without a date
OLD, BEFORE, AFTER = "develop-2025-03-09", "develop-2025-03-23", "develop-2025-03-30"
SHORT_RUNS = 2           # runs that take milliseconds, for each run of an ingest
LOADED = "SELECT (SELECT sum(specs) FROM snapshot), (SELECT count(DISTINCT hash) FROM spec)"


class Benchmark:
    def __init__(self, options, data, tenth, folder):
        self.options = options
        self.data = data
        self.tenth = tenth
        self.counts = json.loads((data / "counts.json").read_text())
        self.ledger = Ledger(options.program, folder / "full.db")
        self.tenth_ledger = Ledger(options.program, folder / "tenth.db")
        self.next_ledger = Ledger(options.program, folder / "next.db")
        self.results = Results()
        self.full_size = all(getattr(options, name) == default for name, default in generate_tree.DEFAULTS.items())
        self.yardsticks = []
        modules = options.work / "duckdb"
        for name, make in (("floor", lambda: yardsticks.floor(options.floor, folder)),
                           ("Python", lambda: yardsticks.python(folder)),
                           ("DuckDB", lambda: yardsticks.duckdb(folder, modules, options.duckdb_runs))):
            try:
                self.yardsticks.append(make())
            except yardsticks.Unusable as reason:
                self.results.skip(name, str(reason))

    def goal(self, value):
        return value if self.full_size else None

    def measure_all(self):
        self.measure_ingest()
        self.measure_reports()
        self.measure_queries()
        self.measure_start()

    def measure_ingest(self):
        """In rounds, so that what else the machine does falls on all."""
        read_all(self.data / "tree")
        cold, again, tenth, following, week = [], [], [], [], []
        for number in range(self.options.runs):
            show(f"round {number + 1} of {self.options.runs}")
            cold.append(self.ingest_new(self.ledger, self.data))
            for yardstick in list(self.yardsticks):
                self.load(yardstick)
            again.append(self.ingest(self.ledger, self.data / "tree"))
            self.verify(self.ledger, [self.counts["tree"]])
            tenth.append(self.ingest_new(self.tenth_ledger, self.tenth))
            following.append(self.ingest_next("next"))
            week.append(self.ingest_next("week"))
        show("")

        self.results.add_times("ingest of all into a new database", cold)
        for yardstick in self.yardsticks:
            self.results.add_times(f"{yardstick.name}: the same", yardstick.runs)
        self.results.add_times("ingest again, nothing changed", again)
        self.results.add_times("ingest of a tenth into a new database", tenth)
        for yardstick in self.yardsticks:
            self.results.add_ratio(f"time of ingest / of {yardstick.name}", cold, yardstick.runs,
                                   self.goal(yardstick.goal))
        self.results.add_ratio("time of ingest again / of ingest", again, cold, self.goal(GOAL_AGAIN))
        self.results.add_ratio("time of ingest / of a tenth", cold, tenth, self.goal(GOAL_TENTH))
        self.results.add_times("ingest of one more tag", following, goal=self.goal(GOAL_NEXT))
        self.results.add_times("ingest of one more tag, a tenth new", week)
        self.results.add_ratio("time of one more tag, a tenth new / of all", week, cold, self.goal(GOAL_WEEK))
        self.results.add("file", [self.ledger.database.stat().st_size / 1e6], "MB", self.goal(GOAL_SIZE))
        for yardstick in self.yardsticks:
            self.results.add(f"{yardstick.name}: file", [yardstick.size_mb()], "MB")
        self.results.add("peak memory of ingest", [max(one.peak_mb for one in cold)], "MB", self.goal(GOAL_PEAK))
        for yardstick in self.yardsticks:
            self.results.add(f"{yardstick.name}: peak memory", [max(one.peak_mb for one in yardstick.runs)], "MB")

    def load(self, yardstick):
        counts = self.counts["tree"]
        try:
            yardstick.load(self.data / "tree", (counts["entries"], counts["hashes"]))
        except yardsticks.Unusable as reason:
            self.yardsticks.remove(yardstick)
            self.results.skip(yardstick.name, str(reason))

    def ingest(self, ledger, folder):
        return ledger.run("ingest", folder, "--taken-at", MOMENT)

    def ingest_new(self, ledger, data):
        remove(ledger.database)
        once = self.ingest(ledger, data / "tree")
        self.verify(ledger, [json.loads((data / "counts.json").read_text())["tree"]])
        return once

    def ingest_next(self, name):
        """Into a copy, which is written to the disk before the time counts."""
        remove(self.next_ledger.database)
        shutil.copyfile(self.ledger.database, self.next_ledger.database)
        with open(self.next_ledger.database, "rb+") as file:
            os.fsync(file.fileno())
        once = self.ingest(self.next_ledger, self.data / name)
        more = self.counts[name]
        self.verify(self.next_ledger, [self.counts["tree"], {**more, "hashes": more.get("new", more["hashes"])}])
        return once

    def verify(self, ledger, counts):
        """That the program did what was measured."""
        loaded = yardsticks.sqlite_counts(ledger.database, LOADED)
        expected = tuple(sum(one[name] for one in counts) for name in ("entries", "hashes"))
        if loaded != expected:
            sys.exit(f"{ledger.database}: expected {expected} specs in snapshots and hashes, got {loaded}")

    def measure_reports(self):
        for name in self.ledger.reports("coverage"):
            self.measure_short(f"report {name}", ["report", name], GOAL_REPORT)
            self.measure_short(f"report {name} --at {OLD}", ["report", name, "--at", OLD], GOAL_REPORT)
        for name in self.ledger.reports("drift"):
            self.measure_short(f"report {name} of a week", ["report", name, "--from", BEFORE, "--to", AFTER],
                               GOAL_REPORT)

    def measure_queries(self):
        sizes = self.ledger.rows("sql", f"SELECT package, count(*) AS specs FROM specs WHERE snapshot = '{AFTER}' "
                                        "GROUP BY package ORDER BY specs, package")
        for title, row in (("usual", sizes[len(sizes) // 2]), ("largest", sizes[-1])):
            query = f"SELECT * FROM specs WHERE snapshot = '{AFTER}' AND package = '{row['package']}'"
            self.measure_short(f"sql: the {row['specs']} specs of the {title} package", ["sql", query], GOAL_QUERY)

    def measure_start(self):
        self.measure_short("sql 'SELECT 1'", ["sql", "SELECT 1"], GOAL_START)
        self.measure_short("--version", ["--version"], GOAL_START)
        true = shutil.which("true")
        if true:
            self.results.add_times("a program that does nothing", [run([true]) for _ in range(self.short_runs())], "ms")

    def measure_short(self, name, arguments, goal):
        show(name)
        runs = [self.ledger.run(*arguments) for _ in range(self.short_runs())]
        show("")
        self.results.add_times(name, runs, "ms", self.goal(goal))

    def short_runs(self):
        return 1 if self.options.runs == 1 else SHORT_RUNS * self.options.runs


def show(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def read_all(folder):
    """So that every round finds the pages in memory."""
    for page in folder.rglob("*.md"):
        page.read_bytes()


def tree_folder(work, options, part=1):
    sizes = {name: round(getattr(options, name) / part) for name in generate_tree.DEFAULTS if name != "seed"}
    return data_folder(work, "tags", generate_tree, {**sizes, "seed": options.seed})


def read_options():
    parser = options_parser(__doc__, generate_tree.DEFAULTS)
    parser.add_argument("--floor", type=pathlib.Path, metavar="PATH", help="default: beside the program")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each ingest; default 5")
    parser.add_argument("--duckdb-runs", type=int, default=2, metavar="N",
                        help="of DuckDB, which takes longest; default 2; 0 leaves it out")
    options = parser.parse_args()
    options.runs = max(1, options.runs)
    options.floor = options.floor or options.program.parent / "bench" / "bench-floor"
    return options


def main():
    options = read_options()
    if not is_there(options.program):
        print(f"skipped: the program {options.program} (see --program) is not there")
        return
    data = tree_folder(options.work, options)
    tenth = tree_folder(options.work, options, 10)
    folder = options.work / "tree-databases"
    folder.mkdir(exist_ok=True)
    report = Report(options, [*generate_tree.DEFAULTS, "runs", "duckdb_runs"])
    benchmark = Benchmark(options, data, tenth, folder)
    benchmark.measure_all()
    versions = {"python": sys.version.split()[0], "python_sqlite": sqlite3.sqlite_version}
    if any(yardstick.name == "DuckDB" for yardstick in benchmark.yardsticks):
        versions["duckdb"] = yardsticks.duckdb_version(options.work / "duckdb")
    report.finish(benchmark.results, folder / "results.json",
                  f"{options.pages} pages, {options.entries} specs, {options.hashes} hashes", **versions)


if __name__ == "__main__":
    main()
