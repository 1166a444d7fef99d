#!/usr/bin/env python3
"""yardstick_python.py FOLDER DATABASE: loads the pages below FOLDER the way a short script would, as a yardstick for
the program: Python's json and sqlite3, two ordinary tables, nothing interned, one transaction."""

import json
import pathlib
import sqlite3
import sys

TABLES = """
CREATE TABLE spec (hash TEXT PRIMARY KEY, package TEXT, version TEXT, platform TEXT, os TEXT, target TEXT,
                   compiler TEXT, variants TEXT);
CREATE TABLE presence (tag TEXT, hash TEXT, stacks TEXT);
"""


def read(page):
    """The package, its tag and the specs that the page lists."""
    for line in page.read_text().splitlines():
        name, _, value = line.partition(": ")
        if name == "title":
            package = value.strip('"')
        elif name == "categories":
            tag = value.strip("[]").split(", ")[1]
        elif name == "spec_details":
            return package, tag, json.loads(value)
    sys.exit(f"{page}: expected spec_details")


def main():
    folder, file = sys.argv[1:]
    database = sqlite3.connect(file)
    database.executescript(TABLES)
    with database:
        for page in pathlib.Path(folder).rglob("*.md"):
            package, tag, specs = read(page)
            database.executemany(
                "INSERT OR IGNORE INTO spec VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(spec["hash"], package, spec["versions"][0], spec["platform"], spec["os"], spec["target"],
                  spec["compiler"], " ".join(spec["variants"])) for spec in specs])
            database.executemany("INSERT INTO presence VALUES (?, ?, ?)",
                                 [(tag, spec["hash"], ",".join(spec["stacks"])) for spec in specs])


if __name__ == "__main__":
    main()
