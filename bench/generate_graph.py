#!/usr/bin/env python3
"""Makes the indexes of a ref the size of the public one, to measure with, in three states: OUT/first; OUT/next, where one
package low in the graph has another version, so that 1 % of the nodes are new; and OUT/other, where all nodes are new,
and so many packages changed themselves as --changes says. In each, `indexes.json` lists the index of `root` and that of
each stack. The same options give the same bytes. Takes half a minute."""

import argparse
import json
import pathlib
import random
import tempfile
import zlib

import graph_model

# The sizes of the largest ref of the public cache.
DEFAULTS = {"records": 65000, "packages": 1371, "stacks": 23, "changes": 370, "seed": 1}
REF = "develop"
NEXT_SHARE = 0.01      # of the nodes that are new in OUT/next
NOT_PUSHED = 1000      # of so many builds that others need, one is no binary of the cache


def cached(nodes):
    """The hashes of all that the cache has a binary of. The hash decides of what others need, so that some closures have
    gaps."""
    needed = {one for node in nodes.values() for one in node.needs}
    return {node.hash for node in nodes.values() if not node.external and
            (node.hash not in needed or zlib.crc32(node.hash.encode()) % NOT_PUSHED != 0)}


def in_order(nodes, chosen):
    """The nodes and all that they need, what is needed first, as Spack adds them to an index."""
    ordered = {}
    for first in chosen:
        todo = [first]
        while todo:
            node_hash = todo[-1]
            missing = [one for one in nodes[node_hash].needs if one not in ordered] if node_hash not in ordered else []
            if missing:
                todo.extend(reversed(missing))
            else:
                ordered[todo.pop()] = None
    return ordered


def write_index(file, nodes, in_cache, chosen):
    """Gives the number of records and of edges."""
    records = in_order(nodes, chosen)
    needed_by = dict.fromkeys(records, 0)
    for node_hash in records:
        for needed in nodes[node_hash].needs:
            needed_by[needed] += 1
    with open(file, "w", encoding="ascii") as out:
        out.write('{"database":{"version":"8","installs":{')
        separator = ""
        for node_hash in records:
            node = nodes[node_hash]
            out.write(f'{separator}"{node_hash}":{{"spec":{node.text},"ref_count":{needed_by[node_hash]},'
                      f'"in_buildcache":{"true" if node_hash in in_cache else "false"}}}')
            separator = ","
        out.write("}}}")
    return len(records), sum(needed_by.values())


def write_state(folder, state, stacks, seed):
    order = list(state.nodes)
    random.Random(seed).shuffle(order)
    labels = {"root": order}
    for stack in stacks:
        labels[stack] = [one for one in order if stack in state.nodes[one].stacks]
    in_cache = cached(state.nodes)
    sizes = write_indexes(folder, state.nodes, in_cache, labels)
    return {"nodes": len(state.nodes), "cached": len(in_cache), "records": sum(records for records, _ in sizes.values()),
            "edges": sizes["root"][1], "bytes": sum(file.stat().st_size for file in folder.iterdir())}


def write_indexes(folder, nodes, in_cache, labels):
    """Gives the number of records and of edges by label."""
    folder.mkdir(parents=True)
    sizes = {label: write_index(folder / f"{label}.json", nodes, in_cache, chosen) for label, chosen in labels.items()}
    entries = [{"label": label, "url": f"{label}.json"} for label in labels]
    (folder / "indexes.json").write_text(json.dumps({REF: entries}, indent=1) + "\n")
    return sizes


def most_needed(state):
    """The node that most others need directly."""
    needed_by = dict.fromkeys(state.nodes, 0)
    for node in state.nodes.values():
        for needed in node.needs:
            needed_by[needed] += 1
    return max(needed_by, key=needed_by.get)


def generate(out, options):
    packages = graph_model.Packages(max(options.packages, 2 * len(graph_model.BASE)), options.seed)
    stacks = graph_model.stack_names(options.stacks)
    low = packages.low_package(NEXT_SHARE)
    states = {"first": graph_model.revisions(), "next": graph_model.revisions(versions=[low]),
              "other": packages.many(options.changes)}
    counts = {"low_package": packages.all[low].name}
    builds, known = 0, set()
    for name, change in states.items():
        state = graph_model.State(packages, stacks, change)
        if name == "first":
            builds = state.add_nodes(options.records)
            known = set(state.nodes)
            counts["most_needed"] = most_needed(state)
        else:
            state.add_builds(builds)
        counts[name] = write_state(out / name, state, stacks, options.seed)
        counts[name]["new"] = len(state.nodes.keys() - known)
    text = json.dumps(counts, indent=2)
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

    # An interruption leaves nothing with the final name.
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=options.out.name + ".", dir=options.out.parent) as unfinished:
        made = pathlib.Path(unfinished) / "made"
        made.mkdir()
        print(generate(made, options))
        made.rename(options.out)


if __name__ == "__main__":
    main()
