#!/usr/bin/env python3
"""Makes the history of a build cache the size of the public one, to measure with: OUT/pages.git, a bare repository of
package pages with a commit for each state, and with --folders the states as folders below OUT/states. The same
options give the same commits. Needs git; 30 states take half a minute and 60 MB, 600 some ten minutes and 1.2 GB
(and 3 GB while it packs)."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cache_model

FIRST_MOMENT = 1672552800  # 2023-01-01T06:00:00Z
SECONDS_BETWEEN_STATES = 86400
DEFAULTS = {"states": 30, "packages": 1371, "specs": 64500, "churn": 0.01, "seed": 1}


def git_environment():
    """Without the configuration of the machine, so that it makes no difference."""
    return {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def git(repository, *arguments):
    subprocess.run(["git", "-C", repository, *arguments], check=True, env=git_environment())


def page_path(name):
    return f"_cache/{cache_model.TAG}/{name}/specs.md"


class FastImport:
    """Commits by way of `git fast-import`. Without deltas: repacking finds better ones."""

    def __init__(self, repository):
        subprocess.run(["git", "init", "--quiet", "--bare", repository], check=True, env=git_environment())
        git(repository, "symbolic-ref", "HEAD", "refs/heads/main")
        self.process = subprocess.Popen(
            ["git", "-C", repository, "-c", "core.compression=1", "fast-import", "--quiet", "--depth=0"],
            stdin=subprocess.PIPE, env=git_environment())

    def commit(self, number, changes):
        """`changes`: pairs of a path and its text, or None where it is gone."""
        write = self.process.stdin.write
        moment = FIRST_MOMENT + number * SECONDS_BETWEEN_STATES
        message = f"State {number}\n"
        write(f"commit refs/heads/main\ncommitter Benchmark <benchmark@example.org> {moment} +0000\n"
              f"data {len(message)}\n{message}".encode())
        for path, text in changes:
            if text is None:
                write(f"D {path}\n".encode())
            else:
                data = text.encode()
                write(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
        write(b"\n")

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("git fast-import failed")


class Folders:
    """The states as folders. A page that did not change is a hard link to what it was."""

    def __init__(self, root):
        self.root = root

    def add(self, number, changes, names):
        changed = dict(changes)
        for name in names:
            path = page_path(name)
            target = self.root / f"{number:03}" / path
            target.parent.mkdir(parents=True)
            if path in changed:
                target.write_text(changed[path])
            else:
                os.link(self.root / f"{number - 1:03}" / path, target)


def generate(out, options):
    cache = cache_model.Cache(options.packages, options.specs, options.churn, options.seed)
    repository = FastImport(out / "pages.git")
    folders = Folders(out / "states")
    changed = set(cache.packages)
    specs = []
    for number in range(options.states):
        changes = [(page_path(name), cache.page(name) if name in cache.packages else None)
                   for name in sorted(changed)]
        repository.commit(number, changes)
        if number < options.folders:
            folders.add(number, changes, cache.packages)
        specs.append(cache.spec_count())
        if sys.stderr.isatty():
            print(f"\rstate {number + 1} of {options.states}", end="", file=sys.stderr, flush=True)
        changed = cache.step()
    repository.close()
    return specs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, help="a folder that is not there yet")
    parser.add_argument("--states", type=int, default=DEFAULTS["states"])
    parser.add_argument("--packages", type=int, default=DEFAULTS["packages"])
    parser.add_argument("--specs", type=int, default=DEFAULTS["specs"], help="in the first state")
    parser.add_argument("--churn", type=float, default=DEFAULTS["churn"], help="share of the specs that a state changes")
    parser.add_argument("--seed", type=int, default=DEFAULTS["seed"])
    parser.add_argument("--folders", type=int, nargs="?", const=sys.maxsize, default=0, metavar="N",
                        help="write the first N states (or all) as folders, too")
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    if min(options.states, options.packages, options.specs) < 1 or not 0 <= options.churn <= 1:
        parser.error("expected at least one state, package and spec, and a churn from 0 to 1")

    # An interruption leaves nothing with the final name.
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=options.out.name + ".", dir=options.out.parent) as unfinished:
        made = pathlib.Path(unfinished) / "made"
        made.mkdir()
        specs = generate(made, options)
        print("\npacking" if sys.stderr.isatty() else "packing", file=sys.stderr)
        git(made / "pages.git", "repack", "-adq")
        git(made / "pages.git", "pack-refs", "--all")
        (made / "states.json").write_text(json.dumps({"specs": specs}) + "\n")
        made.rename(options.out)


if __name__ == "__main__":
    main()
