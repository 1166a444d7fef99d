#include "ingest/rows/nodes/missing_dependencies.hpp"

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <utility>

#include "ingest/graphs/graph/undescribed.hpp"
#include "schema/sqlite/statements/row_scan.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// Finds what nodes need that were not read, because the ledger has them.
class Missing {
  public:
    Missing(SQLite::Database& database, const Graph& graph, const std::vector<KnownSpec>& specs,
            Undescribed& undescribed)
        : database_(database), graph_(graph), specs_(specs), undescribed_(undescribed) {}

    void find() {
        note_specs();
        if (known_specs_ > 0) {
            find_in_ledger();
        }
    }

  private:
    // Sets of specs as vectors by spec_id.
    void note_specs() {
        const auto specs = static_cast<std::size_t>(
            database_.execAndGet("SELECT ifnull(max(spec_id), 0) + 1 FROM spec").getInt64());
        std::size_t in_files = 0;
        in_files_.resize(specs);
        known_.resize(specs);
        for (std::uint32_t index = 0; index < graph_.nodes.size(); ++index) {
            const Node& node = graph_.nodes[index];
            const auto spec_id = static_cast<std::size_t>(specs_[index].spec_id);
            if (spec_id == 0 || !node.is_in_files() || in_files_[spec_id]) {
                continue;
            }
            in_files_[spec_id] = true;
            ++in_files;
            if (!node.is_described()) {
                known_[spec_id] = index + 1;
                ++known_specs_;
            }
        }
        others_ = specs - in_files;
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
        RowScan dependencies(database_,
                             "SELECT spec_id, dependency_id FROM dependency "
                             "WHERE spec_id BETWEEN ? AND ?");
        // Specs that came together lie together.
        for (std::size_t first = 1; first < known_.size(); ++first) {
            std::size_t end = first;
            while (end < known_.size() && known_[end] != 0) {
                ++end;
            }
            if (end > first) {
                dependencies.start(
                    {static_cast<std::int64_t>(first), static_cast<std::int64_t>(end - 1)});
                check_all(dependencies);
                first = end;
            }
        }
    }

    void check_all(RowScan& dependencies) {
        std::pair<std::int64_t, std::int64_t> last;  // a dependency may be of several kinds
        while (dependencies.next()) {
            if (!in_files_[static_cast<std::size_t>(dependencies.number(1))]) {
                const std::pair edge(dependencies.number(0), dependencies.number(1));
                if (std::exchange(last, edge) != edge) {
                    check(edge.first, edge.second);
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
        undescribed_.add(graph_.nodes[known - 1], select.getColumn(0).getString(),
                         select.getColumn(1).getString());
    }

    SQLite::Database& database_;
    const Graph& graph_;
    const std::vector<KnownSpec>& specs_;
    Undescribed& undescribed_;
    std::vector<bool> in_files_;
    std::vector<std::uint32_t> known_;  // of specs that were not read: index into the nodes, + 1
    std::size_t known_specs_ = 0;
    std::size_t others_ = 0;  // specs that are in none of the files
};

}  // namespace

std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files) {
    Undescribed undescribed(graph);
    Missing(database, graph, specs, undescribed).find();
    return undescribed.finding(files);
}

}  // namespace cacheledger
