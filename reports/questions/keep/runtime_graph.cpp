#include "reports/questions/keep/runtime_graph.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "reports/questions/keep/keep_texts.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

RuntimeGraph::RuntimeGraph(SQLite::Database& database, const SeenSpecs& seen)
    : num_seen_(seen.specs().size()) {
    places_.reserve(num_seen_ * 2);
    for (const PastSpec& spec : seen.specs()) {
        place_of(spec.spec_id);
    }
    Places from;
    Places to;
    SQLite::Statement edges(database, text_named(keep_texts, "runtime_edges"));
    while (edges.executeStep()) {
        from.push_back(place_of(edges.getColumn(0).getInt64()));
        to.push_back(place_of(edges.getColumn(1).getInt64()));
    }
    SQLite::Statement others(database, text_named(keep_texts, "stand_ins"));
    while (others.executeStep()) {
        const std::size_t node = place_of(others.getColumn(0).getInt64());
        is_external_.resize(ids_.size());
        if (others.isColumnNull(1)) {
            is_external_[node] = true;
        } else {
            built_[node].push_back(place_of(others.getColumn(1).getInt64()));
        }
    }
    is_external_.resize(ids_.size());
    down_.fill(ids_.size(), from, to);
    up_.fill(ids_.size(), to, from);
}

void RuntimeGraph::Edges::fill(std::size_t nodes, const Places& from, const Places& target) {
    first.assign(nodes + 1, 0);
    to.resize(target.size());
    for (const std::size_t node : from) {
        ++first[node + 1];
    }
    for (std::size_t node = 0; node < nodes; ++node) {
        first[node + 1] += first[node];
    }
    Places next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[next[from[i]]++] = target[i];
    }
}

std::size_t RuntimeGraph::place_of(std::int64_t spec_id) {
    const auto [found, is_new] = places_.emplace(spec_id, ids_.size());
    if (is_new) {
        ids_.push_back(spec_id);
    }
    return found->second;
}

bool RuntimeGraph::is_kept(const SeenSpecs& seen, std::size_t node) const {
    const auto is_there = [&](std::size_t one) {
        return one < num_seen_ && seen.specs()[one].is_kept;
    };
    const auto built = built_.find(node);
    return is_there(node) ||
           (built != built_.end() && std::ranges::any_of(built->second, is_there));
}

// Whether the cache had it, or what stands in for it, and will not have it any more.
bool RuntimeGraph::is_lost(const SeenSpecs& seen, std::size_t node) const {
    const auto is_seen = [&](std::size_t one) { return one < num_seen_; };
    const auto built = built_.find(node);
    const bool was_there =
        is_seen(node) || (built != built_.end() && std::ranges::any_of(built->second, is_seen));
    return was_there && !is_external_[node] && !is_kept(seen, node);
}

// All that kept specs need, directly or not.
std::vector<bool> RuntimeGraph::reached(const SeenSpecs& seen) const {
    std::vector<bool> is_reached(ids_.size());
    Places open;
    const auto open_children = [&](std::size_t node) {
        for (std::size_t i = down_.first[node]; i < down_.first[node + 1]; ++i) {
            const std::size_t child = down_.to[i];
            if (!is_reached[child]) {
                is_reached[child] = true;
                open.push_back(child);
            }
        }
    };
    for (std::size_t node = 0; node < num_seen_; ++node) {
        if (seen.specs()[node].is_kept) {
            open_children(node);
        }
    }
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        open_children(node);
    }
    return is_reached;
}

std::int64_t RuntimeGraph::keep_needed(SeenSpecs& seen) const {
    std::int64_t all = 0;
    // What was built for a spliced spec needs something, too, once it is kept.
    for (std::int64_t more = 1; more > 0; all += more) {
        more = keep_reached(seen);
    }
    return all;
}

std::int64_t RuntimeGraph::keep_reached(SeenSpecs& seen) const {
    const std::vector<bool> is_reached = reached(seen);
    std::int64_t more = 0;
    const auto keep = [&](std::size_t node) {
        if (node < num_seen_ && !seen.specs()[node].is_kept) {
            seen.specs()[node].is_kept = true;
            ++more;
        }
    };
    for (std::size_t node = 0; node < ids_.size(); ++node) {
        if (is_reached[node] && !is_external_[node]) {
            keep(node);
            if (const auto built = built_.find(node); built != built_.end()) {
                std::ranges::for_each(built->second, keep);
            }
        }
    }
    return more;
}

std::vector<bool> RuntimeGraph::needed(const SeenSpecs& seen) const {
    const std::vector<bool> is_reached = reached(seen);
    std::vector<bool> is_needed(num_seen_);
    for (std::size_t node = 0; node < ids_.size(); ++node) {
        if (!is_reached[node] || !is_lost(seen, node)) {
            continue;
        }
        if (node < num_seen_) {
            is_needed[node] = true;
        }
        if (const auto built = built_.find(node); built != built_.end()) {
            for (const std::size_t one : built->second) {
                if (one < num_seen_) {
                    is_needed[one] = true;
                }
            }
        }
    }
    return is_needed;
}

// By package and hash.
RuntimeGraph::Places RuntimeGraph::in_order(SQLite::Database& database,
                                            const std::vector<bool>& chosen) const {
    SQLite::Statement words(database,
                            "SELECT k.name, x.hash FROM spec x JOIN look USING (look_id) "
                            "JOIN package k USING (package_id) WHERE x.spec_id = ?");
    std::vector<std::tuple<std::string, std::string, std::size_t>> sorted;
    for (std::size_t node = 0; node < chosen.size(); ++node) {
        if (!chosen[node]) {
            continue;
        }
        rebind(words, ids_[node]);
        if (words.executeStep()) {
            sorted.emplace_back(words.getColumn(0).getString(), words.getColumn(1).getString(),
                                node);
        }
    }
    std::ranges::sort(sorted);
    Places places;
    for (const auto& [package, hash, node] : sorted) {
        places.push_back(node);
    }
    return places;
}

std::vector<BrokenSpec> RuntimeGraph::broken(SQLite::Database& database,
                                             const SeenSpecs& seen) const {
    const std::vector<bool> is_reached = reached(seen);
    std::vector<bool> is_start(ids_.size());
    for (std::size_t node = 0; node < ids_.size(); ++node) {
        is_start[node] = is_reached[node] && is_lost(seen, node);
    }
    const Places starts = in_order(database, is_start);
    Places rank(ids_.size(), starts.size());
    std::vector<bool> is_met(ids_.size());
    std::vector<BrokenSpec> broken;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        rank[starts[i]] = i;
        Places open = {starts[i]};
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            for (std::size_t edge = up_.first[node]; edge < up_.first[node + 1]; ++edge) {
                const std::size_t parent = up_.to[edge];
                if (is_met[parent] || is_lost(seen, parent)) {
                    continue;
                }
                is_met[parent] = true;
                open.push_back(parent);
                if (parent < num_seen_ && seen.specs()[parent].is_kept) {
                    broken.push_back({parent, ids_[starts[i]], false});
                }
            }
        }
    }
    for (BrokenSpec& one : broken) {  // what it needs itself is named before what others need
        std::size_t first = starts.size();
        for (std::size_t i = down_.first[one.spec]; i < down_.first[one.spec + 1]; ++i) {
            first = std::min(first, rank[down_.to[i]]);
        }
        if (first < starts.size()) {
            one.lost_id = ids_[starts[first]];
            one.is_direct = true;
        }
    }
    return broken;
}

}  // namespace cacheledger
