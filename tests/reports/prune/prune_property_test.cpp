#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/prune/prune.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace prune_property_test {

using namespace cacheledger;
using Stems = std::set<std::string>;

namespace {

std::string stem_of(std::size_t number) {
    return {static_cast<char>('a' + number / 26), static_cast<char>('a' + number % 26)};
}

/// A random cache, told to a ledger and to a model that looks at every way through the graph.
class RandomCache {
  public:
    explicit RandomCache(std::mt19937& random) : random_(random) {
        const std::size_t size = 3 + below(20);
        for (std::size_t i = 0; i < size; ++i) {
            const GraphNode one = node(i);
            ledger.add(one);
            nodes_.emplace(one.stem, one);
        }
        snapshots.resize(1 + below(5));
        for (auto& snapshot : snapshots) {
            for (const auto& [stem, one] : nodes_) {
                if (below(2) == 0) {
                    snapshot.push_back(stem);
                }
            }
        }
        ledger.take(snapshots);
    }

    Stems any_stems() {
        Stems stems;
        for (const auto& [stem, one] : nodes_) {
            if (below(3) == 0) {
                stems.insert(stem);
            }
        }
        return stems;
    }

    std::size_t below(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(random_);
    }

    /// The specs of the snapshots that are at most `age` seconds older than the newest.
    Stems seen_within(std::size_t age) const {
        Stems seen;
        for (std::size_t i = 0; i < snapshots.size(); ++i) {
            if (snapshots.size() - 1 - i <= age) {
                seen.insert(snapshots[i].begin(), snapshots[i].end());
            }
        }
        return seen;
    }
    Stems seen() const { return seen_within(snapshots.size()); }

    bool is_there(const std::string& stem, const Stems& cache) const {
        return cache.contains(stem) || std::ranges::any_of(built(stem), [&](const auto& one) {
                   return cache.contains(one);
               });
    }
    bool is_lost(const std::string& stem, const Stems& kept) const {
        return !nodes_.at(stem).external_path && is_there(stem, seen()) && !is_there(stem, kept);
    }

    /// Everything below `stem`; not beyond what is lost, if `kept` is given.
    void add_needed(const std::string& stem, const Stems* kept, Stems& found) const {
        const GraphNode& node = nodes_.at(stem);
        for (const GraphEdge& edge : node.is_described ? node.edges : std::vector<GraphEdge>()) {
            const bool counts = edge.deptypes.find("link") != std::string::npos ||
                                edge.deptypes.find("run") != std::string::npos;
            if (counts && found.insert(edge.child).second &&
                (kept == nullptr || !is_lost(edge.child, *kept))) {
                add_needed(edge.child, kept, found);
            }
        }
    }

    Stems with_dependencies(Stems kept, const Stems& dropped) const {
        const Stems cache = seen();
        for (std::size_t before = 0; before != kept.size();) {
            before = kept.size();
            Stems needed;
            for (const std::string& stem : Stems(kept)) {
                add_needed(stem, nullptr, needed);
            }
            for (const std::string& stem : needed) {
                if (nodes_.at(stem).external_path) {
                    continue;
                }
                Stems all = built(stem);
                all.insert(stem);
                for (const std::string& one : all) {
                    if (cache.contains(one) && !dropped.contains(one)) {
                        kept.insert(one);
                    }
                }
            }
        }
        return kept;
    }

    /// "hash lost direct" of each kept spec that lacks something.
    Lines broken(const Stems& kept) const {
        Lines lines;
        for (const std::string& stem : kept) {
            Stems below_it;
            add_needed(stem, &kept, below_it);
            std::set<std::pair<std::string, std::string>> lost;
            for (const std::string& one : below_it) {
                if (is_lost(one, kept)) {
                    lost.insert({nodes_.at(one).package, hash_of(one)});
                }
            }
            if (lost.empty()) {
                continue;
            }
            std::set<std::pair<std::string, std::string>> direct;
            for (const GraphEdge& edge : nodes_.at(stem).edges) {
                const std::pair child(nodes_.at(edge.child).package, hash_of(edge.child));
                if (edge.deptypes != "build" && edge.deptypes != "test" && lost.contains(child)) {
                    direct.insert(child);
                }
            }
            lines.push_back(fmt::format("{} {} {}", hash_of(stem),
                                        (direct.empty() ? lost : direct).begin()->second,
                                        direct.empty() ? 0 : 1));
        }
        std::ranges::sort(lines);
        return lines;
    }

    /// "hash needed" of each lost spec.
    Lines lost(const Stems& kept) const {
        Stems needed;
        for (const std::string& stem : kept) {
            add_needed(stem, nullptr, needed);
        }
        Stems missed;
        for (const std::string& stem : needed) {
            if (is_lost(stem, kept)) {
                missed.insert(stem);
                missed.merge(built(stem));
            }
        }
        Lines lines;
        for (const std::string& stem : seen()) {
            if (!kept.contains(stem)) {
                lines.push_back(fmt::format("{} {}", hash_of(stem), missed.contains(stem) ? 1 : 0));
            }
        }
        std::ranges::sort(lines);
        return lines;
    }

    GraphLedger ledger;
    std::vector<Lines> snapshots;

  private:
    Stems built(const std::string& stem) const {
        const auto& hash = nodes_.at(stem).build_hash;
        Stems stems;
        for (const auto& [one, node] : nodes_) {
            if (hash && *hash == hash_of(one) && nodes_.at(stem).is_described) {
                stems.insert(one);
            }
        }
        return stems;
    }

    std::string one_of(const Lines& words) { return words[below(words.size())]; }

    GraphNode node(std::size_t number) {
        GraphNode node{stem_of(number), one_of({"hdf5", "zlib", "cmake"})};
        std::map<std::string, std::string> edges;
        for (std::size_t count = number == 0 ? 0 : below(4); count > 0; --count) {
            edges[stem_of(below(number))] =
                one_of({"build", "link", "run", "test", "build,link", "link,run"});
        }
        node.is_described = below(10) > 0;
        for (const auto& [child, types] : edges) {
            node.edges.push_back({child, types});
        }
        if (below(8) == 0) {
            node.external_path =
                node.is_described ? std::optional<std::string>("/usr") : std::nullopt;
        }
        if (below(5) == 0) {
            node.build_hash = hash_of(stem_of(below(23)));
        }
        if (!node.is_described) {
            node.edges.clear();
        }
        return node;
    }

    std::mt19937& random_;
    std::map<std::string, GraphNode> nodes_;
};

Lines texts_of(const ResultTable& table, const std::vector<std::size_t>& columns) {
    Lines lines;
    for (const auto& row : table.rows) {
        std::string line;
        for (const std::size_t column : columns) {
            line += (line.empty() ? "" : " ") + to_text(row[column]);
        }
        lines.push_back(line);
    }
    std::ranges::sort(lines);
    return lines;
}

}  // namespace

TEST_CASE("A prune loses and breaks what a simple model says") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    std::size_t broken = 0, lost = 0, added = 0;
    for (int round = 0; round < 60; ++round) {
        RandomCache cache(random);
        auto& database = cache.ledger.database();
        SeenSpecs seen(database, newest_snapshot(database), std::nullopt);
        Stems kept;
        if (cache.below(2) == 0) {
            const std::size_t age = cache.below(4);
            kept = cache.seen_within(age);
            seen.keep(*read_keep_rule(fmt::format("seen within {} seconds", age)));
        }
        if (kept.empty() || cache.below(3) == 0) {
            const Stems listed = cache.any_stems();
            std::string list = "nothing-is-called-so\n";
            for (const std::string& stem : listed) {
                list += (cache.below(2) == 0 ? "/" : "") + hash_of(stem) + "\n";
            }
            seen.keep_list(read_spec_list(list, "list"));
            std::ranges::set_intersection(listed, cache.seen(), std::inserter(kept, kept.end()));
        }
        Stems dropped;
        for (const std::string& stem : cache.below(2) == 0 ? cache.any_stems() : Stems()) {
            dropped.insert(stem);
            kept.erase(stem);
            seen.drop(parse_spec("/" + hash_of(stem)));
        }
        const bool with_dependencies = cache.below(3) == 0;
        const std::size_t before = kept.size();
        if (with_dependencies) {
            kept = cache.with_dependencies(kept, dropped);
        }
        const Prune prune = ask_prune(database, seen, with_dependencies);
        CHECK(prune.dependencies == static_cast<std::int64_t>(kept.size() - before));
        CHECK(texts_of(pruned_rows(database, false), {2, 11}) == cache.lost(kept));
        CHECK(texts_of(prune.broken, {2, 5, 6}) == cache.broken(kept));
        CHECK(prune.total("specs", "after") == static_cast<std::int64_t>(kept.size()));
        CHECK(prune.total("specs", "before") == static_cast<std::int64_t>(cache.seen().size()));
        CHECK((!with_dependencies || !dropped.empty() || prune.broken.rows.empty()));
        broken += prune.broken.rows.size();
        lost += cache.lost(kept).size();
        added += kept.size() - before;
    }
    CHECK(broken > 10);
    CHECK(lost > 50);
    CHECK(added > 0);
}

}  // namespace prune_property_test
