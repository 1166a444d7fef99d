"""Other ways to load the same pages, which the program is compared with. One that can't be had is left out."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from benchmark import is_there, remove
from measure import CommandFailed, run

HERE = pathlib.Path(__file__).resolve().parent
DUCKDB = "@duckdb/node-api"
SECONDS_TO_INSTALL = 180
GRAPH_TABLES = ("spec", "look", "node", "recipe", "dependency", "presence")
COUNTS = "SELECT (SELECT count(*) FROM presence), (SELECT count(DISTINCT hash) FROM spec)"


class Unusable(Exception):
    """Its text says why."""


def sqlite_counts(database, sql=COUNTS):
    """What was loaded: (entries, distinct hashes)."""
    connection = sqlite3.connect(database)
    try:
        return connection.execute(sql).fetchone()
    finally:
        connection.close()


class Yardstick:
    def __init__(self, name, goal, command, database, counts=sqlite_counts, most_runs=None):
        self.name = name
        self.goal = goal          # the largest ratio of the program's time to this one's
        self.command = command    # is called with a folder and a database
        self.database = database
        self.counts = counts
        self.most_runs = most_runs
        self.runs = []

    def load(self, tree, expected):
        """Loads it once, and counts, so that nothing is compared with a yardstick that does nothing."""
        if self.most_runs is not None and len(self.runs) >= self.most_runs:
            return
        remove(self.database)
        try:
            once = run([*self.command, tree, self.database])
            counts = tuple(self.counts(self.database))
        except (CommandFailed, subprocess.CalledProcessError, sqlite3.Error) as error:
            raise Unusable(str(error)) from error
        if counts != expected:
            raise Unusable(f"loaded {counts} rows, expected {expected}")
        self.runs.append(once)

    def size_mb(self):
        return self.database.stat().st_size / 1e6


def floor(program, folder):
    if not is_there(program):
        raise Unusable(f"{program} is not there; the target bench-floor builds it")
    return Yardstick("floor", 0.7, [program], folder / "floor.db")


def python(folder):
    return Yardstick("Python", 0.25, [sys.executable, HERE / "yardstick_python.py"], folder / "python.db")


def graph_floor(program, folder):
    if not is_there(program):
        raise Unusable(f"{program} is not there; the target bench-graph-floor builds it")
    return Yardstick("floor", 1.0, [program], folder / "floor.db", graph_counts)


def graph_python(folder):
    script = HERE / "yardstick_graph_python.py"
    return Yardstick("Python", 0.2, [sys.executable, script], folder / "python.db", graph_counts, most_runs=3)


def graph_counts(database):
    """Of the rows that a ledger of one snapshot has, too, under the same names."""
    counts = ", ".join(f"(SELECT count(*) FROM {table})" for table in GRAPH_TABLES)
    return sqlite_counts(database, f"SELECT {counts}")


def duckdb(folder, modules, runs):
    """Installs it into `modules` where it is missing, which needs the network."""
    if runs < 1:
        raise Unusable("not asked for")
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Unusable(f"{program} is not there")
    if not (modules / "node_modules" / DUCKDB).exists():
        install(modules)
    script = ["node", HERE / "yardstick_duckdb.mjs", modules]

    def counts(database):
        written = subprocess.run([*script, "count", database], check=True, stdout=subprocess.PIPE).stdout
        loaded = json.loads(written)
        return loaded["entries"], loaded["hashes"]

    return Yardstick("DuckDB", 0.2, [*script, "load"], folder / "duckdb.db", counts, runs)


def duckdb_version(modules):
    return json.loads((modules / "node_modules" / DUCKDB / "package.json").read_text())["version"]


def install(modules):
    print(f"installing {DUCKDB} into {modules}", file=sys.stderr)
    modules.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", modules, "--no-audit", "--no-fund", "--loglevel=error",
               "--fetch-retries=1", "--fetch-retry-mintimeout=2000", DUCKDB]
    try:
        subprocess.run(command, check=True, timeout=SECONDS_TO_INSTALL, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except subprocess.TimeoutExpired as error:
        raise Unusable(f"npm install took more than {SECONDS_TO_INSTALL} seconds") from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or [""]
        raise Unusable(f"npm install failed: {lines[0]}") from error
