"""What the benchmarks share: their options, the data that they make, the program, and what is said of the machine."""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
from typing import NamedTuple

from measure import run

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Ledger(NamedTuple):
    program: pathlib.Path
    database: pathlib.Path

    def run(self, *arguments):
        return run([self.program, "--db", self.database, *arguments])

    def rows(self, *arguments):
        command = [self.program, "--db", self.database, *arguments, "--format", "json"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def reports(self, *folders):
        """Names of the reports in these folders of sql/."""
        return sorted(row["report"] for row in self.rows("report", "--all") if row["report"].split("/")[0] in folders)


def remove(database):
    for ending in ("", "-journal", "-wal", "-shm"):
        pathlib.Path(f"{database}{ending}").unlink(missing_ok=True)


def options_parser(description, defaults):
    """`defaults`: of the options that say which data is made, which have the same names in the generator."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "cacheledger", metavar="PATH")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "bench-data", metavar="DIR",
                        help="where the data is kept, and the databases")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="default: results.json beside the databases")
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"default {default}")
    return parser


def is_there(program):
    return os.access(program, os.X_OK)


def data_folder(work, kind, generator, values, *further):
    """Made where it is missing. Its name says what it was made from: `values`, by the generator's options."""
    data = work / "-".join([kind, *map(str, values.values())])
    if not data.exists():
        print(f"making {data}", file=sys.stderr)
        subprocess.run([sys.executable, generator.__file__, data, *further,
                        *(f"--{name}={value}" for name, value in values.items())],
                       check=True, stdout=subprocess.DEVNULL)
    return data


class Report:
    """What is printed and written at the end. Made at the beginning, to know the load before."""

    def __init__(self, options, names):
        self.options = options
        self.names = names  # of the options to report
        self.load_before = os.getloadavg()[0]

    def finish(self, results, default_file, title, **versions):
        load_after = os.getloadavg()[0]
        about = {
            "program": str(self.options.program),
            "options": {name: getattr(self.options, name) for name in self.names},
            "machine": {"system": platform.platform(), "cores": os.cpu_count(), **versions,
                        "load_before": round(self.load_before, 2), "load_after": round(load_after, 2)},
        }
        print(f"{title}; {os.cpu_count()} cores, load {self.load_before:.1f} before and {load_after:.1f} after")
        results.print()
        file = self.options.json or default_file
        results.write_json(file, about)
        print(f"written to {file}")
