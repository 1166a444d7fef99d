#!/usr/bin/env python3
"""Measures whether the time of a command grows as its input does, on inputs that are odd in one way: hashes that are alike, a chain
of dependencies, many tags in one run, many stacks, a long history of one package, a package with many builds. Each is made at two
sizes, one ten times the other. Fails only where the program does. Needs git; takes a minute."""

import hashlib
import json
import pathlib
import shutil
import subprocess
from typing import NamedTuple

import generate_history
import graph_model
from benchmark import Ledger, Report, is_there, options_parser, remove
from measure import Results

DEFAULTS = {"scale": 1.0}
FACTOR = 10
# Of the processor time, with a little over FACTOR for what sorts, and misses caches.
GOAL_GROWTH = 15
LEAST_SECONDS = 0.02  # a shorter time is that of starting the program
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
REF = "develop"
PACKAGES = 1000
LIVING = 20           # builds of the package with a long history that are there at a time


def spread(number):
    return graph_model.base32(hashlib.sha1(str(number).encode()).digest())


def alike(number):
    """A hash that differs from others of its kind in the last characters only."""
    text = ""
    for _ in range(6):
        text = ALPHABET[number % len(ALPHABET)] + text
        number //= len(ALPHABET)
    return text.rjust(32, "a")


def record(number, node_hash, needed=()):
    node = {"name": f"pkg{number % PACKAGES}", "version": "1.0", "namespace": "builtin", "package_hash": "x" * 52,
            "arch": {"platform": "linux", "platform_os": "ubuntu22.04", "target": "x86_64_v3"},
            "parameters": {"build_system": "generic", "cflags": [], "cppflags": [], "cxxflags": [], "fflags": [],
                           "ldflags": [], "ldlibs": []},
            "annotations": {"original_specfile_version": 5}, "hash": node_hash}
    if needed:
        node["dependencies"] = [{"name": f"pkg{one % PACKAGES}", "hash": spread(one),
                                 "parameters": {"deptypes": ["build", "link"], "virtuals": []}} for one in needed]
    return {"spec": node, "ref_count": 0, "in_buildcache": True}


def write_index(file, records):
    installs = {one["spec"]["hash"]: one for one in records}
    file.write_text(json.dumps({"database": {"version": "8", "installs": installs}}))


def page(name, builds, tag=REF):
    entries = [{"compiler": "gcc@13.2.0", "hash": spread(number), "os": "ubuntu22.04", "platform": "linux", "size": "-",
                "stacks": ["root", "tools"], "target": "x86_64_v3", "variants": [f"level={number % 97}"],
                "versions": [f"1.{number % 50}"]} for number in builds]
    return (f'---\ntitle: "{name}"\nlayout: cache\ncategories: [package, {tag}]\nmeta: {{}}\n'
            f"spec_details: {json.dumps(entries)}\n---")


def write_spread(folder, size):
    write_index(folder / "index.json", (record(number, spread(number)) for number in range(size)))


def write_alike(folder, size):
    write_index(folder / "index.json", (record(number, alike(number)) for number in range(size)))


def chain(size, steps):
    """Records of which each needs those so many steps further."""
    return (record(number, spread(number), [number + step for step in steps if number + step < size])
            for number in range(size))


def write_lock(file, records):
    nodes = {one["spec"]["hash"]: one["spec"] for one in records}
    first = next(iter(nodes.values()))
    file.write_text(json.dumps({"_meta": {"file-type": "spack-lockfile", "lockfile-version": 6, "specfile-version": 5},
                                "roots": [{"hash": first["hash"], "spec": first["name"]}], "concrete_specs": nodes}))


def write_missing_chain(folder, size):
    """A lock file of which the cache has the last spec only."""
    write_lock(folder / "spack.lock", chain(size, (1,)))
    write_index(folder / "index.json", [record(size - 1, spread(size - 1))])


def write_missing_three(folder, size):
    write_lock(folder / "spack.lock", chain(size, (1, 2, 3)))
    write_index(folder / "index.json", [record(size - 1, spread(size - 1))])


def write_chain(folder, size):
    write_index(folder / "index.json", chain(size, (1,)))


def write_tags(folder, size):
    for number in range(size):
        (folder / f"{number}.md").write_text(page("zlib", [number], f"tag{number}"))


def write_stacks(folder, size):
    write_index(folder / "index.json", (record(number, spread(number)) for number in range(3)))
    labels = [{"label": f"stack{number}", "url": "index.json"} for number in range(size)]
    (folder / "refs.json").write_text(json.dumps({REF: labels}))


def write_history(folder, size):
    repository = generate_history.FastImport(folder / "pages.git")
    for number in range(size):
        repository.commit(number, [(generate_history.page_path("zlib"), page("zlib", range(number, number + LIVING)))])
    repository.close()


def write_builds(folder, size):
    for name, first in (("before", 0), ("after", size // 2)):
        (folder / name).mkdir()
        (folder / name / "specs.md").write_text(page("zlib", range(first, first + size)))


class Case(NamedTuple):
    name: str
    size: int                # the smaller one
    write: object
    load: tuple              # arguments of each ingest, with {} for the folder
    ask: tuple = ()          # arguments of further commands, likewise
    least_size: int = 20


BEFORE, AFTER = f"{REF}@2024-01-01", f"{REF}@2024-01-02"
INDEX = (("{}/index.json", "--tag", REF, "--taken-at", "2024-01-01"),)
CASES = (
    Case("records of an index", 6000, write_spread, INDEX),
    Case("records whose hashes are alike", 6000, write_alike, INDEX),
    Case("nodes of a chain", 12000, write_chain, INDEX,
         (("check",), ("dependents", "pkg5"), ("report", "audit/closure"))),
    Case("missing specs of a chain", 600, write_missing_chain, INDEX, (("coverage", "{}/spack.lock"),)),
    Case("missing specs that need three others", 1000, write_missing_three, INDEX, (("coverage", "{}/spack.lock"),)),
    Case("tags of one run", 200, write_tags, (("{}", "--taken-at", "2024-01-01"),), (("snapshots",),)),
    Case("stacks of one run", 200, write_stacks, (("{}/refs.json", "--taken-at", "2024-01-01"),),
         (("report", "coverage/stacks"),)),
    Case("snapshots of a package", 400, write_history, (("--history", "{}/pages.git"),),
         (("history", "zlib"), ("check",), ("snapshots",), ("report", "history/growth"), ("report", "history/stacks"))),
    Case("builds of a package", 2000, write_builds,
         (("{}/before", "--taken-at", "2024-01-01"), ("{}/after", "--taken-at", "2024-01-02")),
         (("diff", BEFORE, AFTER), ("why", BEFORE, AFTER), ("history", "zlib"), ("report", "coverage/redundancy"))),
)


class Benchmark:
    def __init__(self, options, data):
        self.options = options
        self.data = data
        self.results = Results()

    def measure(self, case):
        small, large = (self.run(case, size) for size in (self.size(case), FACTOR * self.size(case)))
        for name, one in small.items():
            other = large[name]
            title = f"{FACTOR * self.size(case)} {case.name}: {name}"
            self.results.add_times(title, [other])
            growth = other.cpu_seconds / max(one.cpu_seconds, LEAST_SECONDS)
            self.results.add(f"{title}, of a tenth", [growth], "ratio",
                             GOAL_GROWTH if self.options.scale == DEFAULTS["scale"] else None)

    def size(self, case):
        return max(case.least_size, round(case.size * self.options.scale))

    def run(self, case, size):
        """What each command takes, by its first words."""
        folder = self.data / f"{case.write.__name__}-{size}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        case.write(folder, size)
        ledger = Ledger(self.options.program, folder / "all.db")
        remove(ledger.database)
        runs = {}
        for number, arguments in enumerate(case.load):
            name = "ingest" if number == 0 else "a second ingest"
            runs[name] = ledger.run("ingest", *(word.format(folder) for word in arguments))
        for arguments in case.ask:
            name = " ".join(word for word in arguments if "@" not in word and "{}" not in word)
            runs[name] = ledger.run(*(word.format(folder) for word in arguments))
        shutil.rmtree(folder)
        return runs


def main():
    parser = options_parser(__doc__, DEFAULTS)
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="each command runs once, whatever N is")
    options = parser.parse_args()
    missing = [] if shutil.which("git") else ["git"]
    if not is_there(options.program):
        missing.append(f"the program {options.program} (see --program)")
    if missing:
        print(f"skipped: {' and '.join(missing)} is not there")
        return
    report = Report(options, [*DEFAULTS])
    data = options.work / "growth"
    data.mkdir(parents=True, exist_ok=True)
    benchmark = Benchmark(options, data)
    for case in CASES:
        benchmark.measure(case)
    report.finish(benchmark.results, data / "results.json", f"inputs of {FACTOR} times the size")


if __name__ == "__main__":
    main()
