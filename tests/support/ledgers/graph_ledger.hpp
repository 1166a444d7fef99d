#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/ledgers/temp_ledger.hpp"

namespace cacheledger {

/// A dependency of a GraphNode.
struct GraphEdge {
    std::string child;  ///< the stem of its hash
    std::string deptypes = "link";
    std::optional<std::string> virtuals = "";
};

/// A node of a concrete spec, as a test wants it. The hash is hash_of(stem).
struct GraphNode {
    std::string stem, package;
    std::vector<GraphEdge> edges = {};
    std::string version = "1.0";
    std::string target = "x86_64_v3";
    std::string variants = "+shared";  ///< boolean ones only
    std::optional<std::string> recipe = "r1";
    std::optional<std::string> external_path = std::nullopt;
    std::optional<std::string> compiler = std::nullopt;  ///< "gcc@13.2.0"
    std::string compiler_from = "nothing";
    std::string features = "avx";
    int form = 5;
    std::optional<std::string> build_hash = std::nullopt;  ///< of a spliced spec
    std::optional<std::string> flags = "";                 ///< "cflags=-O2 -g"
    bool is_described = true;  ///< false: only its look and its hash are known, as from a page
};

/// A ledger with nodes, which are written with SQL: reading files is not needed to ask of graphs.
class GraphLedger {
  public:
    GraphLedger& add(const GraphNode& node);

    /// Writes snapshots of one series, at moments one second apart, that hold the specs with these
    /// stems, each in the stacks that follow a ':' ("zlib:e4s,ml"). Their names are "develop@0" and
    /// so on.
    void take(const std::vector<std::vector<std::string>>& snapshots,
              const std::string& kind = "index");

    /// Writes the snapshot "lock@0" of a lock file with the specs of these stems.
    void take_lock(const std::vector<std::string>& stems, const std::vector<std::string>& roots);

    TempLedger& ledger() { return ledger_; }
    SQLite::Database& database() { return ledger_.database(); }

  private:
    std::int64_t id(const std::string& table, const std::map<std::string, std::string>& values);
    std::int64_t variant_set(const std::string& variants);
    std::int64_t stack_set(const std::string& stacks);

    TempLedger ledger_;
    struct Place {
        std::int64_t spec = 0, look = 0, package = 0;
    };
    std::map<std::string, Place, std::less<>> places_;  // by stem
    std::map<std::string, std::int64_t> sets_;
};

}  // namespace cacheledger
