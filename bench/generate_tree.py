#!/usr/bin/env python3
"""Makes the pages of a build cache the size of the public one, to measure with: OUT/tree, 12 tags below `_cache` as the
site's repository has them; OUT/next, the pages of one tag more, all rebuilt; and OUT/week, the same tag with a tenth of
its specs new and the others from the week before. The same options give the same bytes. Takes ten seconds."""

import argparse
import json
import pathlib
import sys
import tempfile

import cache_model

# The sizes of the public cache in spring 2025.
DEFAULTS = {"pages": 14637, "entries": 198380, "hashes": 145809, "seed": 1}
NEXT_PAGES, NEXT_SPECS_PER_PAGE = 1200, 10  # or all packages, if there are fewer
# Each tag with its share of all entries in %, in order of time. Later tags also have more packages.
TAGS = (("v0.18.0", 5), ("v0.18.1", 5), ("v0.19.0", 5.5), ("v0.20.0", 6), ("v0.21.0", 7), ("v0.22.0", 7.5),
        ("v0.23.0", 8), ("develop-2025-03-09", 11), ("develop-2025-03-16", 11), ("develop-2025-03-23", 11),
        ("develop-2025-03-30", 11), ("develop", 12))
WEEK_PAGES, WEEK_SPECS, WEEK_NEW = 1206, 12700, 1300     # or less, if there are fewer packages
WEEK_BEFORE = "develop-2025-03-30"
NEXT_TAG = "develop-2025-04-06"
# With these values the pages have as many bytes, and the largest page as many specs, as the public ones.
WORD_SKEW, PAGE_SKEW = 12, 1.1
CACHED_MOVED = 0.02  # the share of the specs common with the tag before that are in other stacks


def shares(total, weights):
    """Whole numbers in proportion to the weights, with this sum."""
    scale = total / sum(weights)
    ends = [round(scale * sum(weights[:i])) for i in range(len(weights) + 1)]
    return [end - begin for begin, end in zip(ends, ends[1:])]


def pages_of_tags(pages):
    """From 80 % of what the last tag has, evenly up."""
    count = len(TAGS)
    return shares(pages, [0.8 + 0.2 * i / (count - 1) for i in range(count)])


class Tree:
    def __init__(self, pages, entries, hashes, seed):
        self.pages, self.entries = pages_of_tags(pages), shares(entries, [weight for _, weight in TAGS])
        packages = max(self.pages)
        self.cache = cache_model.Cache(packages, 0, 0, seed, WORD_SKEW)
        self.names = list(self.cache.packages)
        self.rng = self.cache.rng
        self.rng.shuffle(self.names)
        sizes = [self.sizes(*tag) for tag in zip(self.pages, self.entries)]
        room = sum(min(now.get(name, 0), before.get(name, 0))
                   for before, now in zip(sizes, sizes[1:]) for name in now)
        if hashes > entries or entries - hashes > room:
            sys.exit(f"expected between {entries - room} and {entries} hashes for {entries} entries")
        self.tags = list(zip((tag for tag, _ in TAGS), sizes))
        self.repeated, self.room = entries - hashes, room

    def sizes(self, pages, entries):
        """Specs by package. A package with many has many in every tag."""
        return dict(zip(self.names, cache_model.page_sizes(pages, max(pages, entries), PAGE_SKEW)))

    def states(self):
        """Pairs of a tag and its specs by package."""
        before, room_done, repeats_done = {}, 0, 0
        self.week_before = {}
        for tag, sizes in self.tags:
            state = {}
            for name, size in sizes.items():
                old = before.get(name, [])
                room_done += min(size, len(old))
                repeats = self.repeated * room_done // self.room - repeats_done if self.room else 0
                repeats_done += repeats
                state[name] = self.specs(name, self.rng.sample(old, repeats), size)
            yield tag, state
            before = state
            if tag == WEEK_BEFORE:
                self.week_before = state

    def next_state(self):
        pages = min(NEXT_PAGES, len(self.names))
        return {name: self.specs(name, [], size)
                for name, size in self.sizes(pages, pages * NEXT_SPECS_PER_PAGE).items()}

    def week_state(self):
        """To be made last: after states(), and without effect on next_state()."""
        old = self.week_before
        pages = min(WEEK_PAGES, len(old))
        part = pages / WEEK_PAGES
        names = self.names[:pages]
        kept = self.rng.sample([(name, spec) for name in names for spec in old[name]],
                               round(part * (WEEK_SPECS - WEEK_NEW)))
        by_name = {name: [] for name in names}
        for name, spec in kept:
            by_name[name].append(spec)
        new = [name for name in names if not by_name[name]]  # each page has a spec
        new += self.rng.choices(names, k=max(0, round(part * WEEK_NEW) - len(new)))
        return {name: self.specs(name, specs, len(specs) + new.count(name)) for name, specs in by_name.items()}

    def specs(self, name, kept, size):
        package = self.cache.packages[name]
        if not kept:
            package.versions.append(self.cache.new_version())
            package.variants.append(self.cache.new_variants())
        specs = [spec._replace(stacks=self.cache.common(self.cache.stack_sets[spec.arch]))
                 if self.rng.random() < CACHED_MOVED else spec for spec in kept]
        return specs + [self.cache.new_spec(package) for _ in range(size - len(kept))]


def write_tag(root, tag, state, counts):
    for name, specs in state.items():
        folder = root / "_cache" / tag / name
        folder.mkdir(parents=True)
        data = cache_model.page_text(name, specs, tag).encode()
        (folder / "specs.md").write_bytes(data)
        counts["pages"] += 1
        counts["bytes"] += len(data)
        counts["entries"] += len(specs)
        counts["hashes"].update(spec.hash for spec in specs)
        counts["variant_sets"].update(spec.variants for spec in specs)
        counts["stack_sets"].update(spec.stacks for spec in specs)
        counts["largest_page"] = max(counts["largest_page"], len(specs))


def new_counts():
    return {"pages": 0, "bytes": 0, "entries": 0, "largest_page": 0, "hashes": set(), "variant_sets": set(),
            "stack_sets": set()}


def plain(counts):
    return {name: len(value) if isinstance(value, set) else value for name, value in counts.items()}


def generate(out, tree):
    counts, next_counts, week_counts = new_counts(), new_counts(), new_counts()
    for tag, state in tree.states():
        write_tag(out / "tree", tag, state, counts)
    write_tag(out / "next", NEXT_TAG, tree.next_state(), next_counts)
    week = tree.week_state()
    write_tag(out / "week", NEXT_TAG, week, week_counts)
    week_counts["new"] = len(week_counts["hashes"] - counts["hashes"])
    text = json.dumps({"tree": plain(counts), "next": plain(next_counts), "week": plain(week_counts)}, indent=2)
    (out / "counts.json").write_text(text + "\n")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path, metavar="OUT", help="a folder that is not there yet")
    for name, default in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"default {default}")
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    tree = Tree(options.pages, options.entries, options.hashes, options.seed)

    # An interruption leaves nothing with the final name.
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=options.out.name + ".", dir=options.out.parent) as unfinished:
        made = pathlib.Path(unfinished) / "made"
        made.mkdir()
        print(generate(made, tree))
        made.rename(options.out)


if __name__ == "__main__":
    main()
