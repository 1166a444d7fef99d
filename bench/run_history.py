#!/usr/bin/env python3
"""Measures cacheledger on the history of a made-up build cache, and on that of a page that alternates; makes them where
they are missing (see generate_history.py and generate_alternation.py). Prints a table, writes it as JSON, and fails
only where the program does: a goal that is not met is said to be so. Needs git."""

import json
import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

import generate_alternation
import generate_history
from benchmark import Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results, best

# The goals for a cache of full size on a machine with two cores.
GOAL_RATIO = 8             # time for all 30 states, divided by that for the first
GOAL_GROWTH = 3            # % of the file of one state that each further state adds at most
GOAL_ADJACENT_DIFF = 60    # ms
GOAL_DISTANT_DIFF = 150    # ms, for states that are DISTANT apart
GOAL_REPORT = 200          # ms
GOAL_LONG_REPORT = 500     # ms, for LONG states or more
GOAL_PEAK = 300            # MB, for a history of any length
GOAL_ALTERNATION = 3       # time of the last commits of an alternating page, divided by that of the first
GOAL_ALTERNATION_PEAK = 150  # MB

DISTANT = 29
LONG = 600
SPAN = 100                 # states that are compared at each end of a long history
FOLDERS = 6


class History(NamedTuple):
    program: pathlib.Path
    repository: pathlib.Path

    def commits(self):
        command = ["git", "-C", self.repository, "rev-list", "--first-parent", "--reverse", "HEAD"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def ingest(self, database, revision):
        return Ledger(self.program, database).run("ingest", "--history", self.repository, "--rev", revision)


class Benchmark:
    def __init__(self, options, data):
        self.program = options.program
        self.history = History(options.program, data / "pages.git")
        self.states = options.states
        self.runs = options.runs
        self.data = data
        self.ledger = Ledger(options.program, data / "all.db")
        self.results = Results()
        sizes = ("packages", "specs", "churn")
        self.full_size = all(getattr(options, name) == generate_history.DEFAULTS[name] for name in sizes)

    def goal(self, value, given=True):
        return value if given and self.full_size else None

    def measure_all(self):
        self.measure_history()
        self.measure_ends(self.history, "states", goal_peak=self.goal(GOAL_PEAK))
        self.measure_folders()
        snapshots = sorted(self.ledger.rows("snapshots"), key=lambda row: row["taken_at"])
        self.verify(snapshots)
        self.measure_diffs([row["name"] for row in snapshots])
        self.measure_reports()

    def measure_history(self):
        first_database = self.data / "first.db"
        first, every = [], []
        for _ in range(self.runs):
            remove(first_database)
            first.append(self.history.ingest(first_database, self.history.commits()[0]))
        for _ in range(self.runs):
            remove(self.ledger.database)
            every.append(self.history.ingest(self.ledger.database, "HEAD"))
        self.results.add_times("ingest --history, first state", first)
        self.results.add_times(f"ingest --history, all {self.states} states", every)
        self.results.add(f"time of all {self.states} states / of the first", [best(every) / best(first)], "ratio",
                         self.goal(GOAL_RATIO, self.states == generate_history.DEFAULTS["states"]),
                         [best(every, "cpu_seconds") / best(first, "cpu_seconds")])
        self.results.add("peak memory, first state", [max(one.peak_mb for one in first)], "MB")
        self.results.add(f"peak memory, all {self.states} states", [max(one.peak_mb for one in every)], "MB",
                         self.goal(GOAL_PEAK))
        first_size, size = first_database.stat().st_size, self.ledger.database.stat().st_size
        self.results.add("file of the first state", [first_size / 1e6], "MB")
        self.results.add(f"file of all {self.states} states", [size / 1e6], "MB")
        if self.states > 1:
            self.results.add("file growth per further state",
                             [100 * (size - first_size) / (self.states - 1) / first_size],
                             "% of the first", self.goal(GOAL_GROWTH))

    def measure_ends(self, history, what, goal_ratio=None, goal_peak=None):
        """Whether a commit takes longer the more there are before it."""
        commits = history.commits()
        if len(commits) <= 2 * SPAN:
            self.results.skip(f"time of the first and the last {SPAN} {what}", f"needs more than {2 * SPAN}")
            return
        database = self.data / "ends.db"
        remove(database)
        history.ingest(database, commits[0])
        first = history.ingest(database, f"{commits[0]}..{commits[SPAN]}")
        history.ingest(database, f"{commits[SPAN]}..{commits[-SPAN - 1]}")
        last = history.ingest(database, f"{commits[-SPAN - 1]}..{commits[-1]}")
        self.results.add_times(f"time of one of the first {SPAN} further {what}", [first], "ms", count=SPAN)
        self.results.add_times(f"time of one of the last {SPAN} {what}", [last], "ms", count=SPAN)
        self.results.add(f"time of the last {SPAN} {what} / of the first", [last.seconds / first.seconds], "ratio",
                         goal_ratio, [last.cpu_seconds / first.cpu_seconds])
        self.results.add(f"peak memory, the last {SPAN} {what}", [last.peak_mb], "MB", goal_peak)
        remove(database)

    def measure_alternation(self, data, full_size):
        """One page that alternates between two texts."""
        history = History(self.program, data / "pages.git")
        database = self.data / "alternation.db"
        remove(database)
        every = history.ingest(database, "HEAD")
        remove(database)
        self.results.add_times("ingest --history, an alternating page", [every])
        self.results.add("peak memory, an alternating page", [every.peak_mb], "MB",
                         GOAL_ALTERNATION_PEAK if full_size else None)
        self.measure_ends(history, "alternations", GOAL_ALTERNATION if full_size else None)

    def measure_folders(self):
        folders = sorted((self.data / "states").glob("*"))
        if not folders:
            self.results.skip("ingest of folders", "the states were not written as folders")
            return
        database = self.data / "folders.db"
        first, further = [], []
        for _ in range(self.runs):
            remove(database)
            for number, folder in enumerate(folders):
                moment = f"2023-01-{number + 1:02}"
                once = Ledger(self.program, database).run("ingest", folder, "--taken-at", moment)
                (further if number else first).append(once)
        self.results.add_times("ingest of a folder, first state", first)
        if further:
            self.results.add_times("ingest of a folder, a further state", further)
        self.results.add("peak memory, ingest of a folder", [max(one.peak_mb for one in first + further)], "MB")
        remove(database)

    def verify(self, snapshots):
        """That the program did what was measured."""
        expected = json.loads((self.data / "states.json").read_text())["specs"]
        if [row["specs"] for row in snapshots] != expected:
            sys.exit(f"{self.ledger.database}: expected {len(expected)} snapshots with as many specs as "
                     f"{self.data / 'states.json'} says")

    def measure_diffs(self, names):
        if len(names) < 2:
            self.results.skip("diff", "needs 2 states")
            return
        pairs = [("adjacent states", names[-2], GOAL_ADJACENT_DIFF)]
        if len(names) > 2:
            distance = min(DISTANT, len(names) - 1)
            pairs.append((f"states {distance} apart", names[-1 - distance], GOAL_DISTANT_DIFF))
        if len(names) > DISTANT + 1:
            pairs.append(("first and last state", names[0], None))
        for title, name, goal in pairs:
            for form in ("table", "json"):
                runs = self.repeat("diff", name, names[-1], "--format", form)
                self.results.add_times(f"diff of {title}, {form}", runs, "ms", self.goal(goal))

    def measure_reports(self):
        for name in self.ledger.reports("history"):
            goal = GOAL_LONG_REPORT if self.states >= LONG else GOAL_REPORT
            self.results.add_times(f"report {name}", self.repeat("report", name), "ms", self.goal(goal))

    def repeat(self, *arguments):
        return [self.ledger.run(*arguments) for _ in range(max(self.runs, 7))]


def read_options():
    parser = options_parser(__doc__, generate_history.DEFAULTS)
    parser.add_argument("--alternations", type=int, default=generate_alternation.DEFAULTS["commits"], metavar="N",
                        help="commits of the history in which one page alternates; default %(default)s")
    parser.add_argument("--runs", type=int, metavar="N",
                        help="of each ingest; default 3, or 1 for more than 100 states. Others run 7 times or more")
    options = parser.parse_args()
    options.runs = max(1, options.runs or (3 if options.states <= 100 else 1))
    return options


def main():
    options = read_options()
    missing = [] if shutil.which("git") else ["git"]
    if not is_there(options.program):
        missing.append(f"the program {options.program} (see --program)")
    if missing:
        print(f"skipped: {' and '.join(missing)} is not there")
        return
    report = Report(options, [*generate_history.DEFAULTS, "alternations", "runs"])
    values = {name: getattr(options, name) for name in generate_history.DEFAULTS}
    data = data_folder(options.work, "history", generate_history, values, f"--folders={FOLDERS}")
    benchmark = Benchmark(options, data)
    benchmark.measure_all()
    alternations = {**generate_alternation.DEFAULTS, "commits": options.alternations}
    benchmark.measure_alternation(data_folder(options.work, "alternation", generate_alternation, alternations),
                                  alternations == generate_alternation.DEFAULTS)
    report.finish(benchmark.results, data / "results.json",
                  f"{options.states} states, {options.packages} packages, {options.specs} specs, "
                  f"churn {options.churn:.1%}")


if __name__ == "__main__":
    main()
