#include "reports/questions/wanted/wanted_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/engine/present/snapshot_specs.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Nodes = std::vector<std::uint32_t>;

constexpr auto looks_of_specs = R"(
    SELECT x.spec_id, l.package_id, x.look_id, ifnull(n.recipe_id, 0), x.hash
    FROM spec x
    CROSS JOIN look l USING (look_id)
    LEFT JOIN node n ON n.spec_id = x.spec_id
    WHERE x.spec_id BETWEEN ? AND ?)";

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

/// What a build is made for or with.
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
    CacheGraph(SQLite::Database& database, const Snapshot& snapshot)
        : words_(database),
          with_hash_(database, "SELECT spec_id FROM spec WHERE hash = ?"),
          package_(database, "SELECT package_id FROM package WHERE name = ?"),
          specs_(all_of_cache(database, snapshot)) {
        read_looks(database);
        is_complete_ = !first_value<bool>(database, undescribed_of_cache, snapshot.id);
        for (const auto& [platform, os, target, compiler] :
             rows<std::string, std::string, std::string, std::string>(database, systems_of_cache,
                                                                      snapshot.id)) {
            systems_.insert(
                {{"platform", platform}, {"os", os}, {"target", target}, {"compiler", compiler}});
        }
    }

    /// Whether all dependencies of the specs are known.
    bool is_complete() const { return is_complete_; }

    bool has(const std::string& hash) {
        const auto spec = with_hash_(hash).first();
        return spec && specs_.at(*spec);
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
    struct Spec {
        std::int64_t look_id = 0, recipe_id = 0;  // 0: not known
        std::string hash;
        std::int64_t spec_id = 0;
        auto operator<=>(const Spec&) const = default;
    };

    static SpecSet all_of_cache(const SQLite::Database& database, const Snapshot& snapshot) {
        SpecSet present = specs_of_snapshot(database, snapshot.name).specs;
        const SpecGraph graph(database, present);
        return with_dependencies(graph, std::move(present), graph.hashed());
    }

    void read_looks(const SQLite::Database& database) {
        const Select<std::size_t, std::int64_t, std::int64_t, std::int64_t, std::string> looks(
            database, looks_of_specs);
        for_ranges(specs_, [&](std::uint32_t first, std::uint32_t last) {
            for (auto&& [spec, package, look, recipe, hash] : looks(first, last)) {
                if (specs_[spec]) {
                    of_package_[package].push_back(
                        {look, recipe, std::move(hash), static_cast<std::int64_t>(spec)});
                }
            }
        });
    }

    // Of specs that are alike in all that is compared, the first by hash.
    const std::vector<SpecWords>& specs_of(const std::string& package) {
        const auto [found, is_new] = by_package_.try_emplace(package);
        const auto id = is_new ? package_(package).first() : std::nullopt;
        if (id) {
            std::vector<Spec>& specs = of_package_[*id];
            std::ranges::sort(specs);
            const auto alike = [](const Spec& one, const Spec& other) {
                return one.look_id == other.look_id && one.recipe_id == other.recipe_id;
            };
            specs.erase(std::unique(specs.begin(), specs.end(), alike), specs.end());
            for (const Spec& spec : specs) {
                found->second.push_back(words_.read(spec.spec_id));
            }
        }
        return found->second;
    }

    SpecReader words_;
    Select<std::size_t> with_hash_;
    Select<std::int64_t> package_;
    SpecSet specs_;
    bool is_complete_ = false;
    std::unordered_map<std::int64_t, std::vector<Spec>> of_package_;
    std::set<std::pair<std::string_view, std::string>> systems_;  // attribute, value
    std::map<std::string, std::vector<SpecWords>> by_package_;
};

/// Finds the nodes that the cache's graph does not have, and of each what differs from what that
/// has. The hashes of all nodes above one of them differ because of it.
class NewNodes {
  public:
    NewNodes(CacheGraph& cache, const WantedGraph& wanted, const BuildPlan& plan)
        : cache_(cache),
          wanted_(wanted),
          is_planned_(wanted.nodes.size()),
          is_changed_(wanted.nodes.size()),
          states_(wanted.nodes.size()),
          parents_(wanted.nodes.size()),
          met_(wanted.nodes.size()) {
        std::vector<std::uint32_t> to_look_at;
        for (const BuildPlan::Step& step : plan.steps) {
            is_planned_[step.node] = true;
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
        for (std::uint32_t node = 0; node < states_.size(); ++node) {
            if (states_[node] == State::is_new) {
                note(node);
            }
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
    /// these, directly or through such nodes. In order.
    Nodes explained_by(const Nodes& nodes) {
        Nodes found = nodes;
        ++num_walks_;
        for (const std::uint32_t node : nodes) {
            met_[node] = num_walks_;
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const std::uint32_t parent : parents_[found[i]]) {
                if (!is_changed_[parent] && std::exchange(met_[parent], num_walks_) != num_walks_) {
                    found.push_back(parent);
                }
            }
        }
        std::erase_if(found, [&](std::uint32_t node) { return !is_planned_[node]; });
        std::ranges::sort(found);
        return found;
    }

  private:
    enum class State : std::uint8_t { not_met, is_known, is_new };

    // Whether the node is new.
    bool enter(std::uint32_t node, std::vector<std::uint32_t>& to_look_at) {
        if (states_[node] == State::not_met) {
            states_[node] =
                cache_.has(wanted_.nodes[node].spec.hash) ? State::is_known : State::is_new;
            if (states_[node] == State::is_new) {
                to_look_at.push_back(node);
            }
        }
        return states_[node] == State::is_new;
    }

    void add(std::uint32_t node, const std::string& change) {
        by_change[{wanted_.nodes[node].spec.package, change}].push_back(node);
        is_changed_[node] = true;
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
            if (!is_planned_[node] || !wanted || cache_.has_system(name, *wanted)) {
                continue;
            }
            System& system = systems_[{name, *wanted}];
            system.builds.push_back(node);
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
    std::vector<bool> is_planned_, is_changed_;
    std::vector<State> states_;
    Systems systems_;
    std::vector<std::vector<std::uint32_t>> parents_;  // new ones, of new nodes
    std::vector<std::uint32_t> met_;                   // the last walk that met each node
    std::uint32_t num_walks_ = 0;
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
    CacheGraph cache(database, snapshot);
    NewNodes nodes(cache, wanted, plan);
    Nodes most;
    // Those of the system come first: they explain what differs in each package.
    const auto add = [&](const Value& package, const std::string& change, Nodes builds) {
        auto& rows = found.causes.rows;
        if (builds.size() > most.size()) {
            most = std::move(builds);
            rows.clear();
            rows.push_back({package, change, std::ssize(most)});
        } else if (!rows.empty() && builds == most && is_null(rows[0][0]) == is_null(package)) {
            rows.push_back({package, change, std::ssize(most)});
        }
    };
    for (auto& [word, builds] : nodes.by_system) {
        add(Value(), word, std::move(builds));
    }
    for (const auto& [change, changed] : nodes.by_change) {
        add(change.first, change.second, nodes.explained_by(changed));
    }
    if (most.size() < 2 || 2 * most.size() < all) {
        found.causes.rows.clear();
        return found;
    }
    found.sentence = sentence_of_cause(found, most.size(), all);
    return found;
}

}  // namespace cacheledger
