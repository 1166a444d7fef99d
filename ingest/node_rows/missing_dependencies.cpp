#include "ingest/node_rows/missing_dependencies.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "schema/spelling/dag_hash.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

class Missing {
  public:
    Missing(SQLite::Database& database, const Graph& graph, const std::vector<KnownSpec>& specs)
        : database_(database), graph_(graph), specs_(specs) {}

    void find() {
        for (const Node& node : graph_.nodes) {
            if (node.is_described()) {
                find_in_graph(node);
            }
        }
        note_specs();
        if (known_specs_ > 0) {
            find_in_ledger();
        }
    }

    std::size_t count() const { return count_; }
    /// The first in the order of packages and hashes.
    const std::string& first() const { return first_; }

  private:
    static bool is_in_files(const Node& node) { return node.is_described() || node.is_known; }

    void note(const Node& node, const std::string& package, const std::string& hash) {
        std::string text =
            fmt::format("{} {} of {} {}", package, hash, node.package->text, text_of(node.hash));
        if (count_++ == 0 || text < first_) {
            first_ = std::move(text);
        }
    }

    void find_in_graph(const Node& node) {
        std::set<std::uint32_t> missing;  // a child may have several edges
        for (std::uint32_t i = node.first_edge; i < node.first_edge + node.num_edges; ++i) {
            const std::uint32_t index = graph_.edges[i].child;
            const Node& child = graph_.nodes[index];
            if (!is_in_files(child) && missing.insert(index).second) {
                note(node, child.package->text, std::string(text_of(child.hash)));
            }
        }
    }

    // Sets of specs as vectors by spec_id.
    void note_specs() {
        const auto specs = static_cast<std::size_t>(
            database_.execAndGet("SELECT ifnull(max(spec_id), 0) + 1 FROM spec").getInt64());
        in_files_.resize(specs);
        known_.resize(specs);
        for (std::uint32_t index = 0; index < graph_.nodes.size(); ++index) {
            const Node& node = graph_.nodes[index];
            const auto spec_id = static_cast<std::size_t>(specs_[index].spec_id);
            if (spec_id == 0 || !is_in_files(node) || in_files_[spec_id]) {
                continue;
            }
            in_files_[spec_id] = true;
            --others_;
            if (!node.is_described()) {
                known_[spec_id] = index + 1;
                ++known_specs_;
            }
        }
        others_ += static_cast<std::int64_t>(specs);
    }

    // The ledger is asked from the side that has less to ask for: most states differ little from
    // the one before, so few specs are in none of the files.
    void find_in_ledger() {
        if (others_ < known_specs_) {
            SQLite::Statement dependents(
                database_, "SELECT DISTINCT spec_id FROM dependency WHERE dependency_id = ?");
            for (std::size_t spec_id = 1; spec_id < in_files_.size(); ++spec_id) {
                if (!in_files_[spec_id]) {
                    rebind(dependents, static_cast<std::int64_t>(spec_id));
                    while (dependents.executeStep()) {
                        check(dependents.getColumn(0).getInt64(),
                              static_cast<std::int64_t>(spec_id));
                    }
                }
            }
            return;
        }
        SQLite::Statement dependencies(
            database_, "SELECT DISTINCT dependency_id FROM dependency WHERE spec_id = ?");
        for (std::size_t spec_id = 1; spec_id < known_.size(); ++spec_id) {
            if (known_[spec_id] != 0) {
                rebind(dependencies, static_cast<std::int64_t>(spec_id));
                while (dependencies.executeStep()) {
                    check(static_cast<std::int64_t>(spec_id), dependencies.getColumn(0).getInt64());
                }
            }
        }
    }

    void check(std::int64_t spec_id, std::int64_t dependency_id) {
        const std::uint32_t known = known_[static_cast<std::size_t>(spec_id)];
        if (known == 0 || in_files_[static_cast<std::size_t>(dependency_id)]) {
            return;
        }
        SQLite::Statement select(database_,
                                 "SELECT k.name, x.hash FROM spec x JOIN look l USING (look_id) "
                                 "JOIN package k USING (package_id) WHERE x.spec_id = ?");
        rebind(select, dependency_id);
        select.executeStep();
        note(graph_.nodes[known - 1], select.getColumn(0).getString(),
             select.getColumn(1).getString());
    }

    SQLite::Database& database_;
    const Graph& graph_;
    const std::vector<KnownSpec>& specs_;
    std::vector<bool> in_files_;
    std::vector<std::uint32_t> known_;  // of specs that were not read: index into the nodes, + 1
    std::int64_t known_specs_ = 0;
    std::int64_t others_ = 0;  // specs that are in none of the files
    std::size_t count_ = 0;
    std::string first_;
};

}  // namespace

std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files) {
    Missing missing(database, graph, specs);
    missing.find();
    if (missing.count() == 0) {
        return std::nullopt;
    }
    return PageFinding{
        "dependency-missing", "",
        fmt::format("{} dependencies are {}, the first: {}", missing.count(),
                    files == 1 ? "not in the file" : "in none of the files", missing.first())};
}

}  // namespace cacheledger
