#pragma once

#include <string>

#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

/// A ledger of two snapshots, for tests of what commands do with it.
namespace program {

/// One package in two snapshots of develop, at 2025-01-01 and 2025-02-01: zlib has another version
/// in the second, and cmake is new.
inline void ingest_two_states(const Workbench& bench) {
    Entry newer = entry('b');
    newer["versions"] = R"(["1.3.0"])";
    Entry cmake = entry('c');
    cmake["stacks"] = R"(["ml", "root"])";
    bench.write("a/zlib.md", page("zlib", details({entry('a')})));
    bench.write("b/zlib.md", page("zlib", details({newer})));
    bench.write("b/cmake.md", page("cmake", details({cmake})));
    check_done(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}),
               "1 page, 1 spec (1 new), 1 snapshot loaded (0 unchanged), ");
    check_done(bench.run({"ingest", "b", "--taken-at", "2025-02-01T06:30:00Z"}),
               "2 pages, 2 specs (2 new), 1 snapshot loaded (0 unchanged), ");
}

inline const std::string first_snapshot = "develop@2025-01-01T00:00:00Z";
inline const std::string second_snapshot = "develop@2025-02-01T06:30:00Z";

inline std::string snapshot_names(const Workbench& bench) {
    std::string all;
    for (const std::string& name : bench.query("SELECT name FROM snapshots ORDER BY name")) {
        all += all.empty() ? name : "," + name;
    }
    return all;
}

}  // namespace program
