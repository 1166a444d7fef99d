#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/constraints/answer.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

/// A kind of edge, and what Edges::ask() found of it.
struct AskedKind : DependencyKind {
    Answer asked = Answer::yes;
};

/// The edges of the ledger, from a dependency to what needs it.
class Edges {
  public:
    explicit Edges(SQLite::Database& database);

    /// Asks something of each kind, for those who walk along the edges.
    template <typename Asked>
    void ask(const Asked& asked) {
        for (AskedKind& kind : kinds_) {
            kind.asked = asked(kind);
        }
    }

    /// Calls `found` with each spec that needs this one, and the AskedKind.
    template <typename Found>
    void parents_of(std::int64_t spec_id, const Found& found) {
        rebind(parents_, spec_id);
        while (parents_.executeStep()) {
            found(parents_.getColumn(0).getInt64(),
                  kinds_[static_cast<std::size_t>(parents_.getColumn(1).getInt64())]);
        }
    }

    /// Adds all that needs one of `ids` to link or to run, directly or over others.
    void add_ancestors(std::unordered_set<std::int64_t>& ids);

  private:
    SQLite::Statement parents_;
    std::vector<AskedKind> kinds_;  // by edge_kind_id
};

/// Finds the dependency of a spec that Spack means by a name, of a package or a virtual one
/// (`Spec.__getitem__`): what it is built or tested with; else the spec itself; else the nearest of
/// what it needs to link and to run.
class NamedDependency {
  public:
    NamedDependency(SQLite::Database& database, std::string name);

    /// nullopt: it has none of this name, or no source gave it.
    std::optional<std::int64_t> find(std::int64_t spec_id);

  private:
    struct Child {
        std::int64_t spec_id = 0;
        bool is_named = false, is_of_build = false, is_runtime = false;
    };
    const std::vector<Child>& children_of(std::int64_t spec_id);

    std::string name_;
    SQLite::Statement children_, own_;
    std::unordered_map<std::int64_t, std::vector<Child>> known_;
};

}  // namespace cacheledger
