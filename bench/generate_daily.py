#!/usr/bin/env python3
"""Makes the indexes that a cache has day by day: OUT/DATE/indexes.json lists the index of each stack, for each day that is asked
for; OUT/truth.json says what changed by day, from the first. A record whose package and dependencies did not change
keeps its text. The same options give the same bytes. Takes a second and 95 MB a day."""

import argparse
import datetime
import json
import pathlib
import random
import zlib
from collections import Counter
from typing import NamedTuple

import generate_graph
import graph_model

DEFAULTS = {"records": 65000, "packages": 1371, "stacks": 6, "days": 120, "seed": 1}
FIRST_DATE = datetime.date(2025, 1, 1)
SHARE = 0.005                # of the packages that are built anew in a day
FORTNIGHT, LARGE_SHARE = 14, 0.5
TOLERANCE = 1.3              # times the share
VERSION, VARIANT = 3, 5      # each so many days one package has another version or variant instead of another recipe
VANISHING, AWAY = 9, 3       # each so many days a package and all that need it vanish, for so many days
# Each so many days, the binaries of so many packages low in the graph are gone for some days, and still needed.
LOSS, LOSS_DAY, LOSS_DAYS, LOST, LOST_SHARE = 40, 22, 3, 9, 0.02


class Day(NamedTuple):
    """Names of packages: what changed of them since the day before, and which are not there."""
    number: int
    date: str
    recipes: list
    versions: list
    variants: list
    vanished: list
    gone: list      # no binary of it is in the cache
    new: int        # records whose hash was not there the day before
    records: int


class Days:
    """To be iterated once. Between its steps, write() writes the indexes of the day."""

    def __init__(self, records, packages, stacks, days, seed):
        self.rng = random.Random(seed)
        self.packages = graph_model.Packages(max(packages, 2 * len(graph_model.BASE)), seed)
        self.above = self.packages.above()
        self.count = days
        self.away = {}  # packages, and the day when they return
        self.gone = set()
        self.stacks = graph_model.stack_names(stacks)
        self.state = graph_model.State(self.packages, self.stacks, graph_model.revisions(), kept=records)
        self.builds = self.state.add_nodes(records)

    def __iter__(self):
        for number in range(self.count):
            known = set(self.state.nodes)
            changed = self.changed(LARGE_SHARE if number % FORTNIGHT == FORTNIGHT - 1 else SHARE) if number else []
            versions = changed[-1:] if number % VERSION == VERSION - 1 else []
            variants = changed[:1] if number % VARIANT == VARIANT - 1 and changed[:1] != versions else []
            recipes = [one for one in changed if one not in versions + variants]
            for counter, numbers in zip(self.state.changes, (versions, recipes, variants)):
                counter.update(numbers)
            self.state.renew(self.builds, self.all_above(changed))
            self.move(number)
            new = len(self.state.nodes.keys() - known)
            yield Day(number, date_of(number), *map(self.names, (recipes, versions, variants, self.away, self.gone)),
                      new, len(self.state.nodes))

    def names(self, numbers):
        return sorted(self.packages.all[number].name for number in numbers)

    def all_above(self, numbers):
        return set().union(*(self.above[number] for number in numbers))

    def changed(self, share):
        """Packages that so many need as the share says, with them."""
        target = share * len(self.above)
        order = [number for number in range(len(self.above)) if number not in graph_model.EXTERNAL]
        self.rng.shuffle(order)
        chosen, anew = [], set()
        for number in order:
            together = anew | self.above[number]
            if len(anew) < target and anew != together and (len(together) <= TOLERANCE * target or len(together) == 1):
                chosen.append(number)
                anew = together
        return chosen

    def move(self, day):
        """What vanishes and returns."""
        self.away = {number: until for number, until in self.away.items() if until > day}
        if day % VANISHING == VANISHING - 1:
            few = min(len(one) for one in self.above)
            chosen = self.rng.choice([one for one in self.above if len(one) <= max(few, SHARE * len(self.above))])
            self.away.update(dict.fromkeys(chosen, day + AWAY))
        if day % LOSS == LOSS_DAY:
            low = [number for number in range(len(graph_model.BASE), len(self.above))
                   if len(self.above[number]) >= LOST_SHARE * len(self.above)]
            self.gone = set(self.rng.sample(low, min(LOST, len(low))))
        elif day % LOSS == LOSS_DAY + LOSS_DAYS:
            self.gone = set()

    def write(self, folder):
        """Gives the number of binaries by package."""
        nodes = self.state.nodes
        present = {node_hash: place for place, node_hash in self.state.hashes.items() if place[0] not in self.away}
        in_cache = {one for one, place in present.items() if not nodes[one].external and self.pushed(place)}
        labels = {stack: [one for one in present if stack in nodes[one].stacks] for stack in self.stacks}
        generate_graph.write_indexes(folder, nodes, in_cache, labels)
        return Counter(self.packages.all[present[one][0]].name for one in in_cache)

    def pushed(self, place):
        """Whether the cache has its binary. Some that others need are missing each day, so that some closures have gaps."""
        needed = len(self.above[place[0]]) > 1
        return place[0] not in self.gone and not (needed and zlib.crc32(repr(place).encode()) % generate_graph.NOT_PUSHED == 0)


def date_of(number):
    return str(FIRST_DATE + datetime.timedelta(days=number))


def write_truth(file, days):
    file.write_text(json.dumps([day._asdict() for day in days], indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path, metavar="OUT", help="a folder that is not there yet")
    for name, default in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"default {default}")
    parser.add_argument("--first", type=int, default=0, metavar="DAY", help="write the days from this one on; default 0")
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    days = Days(**{name: getattr(options, name) for name in DEFAULTS})
    options.out.mkdir(parents=True)
    truth = []
    for day in days:
        truth.append(day)
        if day.number >= options.first:
            days.write(options.out / day.date)
    write_truth(options.out / "truth.json", truth)


if __name__ == "__main__":
    main()
