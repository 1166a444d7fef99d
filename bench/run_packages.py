#!/usr/bin/env python3
"""Measures `ingest` of a made-up repository of packages, of the size of spack/spack-packages: all of its history, the same again,
and one more commit; the memory, and what it adds to the ledger. Makes the repository where it is missing (see
generate_packages.py). Prints a table, writes it as JSON, and fails only where the program does. Needs git."""

import shutil
import subprocess

import generate_packages
from benchmark import Ledger, Report, data_folder, is_there, options_parser, remove
from measure import Results


class Packages:
    def __init__(self, options, data):
        self.options = options
        self.repository = data / "packages.git"
        self.ledger = Ledger(options.program, data / "packages.db")
        self.results = Results()
        full = all(getattr(options, name) == value for name, value in generate_packages.DEFAULTS.items())
        self.goals = {"first": 60, "again": 1, "memory": 300, "file": 8} if full else {}

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.repository, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def size(self):
        return self.ledger.database.stat().st_size / 1e6

    def measure_all(self):
        runs = []
        for _ in range(self.options.runs):
            remove(self.ledger.database)
            runs.append(self.ledger.run("ingest", self.repository))
        self.results.add_times("ingest of all", runs, goal=self.goals.get("first"))
        self.results.add("peak memory", [run.peak_mb for run in runs], "MB", self.goals.get("memory"))
        self.results.add("file", [self.size()], "MB", self.goals.get("file"))
        again = [self.ledger.run("ingest", self.repository) for _ in range(self.options.runs)]
        self.results.add_times("ingest again", again, goal=self.goals.get("again"))
        self.measure_next()
        checked = subprocess.run([self.options.program, "--db", self.ledger.database, "check"], stdout=subprocess.PIPE,
                                 text=True, check=True)
        assert checked.stdout == "ok\n"

    def measure_next(self):
        """The last commit alone, into a ledger of those before it."""
        last = self.git("rev-parse", "develop")
        try:
            self.git("update-ref", "refs/heads/develop", f"{last}~1")
            remove(self.ledger.database)
            self.ledger.run("ingest", self.repository)
        finally:
            self.git("update-ref", "refs/heads/develop", last)
        self.results.add_times("ingest of one more commit", [self.ledger.run("ingest", self.repository)],
                               goal=self.goals.get("again"))


def read_options():
    parser = options_parser(__doc__, generate_packages.DEFAULTS)
    parser.add_argument("--runs", type=int, default=2, metavar="N", help="default 2")
    return parser.parse_args()


def main():
    options = read_options()
    if not shutil.which("git") or not is_there(options.program):
        print(f"skipped: git or the program {options.program} (see --program) is not there")
        return
    report = Report(options, [*generate_packages.DEFAULTS, "runs"])
    values = {name: getattr(options, name) for name in generate_packages.DEFAULTS}
    packages = Packages(options, data_folder(options.work, "packages", generate_packages, values))
    packages.measure_all()
    report.finish(packages.results, packages.ledger.database.with_name("packages.json"),
                  f"{options.commits} commits, {options.recipes} recipes, {options.stacks} stacks")


if __name__ == "__main__":
    main()
