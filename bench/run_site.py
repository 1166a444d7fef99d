#!/usr/bin/env python3
"""Measures the site of a made-up build cache of all tags, and that of a history of 600 states of one tag; makes what is
missing (see generate_tree.py and generate_history.py). Prints a table, writes it as JSON, and fails only where the
program does: a goal that is not met is said to be so. Without a browser, only how a site is made. Needs git."""

import json
import pathlib
import shutil
import subprocess

import generate_history
import generate_tree
from benchmark import ROOT, Ledger, Report, data_folder, is_there, options_parser
from measure import Results

MB = 1e6
MOMENT = "2025-04-01"    # of tags without a date

# The goals for a cache of full size on a machine with two cores: of the figures of site_figures.mjs, and of making it.
GOAL_MADE = 5            # s
GOAL_FILE = 5            # MB
GOALS = {"first_package_bytes": 1.5, "first_package_time": 1000, "first_build_bytes": 1.5, "first_build_time": 1000, "first_paint": 500, "overview": 1500, "first_answer": 3000, "first_answer_pause": 100, "heat_elements": 2000,
         "frame_median": 20, "frame_95": 60, "memory_answer": 350, "memory_views": 350}
GOALS_OF_HISTORY = {"overview": 1500, "first_answer_pause": 100, "first_package_bytes": 3, "first_package_time": 1000,
                    "first_build_bytes": 3, "first_build_time": 1000}
WORDS = {
    "first_paint": ("first paint", "ms"),
    "overview": ("overview, without SQLite", "ms"),
    "first_package_bytes": ("first page of a package, all requests", "MB"),
    "first_package_time": ("first page of a package", "ms"),
    "first_build_bytes": ("first page of a build, all requests", "MB"),
    "first_build_time": ("first page of a build", "ms"),
    "first_answer": ("first answer of SQL, with loading the ledger", "ms"),
    "first_answer_pause": ("longest pause of the page meanwhile", "ms"),
    "heat_elements": ("elements of the document, heat map", "count"),
    "frame_median": ("median frame while the heat map scrolls", "ms"),
    "frame_95": ("95th percentile of these frames", "ms"),
    "memory_answer": ("peak memory, overview and first answer", "MB"),
    "memory_views": ("peak memory, all views", "MB"),
}


class Benchmark:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.results = Results()
        self.modules = options.modules.resolve()

    def measure(self, title, ledger, goals):
        """Makes the site of the ledger, and opens it."""
        site = self.folder / f"site-{ledger.database.stem}"
        runs = []
        for _ in range(self.options.runs):
            shutil.rmtree(site, ignore_errors=True)
            runs.append(ledger.run("site", site))
        self.results.add_times(f"{title}: site is made", runs, "s", GOAL_MADE if goals else None)
        self.results.add_times(f"{title}: the same site is made again", [ledger.run("site", site) for _ in range(self.options.runs)], "s")
        self.results.add(f"{title}: peak memory of that", [max(one.peak_mb for one in runs)], "MB")
        sizes = [file.stat().st_size / MB for file in site.rglob("*") if file.is_file()]
        self.results.add(f"{title}: size", [sum(sizes)], "MB")
        self.results.add(f"{title}: largest file", [max(sizes)], "MB", GOAL_FILE if goals else None)
        if reason := self.no_browser():
            self.results.skip(f"{title}: the pages", reason)
            return
        visits = [self.visit(site) for _ in range(self.options.runs)]
        for name, (words, unit) in WORDS.items():
            self.results.add(f"{title}: {words}", [visit[name] for visit in visits], unit, goals.get(name))

    def no_browser(self):
        missing = [str(what) for what in (self.modules / "playwright-core", self.options.chromium) if not what.exists()]
        if shutil.which("node") is None:
            missing.append("node")
        return f"{' and '.join(missing)} is not there" if missing else ""

    def visit(self, site):
        script = pathlib.Path(__file__).with_name("site_figures.mjs")
        written = subprocess.run(["node", script, site, self.modules, self.options.chromium], check=True,
                                 stdout=subprocess.PIPE).stdout
        return json.loads(written)


def ledger_of_tree(options, folder, values):
    data = data_folder(options.work, "tree", generate_tree, values)
    ledger = Ledger(options.program, folder / "full.db")
    ledger.run("ingest", data / "tree", "--taken-at", MOMENT)
    return ledger


def ledger_of_history(options, folder, values):
    data = data_folder(options.work, "history", generate_history, values, "--folders=0")
    ledger = Ledger(options.program, folder / "history.db")
    ledger.run("ingest", "--history", data / "pages.git", "--rev", "HEAD")
    return ledger


def read_options():
    parser = options_parser(__doc__, generate_tree.DEFAULTS)
    parser.add_argument("--states", type=int, default=600, help="of the history; default %(default)s")
    parser.add_argument("--packages", type=int, default=200, help="of the history; default %(default)s")
    parser.add_argument("--specs", type=int, default=6000, help="in the first state; default %(default)s")
    parser.add_argument("--modules", type=pathlib.Path, default=ROOT / "build" / "site-modules" / "node_modules", metavar="DIR",
                        help="packages of npm, with playwright-core")
    parser.add_argument("--chromium", type=pathlib.Path, default=pathlib.Path("/usr/bin/chromium"), metavar="FILE")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of each measurement; default %(default)s")
    return parser.parse_args()


def main():
    options = read_options()
    bundle = options.program.parent / "site-bundle"
    if not is_there(options.program) or not bundle.exists() or shutil.which("git") is None:
        print(f"skipped: the program (see --program), the pages {bundle} or git is not there")
        return
    report = Report(options, [*generate_tree.DEFAULTS, "states", "packages", "specs", "runs"])
    folder = options.work / "site-databases"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tree = {name: getattr(options, name) for name in generate_tree.DEFAULTS}
    history = {**generate_history.DEFAULTS, "states": options.states, "packages": options.packages, "specs": options.specs}
    benchmark = Benchmark(options, folder)
    benchmark.measure("all tags", ledger_of_tree(options, folder, tree), GOALS if tree == generate_tree.DEFAULTS else {})
    benchmark.measure(f"{options.states} states", ledger_of_history(options, folder, history),
                      GOALS_OF_HISTORY if options.states == 600 else {})
    report.finish(benchmark.results, folder / "results.json",
                  f"{options.pages} pages, {options.hashes} hashes; {options.states} states of {options.specs} specs")


if __name__ == "__main__":
    main()
