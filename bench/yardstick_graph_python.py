#!/usr/bin/env python3
"""yardstick_graph_python.py FOLDER DATABASE: loads the indexes that FOLDER/indexes.json lists the way a short script
would, as a yardstick for the program: Python's json and sqlite3, and the rows that the ledger has, in one transaction."""

import json
import pathlib
import sqlite3
import sys

TABLES = """
CREATE TABLE look (id INTEGER PRIMARY KEY, package TEXT, version TEXT, arch TEXT, compiler TEXT, variants TEXT);
CREATE TABLE recipe (id INTEGER PRIMARY KEY, namespace TEXT, package_hash TEXT, patches TEXT, external TEXT);
CREATE TABLE spec (id INTEGER PRIMARY KEY, hash TEXT UNIQUE, look_id INTEGER);
CREATE TABLE node (spec_id INTEGER PRIMARY KEY, recipe_id INTEGER);
CREATE TABLE dependency (spec_id INTEGER, dependency_id INTEGER, deptypes TEXT, virtuals TEXT,
                         PRIMARY KEY (spec_id, dependency_id, deptypes, virtuals));
CREATE TABLE presence (spec_id INTEGER, stacks TEXT);
"""


class Ids:
    """Of rows that are written once."""

    def __init__(self, database, sql):
        self.database = database
        self.sql = sql
        self.known = {}

    def of(self, row):
        if row not in self.known:
            self.known[row] = len(self.known) + 1
            self.database.execute(self.sql, (self.known[row], *row))
        return self.known[row]


def compiler(node, nodes):
    for edge in node.get("dependencies", ()):
        if "c" in edge["parameters"]["virtuals"]:
            child = nodes[edge["hash"]]
            return f"{child['name']}@{child['version']}"
    return None


def words(value):
    return json.dumps(value, separators=(",", ":"))


def load_nodes(database, nodes):
    """Gives the ids of the specs by hash."""
    looks = Ids(database, "INSERT INTO look VALUES (?, ?, ?, ?, ?, ?)")
    recipes = Ids(database, "INSERT INTO recipe VALUES (?, ?, ?, ?, ?)")
    specs = {node_hash: number for number, node_hash in enumerate(nodes, 1)}
    for node_hash, node in nodes.items():
        look = looks.of((node["name"], node["version"], words(node["arch"]), compiler(node, nodes),
                         words(node["parameters"])))
        recipe = recipes.of((node["namespace"], node["package_hash"], words(node.get("patches")),
                             words(node.get("external"))))
        spec = specs[node_hash]
        database.execute("INSERT INTO spec VALUES (?, ?, ?)", (spec, node_hash, look))
        database.execute("INSERT INTO node VALUES (?, ?)", (spec, recipe))
        database.executemany(
            "INSERT INTO dependency VALUES (?, ?, ?, ?)",
            [(spec, specs[edge["hash"]], ",".join(edge["parameters"]["deptypes"]),
              ",".join(edge["parameters"]["virtuals"])) for edge in node.get("dependencies", ())])
    return specs


def main():
    folder, file = sys.argv[1:]
    folder = pathlib.Path(folder)
    (indexes,) = json.loads((folder / "indexes.json").read_text()).values()
    nodes, stacks = {}, {}
    for index in indexes:
        records = json.loads((folder / index["url"]).read_text())["database"]["installs"]
        for node_hash, record in records.items():
            nodes.setdefault(node_hash, record["spec"])
            if record["in_buildcache"]:
                stacks.setdefault(node_hash, []).append(index["label"])
    database = sqlite3.connect(file)
    database.executescript(TABLES)
    with database:
        specs = load_nodes(database, nodes)
        database.executemany("INSERT INTO presence VALUES (?, ?)",
                             [(specs[node_hash], ",".join(sorted(labels))) for node_hash, labels in stacks.items()
                              if "root" in labels])


if __name__ == "__main__":
    main()
