#include "ingest/rows/nodes/missing_dependencies.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "ingest/graphs/graph/undescribed.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/sqlite/statements/rows.hpp"

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
        const std::vector<std::uint32_t> known = members(is_known_);
        // The ledger is asked from the side that has less to ask for: where few specs are in none
        // of the files, for the dependents of these.
        if (in_files_.size() - num_in_files_ < known.size()) {
            find_dependents();
            return;
        }
        const Select<std::int64_t, std::int64_t> dependencies(
            database_,
            "SELECT spec_id, dependency_id FROM dependency WHERE spec_id BETWEEN ? AND ?");
        // Specs that came together lie together.
        for_ranges(
            std::span<const std::uint32_t>(known),
            [&](std::uint32_t first, std::uint32_t last) {
                for (const auto& [spec_id, dependency_id] : dependencies(first, last)) {
                    check(spec_id, dependency_id);
                }
            },
            1);
    }

  private:
    struct Name {
        std::string package, hash;
        bool is_claimed = false;  // by several packages
    };

    void note_specs() {
        nodes_.resize(number_of_places(database_));
        in_files_.resize(nodes_.size());
        is_known_.resize(nodes_.size());
        for (std::uint32_t index = 0; index < graph_.nodes.size(); ++index) {
            const Node& node = graph_.nodes[index];
            const auto spec_id = static_cast<std::size_t>(specs_[index].spec_id);
            if (spec_id != 0 && node.is_in_files()) {
                in_files_[spec_id] = true;
                ++num_in_files_;
                is_known_[spec_id] = !node.is_described();
                nodes_[spec_id] = index;
            }
        }
    }

    void find_dependents() {
        const Select<std::int64_t> dependents(
            database_, "SELECT DISTINCT spec_id FROM dependency WHERE dependency_id = ?");
        for (std::uint32_t spec_id = 1; spec_id < in_files_.size(); ++spec_id) {
            if (!in_files_[spec_id]) {
                for (const auto& [dependent] : dependents(spec_id)) {
                    check(dependent, spec_id);
                }
            }
        }
    }

    // Nearly all are in the files.
    void check(std::int64_t spec_id, std::int64_t dependency_id) {
        if (static_cast<std::size_t>(dependency_id) < in_files_.size() &&
            in_files_[static_cast<std::size_t>(dependency_id)]) {
            return;
        }
        if (!has_spec(is_known_, spec_id) ||
            std::exchange(last_, {spec_id, dependency_id}) == std::pair(spec_id, dependency_id)) {
            return;  // a dependency may be of several kinds
        }
        const auto [found, is_new] = names_.try_emplace(dependency_id);
        if (is_new) {
            found->second = name_of(dependency_id);
        }
        const auto& name = found->second;
        if (name && (!name->is_claimed || counted_.emplace(spec_id, name->hash).second)) {
            undescribed_.add(graph_.nodes[nodes_[static_cast<std::size_t>(spec_id)]], name->package,
                             name->hash);
        }
    }

    // Of a dependency, unless it is in the files under the name of another package: these name
    // dependencies by their hashes.
    std::optional<Name> name_of(std::int64_t spec_id) const {
        for (const auto& [package, hash] : select_name_(spec_id)) {
            const auto claims = all_values<std::int64_t>(
                database_, "SELECT spec_id FROM spec WHERE hash = ?", hash);
            return std::any_of(claims.begin(), claims.end(),
                               [&](std::int64_t claim) { return has_spec(in_files_, claim); })
                       ? std::nullopt
                       : std::optional(Name{package, hash, claims.size() > 1});
        }
        return std::nullopt;
    }

    SQLite::Database& database_;
    const Graph& graph_;
    const std::vector<KnownSpec>& specs_;
    Undescribed& undescribed_;
    Select<std::string, std::string> select_name_{
        database_,
        "SELECT k.name, x.hash FROM spec x JOIN look l USING (look_id) "
        "JOIN package k USING (package_id) WHERE x.spec_id = ?"};
    SpecSet in_files_, is_known_;       // is_known_: those that were not read
    std::vector<std::uint32_t> nodes_;  // of those in the files: index into the nodes
    std::size_t num_in_files_ = 0;
    std::pair<std::int64_t, std::int64_t> last_;
    std::map<std::int64_t, std::optional<Name>> names_;  // of dependencies
    std::set<std::pair<std::int64_t, std::string>> counted_;
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
