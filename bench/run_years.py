#!/usr/bin/env python3
"""Measures cacheledger on three years of daily states of a made-up build cache, as cron would leave them: how large the
ledger is, whether a state takes longer the more there are, how long reports take; and the same after `forget` and
`compact`. Makes the states where they are missing (see generate_history.py). Prints a table, writes it as JSON, and
fails only where the program does. Needs git."""

import json
import shutil
import subprocess

import generate_history
from benchmark import Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results
from run_history import History

STATES = 1096  # 2023 to 2025, as the first is of 2023-01-01
YEAR = 365
RULES = ("--keep-daily", "90", "--keep-weekly", "52", "--keep-monthly", "unlimited")
FAMILIES = ("history", "drift", "coverage")


class Years:
    def __init__(self, options, data):
        self.options = options
        self.data = data
        self.history = History(options.program, data / "pages.git")
        self.ledger = Ledger(options.program, data / "years.db")
        self.results = Results()

    def measure_all(self):
        self.measure_years()
        self.measure_reports("all states")
        self.measure_backup("all states")
        self.forget_and_compact()
        self.measure_reports("after forget")
        self.measure_backup("after forget")
        self.measure_next("after forget")

    def size(self):
        return self.ledger.database.stat().st_size / 1e6

    def measure_years(self):
        """All states but the last, which measure_next() takes."""
        commits = self.history.commits()
        remove(self.ledger.database)
        self.results.add_times("the first state", [self.history.ingest(self.ledger.database, commits[0])])
        self.results.add("file of the first state", [self.size()], "MB")
        ends = [*range(0, len(commits) - 2, self.options.year), len(commits) - 2]
        for year, (begin, end) in enumerate(zip(ends, ends[1:]), 1):
            run = self.history.ingest(self.ledger.database, f"{commits[begin]}..{commits[end]}")
            self.results.add_times(f"a state of year {year}", [run], "ms", count=end - begin)
            self.results.add(f"peak memory, year {year}", [run.peak_mb], "MB")
            self.results.add(f"file after year {year}", [self.size()], "MB")
        self.measure_next("all states", commits)

    def measure_next(self, when, commits=None):
        """One more state, in a run of its own, on a copy of the ledger."""
        commits = commits or self.history.commits()
        copy = Ledger(self.options.program, self.data / "next.db")
        runs = []
        for _ in range(self.options.runs):
            remove(copy.database)
            shutil.copyfile(self.ledger.database, copy.database)
            runs.append(self.history.ingest(copy.database, f"{commits[-2]}..{commits[-1]}"))
        self.results.add_times(f"one more state, {when}", runs, "ms")
        remove(copy.database)

    def measure_reports(self, when):
        for family in FAMILIES:
            for name in self.ledger.reports(family):
                if name == "coverage/wanted":  # it is asked of a lock file
                    continue
                self.results.add_times(f"report {name}, {when}", self.repeat("report", name), "ms")
        self.results.add_times(f"diff, {when}", self.repeat("diff"), "ms")
        self.results.add_times(f"snapshots, {when}", self.repeat("snapshots"), "ms")

    def repeat(self, *arguments):
        return [self.ledger.run(*arguments) for _ in range(self.options.runs)]

    def measure_backup(self, when):
        backup = self.data / "backup.db"
        runs = []
        for _ in range(self.options.runs):
            remove(backup)
            runs.append(self.ledger.run("backup", backup))
        self.results.add_times(f"backup, {when}", runs)
        remove(backup)

    def forget_and_compact(self):
        before = len(self.ledger.rows("snapshots"))
        self.results.add_times("forget --dry-run", self.repeat("forget", *RULES, "--dry-run"), "ms")
        self.results.add_times("forget " + " ".join(RULES), [self.ledger.run("forget", *RULES)])
        left = len(self.ledger.rows("snapshots"))
        self.results.add("snapshots before", [before], "")
        self.results.add("snapshots left", [left], "")
        self.results.add("file after forget", [self.size()], "MB")
        self.results.add_times("compact", [self.ledger.run("compact")])
        self.results.add("file after compact", [self.size()], "MB")
        checked = subprocess.run([self.options.program, "--db", self.ledger.database, "check"], stdout=subprocess.PIPE,
                                 text=True, check=True)
        assert checked.stdout == "ok\n"


def read_options():
    parser = options_parser(__doc__, {**generate_history.DEFAULTS, "states": STATES})
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of what does not change the ledger; default 3")
    parser.add_argument("--year", type=int, default=YEAR, metavar="STATES", help="default %(default)s")
    options = parser.parse_args()
    if options.states < 4:
        parser.error("expected at least 4 states")
    return options


def main():
    options = read_options()
    if not shutil.which("git") or not is_there(options.program):
        print(f"skipped: git or the program {options.program} (see --program) is not there")
        return
    report = Report(options, [*generate_history.DEFAULTS, "runs", "year"])
    values = {name: getattr(options, name) for name in generate_history.DEFAULTS}
    years = Years(options, data_folder(options.work, "history", generate_history, values))
    years.measure_all()
    report.finish(years.results, years.data / "years.json",
                  f"{options.states} states, {options.packages} packages, {options.specs} specs, "
                  f"churn {options.churn:.1%}")


if __name__ == "__main__":
    main()
