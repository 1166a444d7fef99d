#!/usr/bin/env python3
"""Measures cacheledger on a ledger of daily indexes with dependencies, which it makes day by day (see generate_daily.py):
what people ask first of such a ledger, one more day, the site; the same of a quarter of the days, and of a quarter of the
records. Holds the reasons that `why` gives against what changed. With --before, another program answers the same in turn.
Prints a table, writes it as JSON, and fails only where the program does, or gives other reasons."""

import multiprocessing
import os
import pathlib
import shutil
import sys
from collections import Counter
from typing import NamedTuple

import generate_daily
import graph_model
from benchmark import Ledger, Report, is_there, options_parser, remove
from generate_graph import REF
from measure import Results, best

MONTH, SEASON, WEEK = 30, 60, 7  # days
QUARTER = 4
MOST_NEEDED = graph_model.BASE[graph_model.WRAPPER][0]
LONG = 10         # seconds; what takes longer runs once

# The goals for a ledger of full size.
GOAL_PEAK = 150       # MB
GOAL_GROWTH = 5       # times the processor time of a quarter
LEAST_SECONDS = 0.02  # a shorter time is that of starting the program

KINDS = {"recipe": "recipe", "version": "version", graph_model.REVISION: "variant"}  # by the words of `why`


def made_days(folder, values):
    """Gives the packages, and each day with its number of binaries by package. The indexes of a day are there until the next.
    They are made in another process: this one stays small, for the peak of what it starts is at least its own."""
    own_end, other_end = multiprocessing.Pipe()
    maker = multiprocessing.Process(target=make_days, args=(own_end, other_end, folder, values), daemon=True)
    maker.start()
    other_end.close()
    return own_end.recv(), (received(own_end) for _ in range(values["days"]))


def received(connection):
    connection.send("next")
    return connection.recv()


def make_days(other_end, connection, folder, values):
    other_end.close()  # so that it ends when the process that asks does
    days = generate_daily.Days(**values)
    connection.send(days.packages.all)
    written = None
    for day in days:
        connection.recv()
        if written:
            shutil.rmtree(written)
        written = folder / day.date
        connection.send((day, days.write(written)))


class History:
    """A ledger of so many days, made by a program."""

    def __init__(self, program, folder, values):
        self.folder = folder
        self.ledger = Ledger(program, folder / "daily.db")
        self.shorter = folder / "shorter.db"  # without the last day
        self.days, self.binaries, self.runs = [], [], []
        shutil.rmtree(folder, ignore_errors=True)
        self.packages, days = made_days(folder, values)
        for day, binaries in days:
            self.days.append(day)
            self.binaries.append(binaries)
            if day.number == values["days"] - 1:
                shutil.copyfile(self.ledger.database, self.shorter)
            self.runs.append(self.ingest(self.ledger))
        self.last = len(self.days) - 1
        generate_daily.write_truth(folder / "truth.json", self.days)

    def indexes(self):
        return self.folder / self.days[-1].date

    def ingest(self, ledger):
        return ledger.run("ingest", self.indexes() / "indexes.json", "--taken-at", self.days[-1].date)

    def ingest_into_copy(self, program):
        """The last day, into a copy of the ledger that lacks it."""
        copy = Ledger(program, self.folder / "copy.db")
        remove(copy.database)
        shutil.copyfile(self.shorter, copy.database)
        with open(copy.database, "rb+") as file:
            os.fsync(file.fileno())
        return self.ingest(copy)

    def make_site(self, program):
        site = self.folder / "site"
        shutil.rmtree(site, ignore_errors=True)
        return Ledger(program, self.ledger.database).run("site", site)

    def snapshot(self, day):
        return f"{REF}@{self.days[day].date}"

    def pair(self, apart, to=None):
        to = self.last if to is None else to
        return self.snapshot(to - apart), self.snapshot(to)

    def check_reasons(self, apart):
        """That `why` gives what changed, and how many builds each change explains."""
        before, after = self.pair(apart)
        given = Counter()
        for row in self.ledger.rows("why", before, after, "--all")["reasons"]:
            kinds = (word.split(":")[0] for word in row["change"].split("; "))
            given[row["package"], tuple(sorted(KINDS.get(kind, kind) for kind in kinds))] += row["specs"]
        expected = self.expected_reasons(self.last - apart, self.last)
        for reason in sorted(given.keys() | expected.keys()):
            if given[reason] != expected[reason]:
                sys.exit(f"{self.ledger.database}: why {before} {after}: {reason}: expected {expected[reason]} builds, "
                         f"got {given[reason]}")
        return len(expected)

    def expected_reasons(self, before, after):
        """By package and what changed of it: how many builds it explains, those of packages that look as they did before."""
        changed = {kind: {name for day in self.days[before + 1:after + 1] for name in getattr(day, f"{kind}s")}
                   for kind in KINDS.values()}
        first, last = self.days[before], self.days[after]
        other = {*changed["version"], *changed["variant"], *first.vanished, *last.vanished, *first.gone, *last.gone}
        expected, reached = Counter(), []
        for package in self.packages:
            kinds = tuple(sorted(kind for kind, names in changed.items() if package.name in names))
            reached.append({(package.name, kinds)} if kinds else set().union(*(reached[one] for one in package.needs)))
            if package.name not in other:
                expected.update(dict.fromkeys(reached[-1], self.binaries[after][package.name]))
        return +expected


class Question(NamedTuple):
    name: str
    ask: object         # of a program; gives its run
    goal: float         # times the time of the program before
    peak: bool = False  # has a goal


def questions(history):
    def asked(*arguments):
        return lambda program: Ledger(program, history.ledger.database).run(*arguments)

    for apart, name, goal in ((MONTH, f"{MONTH} days apart", 1 / 12), (SEASON, f"{SEASON} days apart", 1 / 30),
                              (history.last, "of the first and the last day", 1 / 30)):
        if apart < history.last or apart not in (MONTH, SEASON):
            yield Question(f"why, {name}", asked("why", *history.pair(apart)), goal, True)
            yield Question(f"diff --summary, {name}", asked("diff", *history.pair(apart), "--summary"), goal, True)
    losses = [day.number for before, day in zip(history.days, history.days[1:]) if day.gone and not before.gone]
    if losses:
        yield Question("diff, low packages gone and still needed", asked("diff", *history.pair(1, losses[-1])), 1 / 100)
    yield Question("diff of neighbours", asked("diff", *history.pair(1)), 1 / 3)
    yield Question("dependents of the most needed", asked("dependents", MOST_NEEDED), 1 / 6)
    for report in ("missing", "wanted"):
        yield Question(f"report coverage/{report}",
                       asked("report", f"coverage/{report}", "--lock", history.pair(min(WEEK, history.last))[0]), 1 / 6)
    yield Question("report audit/closure", asked("report", "audit/closure"), 1 / 5)
    yield Question("report history/causes", asked("report", "history/causes"), 1 / 4)
    yield Question("check", asked("check"), 1 / 3)
    yield Question("one more day", history.ingest_into_copy, 1 / 3)
    yield Question("site", history.make_site, 1 / 3)


class Benchmark:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.results = Results()
        programs = [program for program in (options.program, options.before) if program]
        self.has_pages = all((program.parent / "site-bundle").exists() for program in programs)
        if not self.has_pages:
            self.results.skip("site", "no site-bundle beside the program")
        self.peaks = []
        self.values = {name: getattr(options, name) for name in generate_daily.DEFAULTS}
        self.full_size = self.values == generate_daily.DEFAULTS

    def goal(self, value):
        return value if self.full_size else None

    def measure_all(self):
        full = self.measure_history("", self.values, self.options.before)
        self.results.add("peak memory of why and diff --summary", [max(self.peaks)], "MB", self.goal(GOAL_PEAK))
        for name in ("days", "records"):
            title = f"a quarter of the {name}: "
            smaller = self.measure_history(title, {**self.values, name: self.values[name] // QUARTER})
            for question, runs in smaller.items():
                if question in full:
                    growth = best(full[question], "cpu_seconds") / max(best(runs, "cpu_seconds"), LEAST_SECONDS)
                    self.results.add(f"{question}, of a quarter of the {name}", [growth], "ratio",
                                     self.goal(GOAL_GROWTH))

    def measure_history(self, title, values, before=None):
        """Gives the runs of the program by question. `before`: another program."""
        folder = self.folder / f"daily-{values['days']}-{values['records']}"
        history = History(self.options.program, folder, values)
        self.results.add_times(f"{title}first day", history.runs[:1])
        self.results.add_times(f"{title}further day", history.runs[1:])
        self.results.add(f"{title}file", [history.ledger.database.stat().st_size / 1e6], "MB")
        for apart in sorted({1, min(MONTH, history.last), history.last}):
            reasons = history.check_reasons(apart)
            self.results.add(f"{title}reasons that are as expected, {apart} days apart", [reasons], "")
        runs = {question.name: self.measure(title, question, before) for question in questions(history)
                if question.name != "site" or self.has_pages}
        shutil.rmtree(folder)
        return runs

    def measure(self, title, question, before):
        """Of the programs in turn, so that what else the machine does falls on both."""
        own, others = [], []
        for _ in range(self.options.runs):
            for program, runs in ((self.options.program, own), (before, others)):
                if program and (not runs or runs[0].seconds < LONG):
                    runs.append(question.ask(program))
        self.results.add_times(title + question.name, own)
        if question.peak:
            self.peaks += [one.peak_mb for one in own]
        if before:
            self.results.add_times(f"before: {question.name}", others)
            self.results.add_ratio(f"time of {question.name} / before", own, others,
                                   self.goal(round(question.goal, 3)))
        return own


def read_options():
    parser = options_parser(__doc__, generate_daily.DEFAULTS)
    parser.add_argument("--before", type=pathlib.Path, metavar="PATH", help="another program, which is to answer the same")
    parser.add_argument("--runs", type=int, default=3, metavar="N",
                        help=f"of each question; what takes more than {LONG} seconds runs once; default %(default)s")
    options = parser.parse_args()
    if options.days // QUARTER < 2:
        parser.error(f"expected at least {2 * QUARTER} days")
    return options


def main():
    options = read_options()
    for program in filter(None, (options.program, options.before)):
        if not is_there(program):
            print(f"skipped: the program {program} is not there")
            return
    folder = options.work / "daily-databases"
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(options, [*generate_daily.DEFAULTS, "runs"])
    benchmark = Benchmark(options, folder)
    benchmark.measure_all()
    report.finish(benchmark.results, folder / "results.json",
                  f"{options.days} days of {options.records} records, {options.stacks} stacks")


if __name__ == "__main__":
    main()
