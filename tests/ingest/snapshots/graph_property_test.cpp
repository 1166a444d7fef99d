#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ingest/snapshots/forget.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/models/random_sources.hpp"

namespace graph_property_test {

using namespace cacheledger;
using namespace cacheledger::random_sources;

namespace {

using Rows = std::map<std::string, std::vector<std::string>>;

std::string text_of_roots(const Given& source) {
    auto roots = source.roots;
    std::sort(roots.begin(), roots.end());
    return fmt::format("{}", roots);
}

/// What a ledger should have, found by looking at all sources again.
class Model {
  public:
    void put(const Given& source) {
        sources_[source.name()] = source;
        // Who is neither there nor needed by one who is does not count.
        Hashes told;
        for (const auto& [hash, stacks] : own_state(source)) {
            tell(source, hash, told);
        }
    }

    void erase(const std::string& name) {
        sources_.erase(name);
        Hashes reached;
        for (const auto& [tag_and_name, state] : states()) {
            for (const auto& [hash, stacks] : state) {
                reach(hash, reached);
            }
        }
        std::erase_if(known_, [&](const auto& spec) { return !reached.contains(spec.first); });
    }

    const std::map<std::string, Given>& sources() const { return sources_; }

    Rows rows() const {
        Rows rows;
        for (const auto& [name, state] : states()) {
            rows["snapshots"].push_back(
                fmt::format("{}|{}|{}", name, state.size(), sources_.at(name).kind));
            for (const auto& [hash, stacks] : state) {
                const Said& said = known_.at(hash);
                rows["specs"].push_back(
                    fmt::format("{}|{}|{}|{}|1.0|{}|{}|{}", name, package_of(hash), hash,
                                fmt::join(stacks, ","), said.compiler ? "gcc@13.2.0" : "NULL",
                                said.package_hash ? "recipe" : "NULL", said.node ? 1 : 0));
            }
            for (const auto& [text, hash] : sources_.at(name).roots) {
                rows["roots"].push_back(fmt::format("{}|{}|{}", name, text, hash));
            }
        }
        for (const auto& [hash, said] : known_) {
            for (const std::string& child :
                 said.node ? children_of(hash) : std::vector<std::string>()) {
                rows["dependencies"].push_back(
                    fmt::format("{}|{}|link|{}", hash, child, said.virtuals ? "c" : "NULL"));
            }
        }
        for (auto& [name, lines] : rows) {
            std::sort(lines.begin(), lines.end());
        }
        return rows;
    }

  private:
    void tell(const Given& source, const std::string& hash, Hashes& told) {
        if (!told.insert(hash).second) {
            return;
        }
        Said& known = known_[hash];
        const auto said = source.specs.find(hash);
        if (said == source.specs.end()) {
            return;
        }
        known.fill(said->second);
        if (said->second.node) {
            for (const std::string& child : children_of(hash)) {
                tell(source, child, told);
            }
        }
    }

    static State own_state(const Given& source) {
        if (source.kind != "lock") {
            return state_after({}, source);
        }
        State state;
        for (const std::string& hash :
             source.labels.contains("") ? source.labels.at("") : Hashes()) {
            state[hash];
        }
        return state;
    }

    void reach(const std::string& hash, Hashes& reached) const {
        if (reached.insert(hash).second && known_.at(hash).node) {
            for (const std::string& child : children_of(hash)) {
                reach(child, reached);
            }
        }
    }

    std::map<std::string, State> states() const {
        std::map<std::string, State> states;
        State before;
        for (const auto& [name, source] : sources_) {  // those of a tag in the order of time
            if (source.tag() == "develop") {
                before = states[name] = state_after(before, source);
            } else {
                states[name] = own_state(source);
            }
        }
        return states;
    }

    static State state_after(const State& before, const Given& source) {
        if (source.kind == "pages") {
            return source.pages;
        }
        const bool has_root = source.labels.contains("root");
        State state;
        for (const auto& [label, hashes] : source.labels) {
            for (const std::string& hash : hashes) {
                if (!has_root || source.labels.at("root").contains(hash)) {
                    state[hash].insert(label);
                }
            }
        }
        for (const auto& [hash, stacks] : before) {
            for (const std::string& label : source.unread) {
                if (stacks.contains(label) &&
                    (!has_root || source.labels.at("root").contains(hash))) {
                    state[hash].insert(label);
                }
            }
        }
        return state;
    }

    std::map<std::string, Given> sources_;  // by name
    std::map<std::string, Said> known_;     // by hash
};

Rows rows_of(TempLedger& ledger) {
    Rows rows = {
        {"snapshots", ledger.rows("SELECT name, specs, kind FROM snapshots ORDER BY 1")},
        {"specs", ledger.rows("SELECT snapshot, package, hash, stacks, version, compiler, "
                              "package_hash, knows_dependencies FROM specs ORDER BY 1, 2, 3")},
        {"roots", ledger.rows("SELECT snapshot, root, hash FROM roots ORDER BY 1, 2, 3")},
        {"dependencies", ledger.rows("SELECT hash, dependency_hash, deptypes, virtuals "
                                     "FROM dependencies ORDER BY 1, 2")},
    };
    std::erase_if(rows, [](const auto& entry) { return entry.second.empty(); });
    for (auto& [name, lines] : rows) {
        std::sort(lines.begin(), lines.end());
    }
    return rows;
}

void require_same(const Rows& actual, const Rows& expected) {
    for (const auto& [name, lines] : expected) {
        INFO(name);
        REQUIRE(actual.contains(name));
        REQUIRE(actual.at(name) == lines);
    }
    REQUIRE(actual.size() == expected.size());
}

}  // namespace

TEST_CASE("Any history of graphs and pages gives what looking back gives") {
    for (unsigned seed = 1; seed <= 25; ++seed) {
        RandomSources random(seed);
        TempLedger ledger;
        Model model;
        std::string told;
        for (int step = 0; step < 15; ++step) {
            const auto& sources = model.sources();
            if (random.below(4) == 0 && !sources.empty()) {
                const std::string name =
                    std::next(sources.begin(), random.below(static_cast<int>(sources.size())))
                        ->first;
                told += "forget " + name + "\n";
                forget(ledger.database(), name);
                model.erase(name);
            } else {
                const Given source = random.any(1 + random.below(8));
                const bool is_there = sources.contains(source.name());
                told += fmt::format("{} {} {}: {}, unread {}, roots {}\n",
                                    is_there ? "replace" : "load", source.kind, source.name(),
                                    source.kind == "pages" ? fmt::format("{}", source.pages)
                                                           : fmt::format("{}", source.labels),
                                    source.unread, text_of_roots(source));
                load(ledger, source, is_there);
                if (is_there) {
                    model.erase(source.name());
                }
                model.put(source);
            }
            INFO("seed " << seed << ":\n" << told);
            require_same(rows_of(ledger), model.rows());
            REQUIRE(find_problems(ledger.database(), 10) == std::vector<std::string>{});
        }
    }
}

TEST_CASE("The order in which graphs and pages are loaded makes no difference") {
    for (unsigned seed = 1; seed <= 15; ++seed) {
        RandomSources random(seed);
        std::vector<Given> sources;
        for (int day = 1; day <= 8; ++day) {
            sources.push_back(random.any(day));
        }
        std::map<std::string, std::vector<std::string>> first;
        for (int order = 0; order < 3; ++order) {
            TempLedger ledger;
            for (const Given& source : sources) {
                load(ledger, source, false);
            }
            auto views = ledger.views();
            views["node"] = ledger.rows(
                "SELECT hash, form, compiler_from, hash_state, hex(digest) FROM node "
                "JOIN spec USING (spec_id) ORDER BY 1");
            for (std::string& row : views["snapshots"]) {
                row = row.substr(0, row.find("/tmp/"));  // where pages lay
            }
            if (order == 0) {
                first = views;
            }
            INFO("seed " << seed << ", order " << order);
            for (const auto& [name, lines] : first) {
                INFO(name);
                REQUIRE(views.at(name) == lines);
            }
            REQUIRE(find_problems(ledger.database(), 10) == std::vector<std::string>{});
            std::shuffle(sources.begin(), sources.end(), random.random());
        }
    }
}

}  // namespace graph_property_test
