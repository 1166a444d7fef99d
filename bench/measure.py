"""Runs programs and keeps what was measured, beside the goal that there is for it."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple


class Run(NamedTuple):
    seconds: float
    cpu_seconds: float  # of all threads; other work of the machine hardly changes it
    peak_mb: float      # resident; at least that of this process, which starts the measured one


class CommandFailed(SystemExit):
    """Ends the benchmark, where nobody catches it."""


def run(command):
    """Runs a command that has to succeed."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        if process.returncode != 0:
            errors.seek(0)
            words = " ".join(map(str, command))
            raise CommandFailed(
                f"{words}: exit code {process.returncode}: {errors.read().decode(errors='replace').strip()}")
    unit = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss, in bytes
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)


def best(runs, what="seconds"):
    return min(getattr(one, what) for one in runs)


def median(runs):
    return statistics.median(one.seconds for one in runs)


class Results:
    def __init__(self):
        self.measurements = []
        self.skipped = []

    def add(self, name, values, unit, goal=None, cpu=None, peak=None):
        """`goal`: what the best of the values should not exceed, for the other work of a machine only adds to it."""
        values = list(values)
        row = {"name": name, "unit": unit, "best": round(min(values), 4), "median": round(statistics.median(values), 4),
               "runs": len(values)}
        if cpu is not None:
            row["cpu"] = round(min(cpu), 4)
        if peak is not None:
            row["peak_mb"] = round(max(peak), 1)
        self.add_row(row, goal)

    def add_row(self, row, goal):
        if goal is not None:
            row["goal"] = goal
            row["met"] = row["best"] <= goal
        self.measurements.append(row)

    def add_times(self, name, runs, unit="s", goal=None, count=1):
        """`count`: of the things that each run did, to get the time of one."""
        scale = {"s": 1, "ms": 1000}[unit] / count
        self.add(name, [one.seconds * scale for one in runs], unit, goal, [one.cpu_seconds * scale for one in runs],
                 [one.peak_mb for one in runs])

    def add_ratio(self, name, runs, others, goal=None):
        """How many times the time of the others: best to best, and median to median."""
        row = {"name": name, "unit": "ratio", "best": round(best(runs) / best(others), 4),
               "median": round(median(runs) / median(others), 4), "runs": min(len(runs), len(others)),
               "cpu": round(best(runs, "cpu_seconds") / best(others, "cpu_seconds"), 4)}
        self.add_row(row, goal)

    def skip(self, name, reason):
        self.skipped.append({"name": name, "reason": reason})

    def print(self):
        rows = [("measurement", "best", "median", "cpu", "peak MB", "runs", "goal", "")]
        for row in self.measurements:
            has_goal = "goal" in row
            rows.append((f"{row['name']} [{row['unit']}]", number(row["best"]), number(row["median"]),
                         number(row.get("cpu")), number(row.get("peak_mb")), str(row["runs"]), f"<= {row['goal']}" if has_goal else "",
                         ("met" if row["met"] else "NOT MET") if has_goal else ""))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])] + [row[-1]]
            print("  ".join(cells).rstrip())
        for skipped in self.skipped:
            print(f"skipped: {skipped['name']}: {skipped['reason']}")

    def write_json(self, file, about):
        text = json.dumps({**about, "measurements": self.measurements, "skipped": self.skipped}, indent=2)
        file.write_text(text + "\n")


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
