#include "ingest/rows/nodes/node_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/constraints/target_set.hpp"

namespace cacheledger {

namespace {

constexpr int first_known_form = 3;

// The looks with a target that neither the program nor a source placed. A ledger of before 2026-11
// has nodes that say where such a target stands, and what they say was not kept.
std::set<std::int64_t> looks_to_place(SQLite::Database& database) {
    const Select<std::int64_t> looks(database, "SELECT look_id FROM look WHERE arch_id = ?");
    std::set<std::int64_t> found;
    for (const auto& [arch_id, target] : rows<std::int64_t, std::string>(
             database,
             "SELECT arch_id, target FROM arch "
             "WHERE target NOT IN (SELECT target FROM target_parent)")) {
        if (!is_of_archspec(target)) {
            for (const auto& [look_id] : looks(arch_id)) {
                found.insert(look_id);
            }
        }
    }
    return found;
}

// So many KiB of pages are in memory as long as this lives.
class PagesInMemory {
  public:
    PagesInMemory(SQLite::Database& database, int kibibytes)
        : database_(database),
          before_(fmt::format("PRAGMA cache_size = {}",
                              only_value<std::int64_t>(database, "PRAGMA cache_size"))) {
        database.exec(fmt::format("PRAGMA cache_size = -{}", kibibytes));
    }
    ~PagesInMemory() { database_.tryExec(before_); }
    PagesInMemory(const PagesInMemory&) = delete;
    PagesInMemory& operator=(const PagesInMemory&) = delete;

  private:
    SQLite::Database& database_;
    std::string before_;
};

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
            return std::ranges::any_of(
                       claims, [&](std::int64_t claim) { return has_spec(in_files_, claim); })
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

LedgerNodes::LedgerNodes(SQLite::Database& database, SpecRows& specs)
    : database_(database),
      specs_(specs),
      select_texts_(database,
                    fmt::format("SELECT spec_id, digest, target_definition_id IS NOT NULL "
                                "FROM node WHERE spec_id BETWEEN ? AND ? "
                                "AND form >= {} AND NOT read_again",
                                first_known_form)),
      select_package_(database, "SELECT name FROM package WHERE package_id = ?"),
      looks_to_place_(looks_to_place(database)) {
    specs.may_read_all();
}

// In the order of the rows of spec and node, which are read side by side: a join searches for each.
void LedgerNodes::expect(const std::string& series) {
    if (!series_.insert(series).second) {
        return;
    }
    // Most of these pages are read once: none need take memory for long.
    const PagesInMemory few(database_, 4096);
    std::vector<std::uint32_t> packages(number_of_places(database_));  // of specs of the state
    for (const auto& [spec_id, package_id] : rows<std::size_t, std::uint32_t>(
             database_,
             "SELECT spec_id, package_id FROM presence WHERE valid_to IS NULL "
             "AND series_id = (SELECT series_id FROM series WHERE name = ?)",
             series)) {
        if (spec_id < packages.size()) {
            packages[spec_id] = package_id;
        }
    }
    SpecSet state(packages.size());
    std::transform(packages.begin(), packages.end(), state.begin(),
                   [](std::uint32_t package_id) { return package_id != 0; });
    const auto size = static_cast<std::size_t>(std::ranges::count(state, true));
    specs_.reserve(size);
    texts_.reserve(texts_.size() + size);
    const Select<std::int64_t, DagHash, std::int64_t> select_specs(
        database_, "SELECT spec_id, hash, look_id FROM spec WHERE spec_id BETWEEN ? AND ?");
    for_ranges(state, [&](std::uint32_t first, std::uint32_t last) {
        const auto texts = select_texts_(first, last);
        auto text = texts.begin();
        for (const auto& [spec_id, hash, look_id] : select_specs(first, last)) {
            const std::uint32_t package_id = packages[static_cast<std::size_t>(spec_id)];
            if (package_id == 0) {
                continue;
            }
            specs_.remember(hash, {spec_id, look_id, package_id});
            while (text != texts.end() && std::get<0>(*text) < spec_id) {
                ++text;
            }
            if (text != texts.end()) {
                const auto [described, digest, is_defined] = *text;
                if (described == spec_id && !(is_defined && looks_to_place_.contains(look_id))) {
                    texts_.emplace(hash, {digest, package_id});
                }
            }
        }
    });
}

// Of a hash that two packages claim, one text is known: that of the newest state, else the first.
std::uint32_t LedgerNodes::look_up(const DagHash& hash, const TextDigest& digest) const {
    const KnownSpec* const spec = texts_.find(hash) == nullptr ? specs_.find(hash) : nullptr;
    if (spec == nullptr) {
        return 0;
    }
    for (const auto& [spec_id, known, is_defined] : select_texts_(spec->spec_id, spec->spec_id)) {
        if (known == digest && !(is_defined && looks_to_place_.contains(spec->look_id))) {
            return static_cast<std::uint32_t>(spec->package_id);
        }
    }
    return 0;
}

std::string LedgerNodes::package(std::uint32_t package_id) const {
    if (auto name = select_package_(package_id).first()) {
        return *std::move(name);
    }
    throw DatabaseError(fmt::format("damaged: no package has the number {}", package_id));
}

std::string LedgerNodes::version_of(const DagHash& hash) const {
    return only_value<std::string>(database_,
                                   "SELECT v.version FROM spec x JOIN look l USING (look_id) "
                                   "JOIN version v USING (version_id) WHERE x.hash = ? "
                                   "ORDER BY x.spec_id",
                                   text_of(hash));
}

std::optional<std::string> LedgerNodes::compiler_of(const DagHash& hash) const {
    return first_value<std::string>(database_,
                                    "SELECT c.spec FROM spec x JOIN look l USING (look_id) "
                                    "JOIN compiler c USING (compiler_id) WHERE x.hash = ?",
                                    text_of(hash));
}

void LedgerNodes::add(const Graph& graph, const std::vector<std::uint32_t>& nodes,
                      const std::vector<KnownSpec>& specs) {
    for (const std::uint32_t index : nodes) {
        const Node& node = graph.nodes[index];
        if (node.form >= first_known_form && !node.read_again) {
            texts_.emplace(node.hash,
                           {node.digest, static_cast<std::uint32_t>(specs[index].package_id)});
        }
    }
}

std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files) {
    Undescribed undescribed(graph);
    Missing(database, graph, specs, undescribed).find();
    return undescribed.finding(files);
}

}  // namespace cacheledger
