#include "reports/engine/reasons/reasons.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/engine/compared/own_attributes.hpp"
#include "reports/engine/compared/pairs.hpp"
#include "reports/engine/present/spec_facts.hpp"
#include "reports/engine/reasons/edge_reasons.hpp"
#include "reports/engine/reasons/spread.hpp"

namespace cacheledger {

namespace {

/// What was found of a new node. Without a reason of its own, it is new because of what is below.
struct Explained {
    std::optional<OwnReason> reason{};
    bool by_recipe = false;
};

bool is_of_all_packages(const std::string& name) {
    return name == "edges" || name == "target-definition" || name == "hash-definition";
}

bool is_of_recipe(const OwnReason& reason) {
    const auto begins = [&](const char* words) { return reason.change->starts_with(words); };
    return reason.change &&
           (begins("dependency added: ") || begins("removed: ") || begins("edge: "));
}

/// Finds the reasons between two sides, a step after the other.
class Finder {
  public:
    Finder(const SQLite::Database& database, const ListedGraph& listed, SpecReading& reading,
           Asked asked, bool by_pairs)
        : listed_(listed), graph_(listed.graph), asked_(std::move(asked)), reading_(reading) {
        compared_ = compare_sides(database, listed_, asked_, reading_);
        if (by_pairs) {
            pair_builds(listed_, reading_, compared_);
        }
        explain(database);
        choose_specs();
        number_reasons();
    }

    Reasons found() {
        Reasons found;
        add_reasons(found);
        add_counts(found);
        add_graph(found);
        return found;
    }

  private:
    using NewNode = Compared::NewNode;

    std::uint32_t package_of(std::size_t node) const {
        return reading_.facts(compared_.nodes[node].spec).package;
    }

    bool goes_on(std::size_t node) const {
        return !explained_[node].reason || compared_.nodes[node].depth == 0;
    }

    void explain(const SQLite::Database& database) {
        OwnAttributes own(database, reading_, compared_);
        EdgeReasons edges(graph_, reading_, own, compared_);
        explained_.resize(compared_.nodes.size());
        for (std::size_t node = 0; node < explained_.size(); ++node) {
            Explained& found = explained_[node];
            if (own.of(node).same.empty()) {
                const OwnChange& change = own.change(node);
                found = {OwnReason{"own", change.text}, change.by_recipe};
            } else if (graph_.form(compared_.nodes[node].spec) == 0) {
                found.reason = {"unexplained", ""};
            } else {
                found.reason = edges.of(node);
                found.by_recipe =
                    found.reason && found.reason->name == "edges" && is_of_recipe(*found.reason);
            }
        }
        add_edges_of_first(edges);
    }

    // The later one of two specs is told in full: if it has own attributes that differ, its edges
    // are another reason, as one more node. (An external spec has none.)
    void add_edges_of_first(EdgeReasons& edges) {
        const auto first =
            std::ranges::find(compared_.nodes, std::optional<std::int64_t>(0), &NewNode::depth);
        if (first == compared_.nodes.end()) {
            return;
        }
        const auto place = static_cast<std::size_t>(first - compared_.nodes.begin());
        const auto earlier =
            std::ranges::find(compared_.earlier, first->group, &Compared::Earlier::group);
        if (!explained_[place].reason || explained_[place].reason->name != "own" ||
            is_external(first->spec) || is_external(earlier->spec)) {
            return;
        }
        if (auto change = edges.difference(first->spec, earlier->spec)) {
            const OwnReason reason{"edges", std::move(change)};
            explained_.push_back({reason, is_of_recipe(reason)});
            NewNode more = *first;
            more.id = 0;
            more.below.clear();
            first->below.push_back(static_cast<std::uint32_t>(compared_.nodes.size()));
            compared_.nodes.push_back(std::move(more));
        }
    }

    bool is_external(std::uint32_t spec) {
        const std::uint32_t external = reading_.recipe(reading_.facts(spec).recipe).external;
        return external != 0 && reading_.text(external) != "no";
    }

    // The specs to explain. Without known dependencies only own attributes can explain one.
    void choose_specs() {
        places_.assign(graph_.size(), none);
        for (std::size_t node = 0; node < compared_.nodes.size(); ++node) {
            if (compared_.nodes[node].id > 0) {
                places_[static_cast<std::size_t>(compared_.nodes[node].id)] =
                    static_cast<std::uint32_t>(node);
            }
        }
        is_explained_.assign(compared_.nodes.size(), false);
        for (const AskedSpec& asked : asked_.specs) {
            const std::uint32_t node = places_[asked.spec];
            if (asked.is_rebuilt && node != none) {
                const auto& reason = explained_[node].reason;
                is_explained_[node] =
                    graph_.form(asked.spec) != 0 || (reason && reason->name == "own");
            }
        }
    }

    // The reasons of a spec are the first nodes with a reason of their own on the ways down.
    void number_reasons() {
        std::vector<std::uint32_t> open;
        is_met_ = is_explained_;
        for (std::uint32_t node = 0; node < is_met_.size(); ++node) {
            if (is_met_[node]) {
                open.push_back(node);
            }
        }
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            for (const std::uint32_t below : compared_.nodes[node].below) {
                if (goes_on(node) && !is_met_[below]) {
                    is_met_[below] = true;
                    open.push_back(below);
                }
            }
        }
        using Key = std::tuple<std::string, std::optional<std::string>, std::uint32_t>;
        std::map<Key, std::vector<std::uint32_t>> by_reason;
        for (std::uint32_t node = 0; node < is_met_.size(); ++node) {
            if (is_met_[node] && explained_[node].reason) {
                const auto& [name, change] = *explained_[node].reason;
                by_reason[{name, change, is_of_all_packages(name) ? 0 : package_of(node)}]
                    .push_back(node);
            }
        }
        for (auto& [key, nodes] : by_reason) {
            nodes_of_.push_back(std::move(nodes));
        }
    }

    std::vector<ReasonNode> nodes_to_count() const {
        std::vector<ReasonNode> nodes(compared_.nodes.size());
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            nodes[node] = {package_of(node), is_explained_[node], goes_on(node), std::nullopt,
                           compared_.nodes[node].below};
        }
        for (std::size_t reason = 0; reason < nodes_of_.size(); ++reason) {
            for (const std::uint32_t node : nodes_of_[reason]) {
                nodes[node].reason = reason;
            }
        }
        return nodes;
    }

    void add_reasons(Reasons& found) {
        const std::vector<ReasonCount> counts = count_reasons(nodes_to_count());
        for (std::size_t i = 0; i < nodes_of_.size(); ++i) {
            const std::vector<std::uint32_t>& nodes = nodes_of_[i];
            const auto& [name, change] = *explained_[nodes.front()].reason;
            Reason& reason = found.reasons.emplace_back(Reason{name, change});
            reason.specs = counts[i].specs;
            reason.packages = counts[i].packages;
            reason.reach = counts[i].reach;
            reason.same_as = static_cast<std::int64_t>(counts[i].same_as) + 1;
            std::set<std::uint32_t> builds;
            std::set<std::uint32_t> packages;
            std::set<std::uint32_t> name_spaces;
            for (const std::uint32_t node : nodes) {
                const auto& [id, spec, group, depth, below] = compared_.nodes[node];
                const std::string& hash = reading_.hash(spec);
                reason.hash = reason.hash.empty() ? hash : std::min(reason.hash, hash);
                reason.by_recipe = reason.by_recipe || explained_[node].by_recipe;
                if (depth && (!reason.depth || *depth < *reason.depth)) {
                    reason.depth = depth;
                }
                builds.insert(spec);
                packages.insert(package_of(node));
                const std::uint32_t recipe = reading_.facts(spec).recipe;
                if (const auto name_space = reading_.recipe(recipe).name_space; name_space != 0) {
                    name_spaces.insert(name_space);
                }
            }
            reason.builds = static_cast<std::int64_t>(builds.size());
            if (packages.size() == 1) {
                reason.package = reading_.package(*packages.begin());
            }
            reason.by_recipe = reason.by_recipe && packages.size() == 1;
            if (name_spaces.size() == 1) {
                reason.name_space = reading_.text(*name_spaces.begin());
            }
        }
    }

    void add_counts(Reasons& found) {
        found.causes = {{"rebuilt"}, {"compiler"}, {"copies"}};
        std::set<std::uint32_t> pushed;
        std::set<std::uint32_t> unknown;
        for (const AskedSpec& asked : asked_.specs) {
            const std::uint32_t node = places_[asked.spec];
            const bool is_explained = node != none && is_explained_[node];
            const auto cause = std::ranges::find(found.causes, asked.cause, &ExplainedCause::cause);
            if (asked.is_rebuilt && cause != found.causes.end()) {
                ++cause->asked;
                cause->explained += is_explained ? 1 : 0;
                cause->unknown +=
                    !is_explained && node != none && !listed_.from[asked.spec] ? 1 : 0;
            }
            if (is_explained) {
                found.explained_specs.push_back(asked.spec);
            }
            if (listed_.from[asked.spec]) {
                ++found.joined;
            } else if (!compared_.is_new[asked.spec]) {
                ++found.pushed.specs;
                pushed.insert(reading_.facts(asked.spec).package);
            } else if (asked.is_rebuilt && !is_explained) {
                ++found.unknown.specs;
                unknown.insert(reading_.facts(asked.spec).package);
            }
        }
        found.pushed.packages = static_cast<std::int64_t>(pushed.size());
        found.unknown.packages = static_cast<std::int64_t>(unknown.size());
        for (const std::uint32_t spec : members(listed_.from)) {
            found.unknown_before += graph_.form(spec) == 0 ? 1 : 0;
        }
    }

    void add_graph(Reasons& found) const {
        std::map<std::int64_t, std::int64_t> specs;
        std::set<std::pair<std::int64_t, std::int64_t>> edges;
        std::set<std::pair<std::int64_t, std::optional<std::string>>> changes;
        for (std::size_t node = 0; node < is_met_.size(); ++node) {
            if (!is_met_[node]) {
                continue;
            }
            ++specs[package_of(node)];
            if (const auto& reason = explained_[node].reason) {
                changes.emplace(package_of(node), reason->change);
                continue;
            }
            for (const std::uint32_t below : compared_.nodes[node].below) {
                if (package_of(below) != package_of(node)) {
                    edges.emplace(package_of(node), package_of(below));
                }
            }
        }
        for (const auto& [package, count] : specs) {
            found.graph.packages.push_back({package, count});
        }
        found.graph.edges.assign(edges.begin(), edges.end());
        found.graph.changes.assign(changes.begin(), changes.end());
    }

    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

    const ListedGraph& listed_;
    const SpecGraph& graph_;
    Asked asked_;
    SpecReading& reading_;
    Compared compared_;
    std::vector<Explained> explained_;                  // by place of new nodes
    std::vector<std::uint32_t> places_;                 // of new nodes, by spec_id
    std::vector<bool> is_explained_, is_met_;           // by place of new nodes
    std::vector<std::vector<std::uint32_t>> nodes_of_;  // by reason
};

}  // namespace

Reasons reasons_between_snapshots(const SQLite::Database& database, const PairDrift& drift,
                                  const Arguments& arguments) {
    return Finder(database, drift.listed(), drift.specs(),
                  asked_between_snapshots(database, arguments), false)
        .found();
}

Reasons reasons_between_specs(const SQLite::Database& database, const std::string& from,
                              const std::string& to) {
    PairReading reading(database);
    const ListedGraph listed = reading.between_specs(from, to);
    return Finder(database, listed, reading.specs(), asked_between_specs(listed), true).found();
}

}  // namespace cacheledger
