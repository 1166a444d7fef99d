#!/usr/bin/env python3
"""Measures a ledger in PostgreSQL, on the made-up indexes of a ref (see generate_graph.py) and a server of its own: publish, pull,
questions over the server beside the same ones to the file, and many ledgers in one database. Prints a table, writes it as JSON,
and fails only where the program does: a goal that is not met is said to be so."""

import os
import pathlib
import shutil
import sys

import generate_graph
from benchmark import ROOT, Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results, run

sys.path.insert(0, str(ROOT / "tests" / "postgresql"))
import servers  # noqa: E402 (it lies beside the tests that use it)

# The goals for indexes of full size on a machine with two cores.
GOAL_SIZE = 2.2            # times the file
GOAL_PULL = 5              # s
GOAL_PULL_CHANGE = 1       # s
GOAL_QUESTION_FACTOR = 1.2
GOAL_QUESTION_MORE = 50    # ms over that

OTHER, FIRST, NEXT = (f"2025-04-0{day}T00:00:00Z" for day in range(1, 4))
QUESTIONS = (("snapshots",), ("specs", "pkg-0010"), ("report", "coverage/packages"), ("report", "audit/closure"), ("check",),
             ("diff", f"{generate_graph.REF}@{FIRST}", f"{generate_graph.REF}@{NEXT}"))
CONDITION = "ledger = 'site1'"
DRIFT = (f"SELECT change, count(*) FROM {{}} WHERE {{}} from_snapshot = '{generate_graph.REF}@{FIRST}' AND "
         f"to_snapshot = '{generate_graph.REF}@{NEXT}' GROUP BY change")


class Benchmark:
    def __init__(self, options, data, folder, server):
        self.options = options
        self.data = data
        self.server = server
        self.results = Results()
        self.full_size = all(getattr(options, name) == default for name, default in generate_graph.DEFAULTS.items())
        self.one = Ledger(options.program, folder / "one.db")
        self.two = Ledger(options.program, folder / "two.db")
        self.week = Ledger(options.program, folder / "week.db")
        self.pulled = folder / "pulled.db"

    def goal(self, value):
        return value if self.full_size else None

    def measure_all(self):
        for ledger in (self.one, self.two, self.week):
            remove(ledger.database)
        self.ingest(self.one, "first", FIRST)
        shutil.copyfile(self.one.database, self.week.database)
        self.ingest(self.two, "other", OTHER)
        self.ingest(self.two, "first", FIRST)
        self.ingest(self.week, "next", NEXT)
        self.measure_publish("one state", self.one, "one")
        self.measure_publish("two states", self.two, "two")
        self.measure_pull()
        self.measure_questions()
        self.measure_many()

    def ingest(self, ledger, state, moment):
        ledger.run("ingest", self.data / state / "indexes.json", "--taken-at", moment)

    def publish(self, ledger, name):
        return ledger.run("publish", self.server.url(), "--ledger", name)

    def pull(self, file):
        return run([self.options.program, "pull", self.server.url(), "--ledger", "two", file])

    def number(self, statement):
        return int(self.server.sql(statement))

    def measure_publish(self, title, ledger, name):
        self.results.add_times(f"{title}: a first publish", [self.publish(ledger, name)])
        self.results.add_times(f"{title}: a publish of the same", self.repeat(lambda: self.publish(ledger, name)))
        size = self.number("SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
                           f"WHERE relkind = 'r' AND nspname IN ('{name}', '{name} tables')")
        self.results.add(f"{title}: file", [ledger.database.stat().st_size / 1e6], "MB")
        self.results.add(f"{title}: tables and indexes on the server", [size / 1e6], "MB")
        self.results.add(f"{title}: of the file", [size / ledger.database.stat().st_size], "ratio", self.goal(GOAL_SIZE))

    def measure_pull(self):
        first = []
        for _ in range(self.options.runs):
            remove(self.pulled)
            first.append(self.pull(self.pulled))
        self.results.add_times("a first pull", first, goal=self.goal(GOAL_PULL))
        self.results.add_times("a pull of the same", self.repeat(lambda: self.pull(self.pulled)))
        self.ingest(self.two, "next", NEXT)
        self.results.add_times("two states: a publish of one more", [self.publish(self.two, "two")])
        self.results.add_times("a pull of one more state", [self.pull(self.pulled)], goal=self.goal(GOAL_PULL_CHANGE))

    def measure_questions(self):
        over_server = ["--db", self.server.url(), "--ledger", "two"]
        for question in QUESTIONS:
            of_file, of_server = [], []
            for _ in range(self.options.runs):  # in turn, so that what else the machine does falls on both
                of_file.append(self.two.run(*question))
                of_server.append(run([self.options.program, *over_server, *question]))
            name = " ".join(word for word in question if "@" not in word)
            self.results.add_times(f"{name}, of the file", of_file, "ms")
            self.results.add_times(f"{name}, over the server", of_server, "ms")
            best = [min(one.seconds for one in runs) for runs in (of_server, of_file)]
            self.results.add(f"{name}: more than {GOAL_QUESTION_FACTOR} times the file",
                             [1000 * max(0, best[0] - GOAL_QUESTION_FACTOR * best[1])], "ms", self.goal(GOAL_QUESTION_MORE))

    def measure_many(self):
        before = self.size_of_database()
        runs = [self.publish(self.week, f"site{number}") for number in range(1, self.options.ledgers + 1)]
        size = (self.size_of_database() - before) / self.options.ledgers
        self.results.add_times(f"{self.options.ledgers} ledgers: a first publish of each", runs)
        self.results.add_times(f"{self.options.ledgers} ledgers: of the last", runs[-1:])
        self.results.add("database, for each of them", [size / 1e6], "MB")
        self.results.add("database, of the file", [size / self.week.database.stat().st_size], "ratio")
        self.server.sql("VACUUM ANALYZE")
        for view in ("snapshots", "specs"):
            self.time(f"count of all_{view}", f"SELECT count(*) FROM cacheledger.all_{view}")
            self.compare(f"count of {view}", f"SELECT count(*) FROM site1.{view}",
                         f"SELECT count(*) FROM cacheledger.all_{view} WHERE {CONDITION}")
        self.compare("drift", DRIFT.format("site1.spec_drift", ""),
                     DRIFT.format("cacheledger.all_spec_drift", CONDITION + " AND"))

    def size_of_database(self):
        return self.number("SELECT pg_database_size(current_database())")

    def compare(self, name, of_one, of_all):
        self.time(f"{name} of one ledger", of_one)
        self.time(f"{name} of all ledgers, WHERE {CONDITION}", of_all)

    def time(self, name, statement):
        _, *arguments = servers.psql(self.server.url(), statement)
        psql = servers.server_programs() / "psql"  # the one in PATH may be a script, which takes longer than the question
        self.results.add_times(name, self.repeat(lambda: run([psql, *arguments])), "ms")

    def repeat(self, measure):
        return [measure() for _ in range(self.options.runs)]


def read_options():
    parser = options_parser(__doc__, generate_graph.DEFAULTS)
    parser.add_argument("--ledgers", type=int, default=50, metavar="N", help="in one database; default 50")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of each; default 3")
    options = parser.parse_args()
    options.runs = max(1, options.runs)
    options.ledgers = max(1, options.ledgers)
    return options


def main():
    options = read_options()
    if not is_there(options.program):
        print(f"skipped: the program {options.program} (see --program) is not there")
        return
    data = data_folder(options.work, "graph", generate_graph, {name: getattr(options, name) for name in generate_graph.DEFAULTS})
    report = Report(options, [*generate_graph.DEFAULTS, "ledgers", "runs"])
    with servers.workplace() as work:
        server = servers.Server(servers.folder_of_postgres(work, "server"), settings="shared_buffers = 1GB\nmax_wal_size = 8GB")
        server.make_database()
        os.environ["XDG_CACHE_HOME"] = str(work / "cache")
        folder = pathlib.Path(work) / "files"
        folder.mkdir()
        benchmark = Benchmark(options, data, folder, server)
        benchmark.measure_all()
        version = server.sql("SHOW server_version")
        server.stop()
    report.finish(benchmark.results, options.work / "postgresql-results.json",
                  f"{options.records} records, {options.ledgers} ledgers", postgresql=version)


if __name__ == "__main__":
    main()
