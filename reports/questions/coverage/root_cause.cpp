#include "reports/questions/coverage/root_cause.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

using Nodes = std::set<std::uint32_t>;

constexpr auto all_of_cache = R"(
    WITH RECURSIVE graph (spec_id) AS (
      SELECT spec_id FROM present_specs WHERE snapshot_id = ?
      UNION
      SELECT d.dependency_id
      FROM graph g
      CROSS JOIN node n ON n.spec_id = g.spec_id
      CROSS JOIN dependency d ON d.spec_id = g.spec_id
      CROSS JOIN edge_kinds e ON e.edge_kind_id = d.edge_kind_id AND e.since <= n.form)
    SELECT spec_id FROM graph)";

// SQLite takes spec_id from the row that has the smallest hash.
constexpr auto all_of_package = R"(
    SELECT x.spec_id, x.look_id, n.recipe_id
    FROM package k
    CROSS JOIN look l ON l.package_id = k.package_id
    CROSS JOIN spec x ON x.look_id = l.look_id
    LEFT JOIN node n ON n.spec_id = x.spec_id
    WHERE k.name = ?
    ORDER BY x.hash)";

constexpr auto undescribed_of_cache =
    "SELECT 1 FROM present_specs p LEFT JOIN node n USING (spec_id) "
    "WHERE p.snapshot_id = ? AND n.spec_id IS NULL LIMIT 1";

constexpr auto systems_of_cache = R"(
    SELECT DISTINCT a.platform, a.os, a.target, c.spec
    FROM present_specs p
    CROSS JOIN spec x ON x.spec_id = p.spec_id
    CROSS JOIN look l ON l.look_id = x.look_id
    LEFT JOIN arch a ON a.arch_id = l.arch_id
    LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
    WHERE p.snapshot_id = ?)";

/// What a build is made for or with. In the order of systems_of_cache.
struct Attribute {
    std::string_view name;
    std::optional<std::string> SpecWords::*value;
};
constexpr std::array<Attribute, 4> attributes_of_system = {{{"platform", &SpecWords::platform},
                                                            {"os", &SpecWords::os},
                                                            {"target", &SpecWords::target},
                                                            {"compiler", &SpecWords::compiler}}};

/// The specs of a cache, and all that they need.
class CacheGraph {
  public:
    CacheGraph(SQLite::Database& database, std::int64_t snapshot_id)
        : words_(database),
          with_hash_(database, "SELECT spec_id FROM spec WHERE hash = ?"),
          of_package_(database, all_of_package) {
        SQLite::Statement specs(database, all_of_cache);
        rebind(specs, snapshot_id);
        while (specs.executeStep()) {
            specs_.insert(specs.getColumn(0).getInt64());
        }
        SQLite::Statement undescribed(database, undescribed_of_cache);
        rebind(undescribed, snapshot_id);
        is_complete_ = !undescribed.executeStep();
        SQLite::Statement systems(database, systems_of_cache);
        rebind(systems, snapshot_id);
        while (systems.executeStep()) {
            for (std::size_t i = 0; i < attributes_of_system.size(); ++i) {
                systems_.emplace(attributes_of_system[i].name,
                                 systems.getColumn(static_cast<int>(i)).getString());
            }
        }
    }

    /// Whether all dependencies of the specs are known.
    bool is_complete() const { return is_complete_; }

    bool has(const std::string& hash) {
        rebind(with_hash_, hash);
        return with_hash_.executeStep() && specs_.contains(with_hash_.getColumn(0).getInt64());
    }

    /// Whether any build in the cache has this value, such as the OS "rhel9".
    bool has_system(std::string_view attribute, const std::string& value) const {
        return systems_.contains({attribute, value});
    }

    /// What differs from the most similar spec of the package; nullopt if there is none.
    std::optional<std::vector<std::string>> differs(const SpecWords& wanted) {
        const auto order = [](const Difference& one) {
            return std::tuple(one.distance, one.words.size(), one.hash);
        };
        std::optional<Difference> nearest;
        for (const SpecWords& spec : specs_of(wanted.package)) {
            Difference one = difference(wanted, spec);
            if (!nearest || order(one) < order(*nearest)) {
                nearest = std::move(one);
            }
        }
        return nearest ? std::optional(std::move(nearest->words)) : std::nullopt;
    }

  private:
    // Of specs that are alike in all that is compared, one.
    const std::vector<SpecWords>& specs_of(const std::string& package) {
        const auto [found, is_new] = by_package_.try_emplace(package);
        if (is_new) {
            std::set<std::pair<std::int64_t, std::optional<std::int64_t>>> read;
            rebind(of_package_, package);
            while (of_package_.executeStep()) {
                const std::int64_t spec_id = of_package_.getColumn(0).getInt64();
                if (specs_.contains(spec_id) &&
                    read.emplace(of_package_.getColumn(1).getInt64(), optional_int(of_package_, 2))
                        .second) {
                    found->second.push_back(words_.read(spec_id));
                }
            }
        }
        return found->second;
    }

    SpecReader words_;
    SQLite::Statement with_hash_, of_package_;
    std::unordered_set<std::int64_t> specs_;
    bool is_complete_ = false;
    std::set<std::pair<std::string_view, std::string>> systems_;  // attribute, value
    std::map<std::string, std::vector<SpecWords>> by_package_;
};

/// Finds the nodes that the cache's graph does not have, and of each what differs from what that
/// has. The hashes of all nodes above one of them differ because of it.
class NewNodes {
  public:
    NewNodes(CacheGraph& cache, const WantedGraph& wanted, const BuildPlan& plan)
        : cache_(cache), wanted_(wanted), parents_(wanted.nodes.size()) {
        std::vector<std::uint32_t> to_look_at;
        for (const BuildPlan::Step& step : plan.steps) {
            planned_.insert(step.node);
            enter(step.node, to_look_at);
        }
        while (!to_look_at.empty()) {
            const std::uint32_t node = to_look_at.back();
            to_look_at.pop_back();
            for (const WantedEdge& edge : wanted.nodes[node].needs) {
                if (edge.since <= wanted.nodes[node].form.value_or(0) &&
                    enter(edge.child, to_look_at)) {
                    parents_[edge.child].push_back(node);
                }
            }
        }
        for (const std::uint32_t node : new_) {
            note(node);
        }
        for (const auto& [attribute, system] : systems_) {
            if (!system.there.empty()) {
                by_system[word_of(attribute, system)] = system.builds;
            }
        }
    }

    /// Nodes by what differs: package, change.
    std::map<std::pair<std::string, std::string>, Nodes> by_change;
    /// Planned nodes by the system, target or compiler that no build in the cache has, with what
    /// the most similar ones have: "os: rhel9 -> rhel8".
    std::map<std::string, Nodes> by_system;

    /// The planned nodes among these, and those that differ in nothing themselves and need one of
    /// these, directly or through such nodes.
    Nodes explained_by(const Nodes& nodes) const {
        Nodes found;
        Nodes met = nodes;
        std::vector<std::uint32_t> to_look_at(nodes.begin(), nodes.end());
        while (!to_look_at.empty()) {
            const std::uint32_t node = to_look_at.back();
            to_look_at.pop_back();
            if (planned_.contains(node)) {
                found.insert(node);
            }
            for (const std::uint32_t parent : parents_[node]) {
                if (!changed_.contains(parent) && met.insert(parent).second) {
                    to_look_at.push_back(parent);
                }
            }
        }
        return found;
    }

  private:
    // Whether the node is new.
    bool enter(std::uint32_t node, std::vector<std::uint32_t>& to_look_at) {
        if (new_.contains(node)) {
            return true;
        }
        if (known_.contains(node) || cache_.has(wanted_.nodes[node].spec.hash)) {
            known_.insert(node);
            return false;
        }
        new_.insert(node);
        to_look_at.push_back(node);
        return true;
    }

    void add(std::uint32_t node, const std::string& change) {
        by_change[{wanted_.nodes[node].spec.package, change}].insert(node);
        changed_.insert(node);
    }

    /// A value that no build in the cache has.
    struct System {
        Nodes builds;                              // planned
        std::map<std::string, std::size_t> there;  // of the most similar builds, counted
    };
    using Systems = std::map<std::pair<std::string_view, std::string>, System>;

    // "os: rhel9 -> rhel8 or centos7".
    static std::string word_of(const Systems::key_type& attribute, const System& system) {
        constexpr std::size_t most_named = 3;
        std::vector<std::pair<std::size_t, std::string>> there;
        for (const auto& [value, times] : system.there) {
            there.emplace_back(times, value);
        }
        std::ranges::stable_sort(there, std::ranges::greater(),
                                 &std::pair<std::size_t, std::string>::first);
        std::string text =
            fmt::format("{}: {} -> {}", attribute.first, attribute.second, there.front().second);
        for (std::size_t i = 1; i < there.size() && i <= most_named; ++i) {
            text += fmt::format(" or {}", i < most_named ? there[i].second : "others");
        }
        return text;
    }

    void note_systems(std::uint32_t node, const SpecWords& spec,
                      const std::optional<std::vector<std::string>>& words) {
        for (const auto& [name, value] : attributes_of_system) {
            const auto& wanted = spec.*value;
            if (!planned_.contains(node) || !wanted || cache_.has_system(name, *wanted)) {
                continue;
            }
            System& system = systems_[{name, *wanted}];
            system.builds.insert(node);
            const std::string begin = fmt::format("{}: {} -> ", name, *wanted);
            for (const std::string& word : words.value_or(std::vector<std::string>())) {
                if (word.starts_with(begin)) {
                    ++system.there[word.substr(begin.size())];
                }
            }
        }
    }

    void note(std::uint32_t node) {
        SpecWords spec = wanted_.nodes[node].spec;
        if (wanted_.nodes[node].form >= 5) {  // its compiler is a dependency
            spec.compiler.reset();
        }
        const auto words = cache_.differs(spec);
        note_systems(node, spec, words);
        if (!words) {
            if (cache_.is_complete()) {
                add(node, "no build of the package");
            }
            return;
        }
        std::string change;
        for (const std::string& word : *words) {
            change += fmt::format("{}{}", change.empty() ? "" : "; ", word);
        }
        if (!change.empty()) {
            add(node, change);
        }
    }

    CacheGraph& cache_;
    const WantedGraph& wanted_;
    Nodes planned_, new_, known_, changed_;
    Systems systems_;
    std::vector<std::vector<std::uint32_t>> parents_;  // new ones, of new nodes
};

std::string share_of_builds(std::size_t builds, std::size_t all) {
    const auto number = [](std::size_t n) { return grouped(static_cast<std::int64_t>(n)); };
    if (builds < all) {
        return fmt::format("{} of {}", number(builds), number(all));
    }
    return all == 2 ? "Both" : fmt::format("All {}", number(all));
}

std::string sentence_of_cause(const RootCause& cause, std::size_t builds, std::size_t all) {
    constexpr std::size_t most_named = 3;
    const std::string begin = fmt::format("{} must be built because", share_of_builds(builds, all));
    std::vector<std::string> names;
    for (const auto& row : cause.causes.rows) {
        names.push_back(is_null(row[0]) ? to_text(row[1])
                                        : fmt::format("{} ({})", to_text(row[0]), to_text(row[1])));
    }
    return fmt::format("{} {} {}.", begin,
                       is_null(cause.causes.rows[0][0]) ? "the cache has another" : "of",
                       listed(names, most_named));
}

}  // namespace

RootCause root_cause_of(SQLite::Database& database, const Snapshot& snapshot,
                        const WantedGraph& wanted, const BuildPlan& plan) {
    RootCause found;
    const std::size_t all = plan.steps.size();
    if (all < 2) {
        return found;
    }
    CacheGraph cache(database, snapshot.id);
    const NewNodes nodes(cache, wanted, plan);
    std::vector<std::tuple<Value, std::string, Nodes>> causes;
    for (const auto& [word, builds] : nodes.by_system) {
        causes.emplace_back(Value(), word, builds);
    }
    for (const auto& [change, changed] : nodes.by_change) {
        causes.emplace_back(change.first, change.second, nodes.explained_by(changed));
    }
    Nodes most;
    for (const auto& [package, change, builds] : causes) {
        if (builds.size() > most.size()) {
            most = builds;
        }
    }
    if (most.size() < 2 || 2 * most.size() < all) {
        return found;
    }
    // Those of the system come first: they explain what differs in each package.
    for (const auto& [package, change, builds] : causes) {
        const bool is_alike =
            found.causes.rows.empty() || is_null(found.causes.rows[0][0]) == is_null(package);
        if (builds == most && is_alike) {
            found.causes.rows.push_back({package, change, static_cast<std::int64_t>(most.size())});
        }
    }
    found.sentence = sentence_of_cause(found, most.size(), all);
    return found;
}

}  // namespace cacheledger
