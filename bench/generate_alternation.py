#!/usr/bin/env python3
"""Makes a history in which one page alternates between two texts that have no spec in common, a commit each, while a
few others stay as they are: OUT/pages.git. The same options give the same commits. Needs git; takes seconds."""

import argparse
import pathlib

import cache_model
import generate_history

DEFAULTS = {"commits": 1600, "specs": 500, "seed": 1}
OTHERS = 50
SPECS_OF_OTHERS = 20


def generate(out, options):
    out.mkdir(parents=True)
    cache = cache_model.Cache(OTHERS, OTHERS * SPECS_OF_OTHERS, 0, options.seed)
    others = {name: cache.page(name) for name in cache.packages}
    name = cache.add_package(options.specs)
    texts = [cache.page(name)]
    specs = cache.packages[name].specs
    specs[:] = [spec._replace(hash=cache.new_hash()) for spec in specs]
    texts.append(cache.page(name))

    repository = generate_history.FastImport(out / "pages.git")
    for number in range(options.commits):
        changes = {name: texts[number % 2]} | (others if number == 0 else {})
        repository.commit(number, [(generate_history.page_path(page), text) for page, text in changes.items()])
    repository.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, help="a folder that is not there yet")
    for name, default in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    generate(options.out, options)


if __name__ == "__main__":
    main()
