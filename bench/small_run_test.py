"""That a benchmark runs on little data and writes what it promises. Looks at no time:
small_run_test.py tree|history|years|graph|daily|growth|packages|postgresql|site PROGRAM FLOOR WORK"""

import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
ROW_KEYS = {"name", "unit", "best", "median", "runs"}
HISTORY = ("ingest --history, all 3 states", "file growth per further state", "peak memory, all 3 states",
           "ingest of a folder, a further state", "diff of adjacent states, json", "report history/growth",
           "peak memory, an alternating page", "time of the last 100 alternations / of the first")
YEARS = ("a state of year 3", "file after year 3", "report history/growth, all states", "snapshots left", "compact",
         "backup, after forget", "one more state, after forget")
TREE = ("ingest of all into a new database", "floor: the same", "Python: the same", "time of ingest / of floor",
        "time of ingest / of Python", "time of ingest again / of ingest", "time of ingest / of a tenth",
        "ingest of one more tag", "time of one more tag, a tenth new / of all", "file", "peak memory of ingest", "report coverage/matrix",
        "report drift/summary of a week", "sql 'SELECT 1'", "--version")
GRAPH = ("ingest into a new database", "floor: the same rows", "Python: the same rows", "time of ingest / of floor",
         "time of ingest / of Python", "time of ingest again / of ingest", "time of a snapshot of the same / of ingest",
         "time of the next state / of ingest", "peak memory of ingest", "file", "why of the next state",
         "why of the next state, with commits", "report drift/commits of the next state",
         "report audit/closure", "dependents of the most used node")

DAILY = ("first day", "further day", "file", "reasons that are as expected, 27 days apart",
         "why, of the first and the last day", "diff, low packages gone and still needed", "report coverage/missing",
         "one more day", "time of check / before", "a quarter of the days: dependents of the most needed",
         "check, of a quarter of the records")

GROWTH = ("200 nodes of a chain: ingest", "200 missing specs of a chain: coverage, of a tenth",
          "200 records whose hashes are alike: ingest, of a tenth",
          "200 snapshots of a package: history zlib, of a tenth", "200 tags of one run: ingest, of a tenth")

PACKAGES = ("ingest of all", "peak memory", "file", "ingest again", "ingest of one more commit")

POSTGRESQL = ("one state: a first publish", "two states: of the file", "a first pull", "a pull of one more state", "check, over the server",
              "2 ledgers: a first publish of each", "count of all_specs", "drift of one ledger")

SITE = ("all tags: site is made", "all tags: size", "3 states: largest file")


def main():
    kind, program, floor, work = sys.argv[1:]
    if kind in ("history", "years", "growth", "packages", "site") and shutil.which("git") is None:
        print("git is not there")
        sys.exit(SKIPPED)
    if kind == "site" and not pathlib.Path(program).with_name("site-bundle").exists():
        print("the pages of a site are not built")
        sys.exit(SKIPPED)
    further, expected = {
        "history": (["--states", "3", "--packages", "50", "--specs", "1000", "--alternations", "202"], HISTORY),
        "years": (["--states", "8", "--year", "2", "--packages", "30", "--specs", "600"], YEARS),
        "tree": (["--floor", floor, "--duckdb-runs", "0", "--pages", "240", "--entries", "2400", "--hashes", "1800"],
                 TREE),
        "graph": (["--floor", floor, "--records", "1500", "--packages", "100", "--stacks", "5", "--changes", "20"],
                  GRAPH),
        "daily": (["--before", program, "--records", "800", "--packages", "60", "--days", "28"], DAILY),
        "growth": (["--scale", "0.0001"], GROWTH),
        "packages": (["--commits", "300", "--recipes", "100", "--stacks", "3", "--mass", "50", "--patch", "100"],
                     PACKAGES),
        "postgresql": (["--records", "1500", "--packages", "100", "--stacks", "5", "--changes", "20", "--ledgers", "2"],
                       POSTGRESQL),
        "site": (["--pages", "240", "--entries", "2400", "--hashes", "1800", "--states", "3", "--packages", "50",
                  "--specs", "1000"], SITE),
    }[kind]
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    script = pathlib.Path(__file__).with_name(f"run_{kind}.py")
    result = work / "small.json"
    subprocess.run([sys.executable, script, "--program", program, "--work", work, "--json", result, "--runs", "1",
                    *further], check=True)
    written = json.loads(result.read_text())
    assert {"program", "options", "machine", "measurements", "skipped"} <= written.keys(), written.keys()
    assert all(ROW_KEYS <= row.keys() for row in written["measurements"])
    names = {row["name"] for row in written["measurements"]}
    assert names.issuperset(expected), set(expected) - names
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
