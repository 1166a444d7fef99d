#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

// Loads the history of a HistoryLedger or a GraphHistoryLedger in pieces, at random.

namespace cacheledger {

inline std::size_t below(std::mt19937& random, std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

template <typename History>
void load_what_is_there(History& history, const std::string& revision) {
    try {
        history.load(revision);
    } catch (const InputError&) {
        // A range without pages, or without a file that can be read.
    }
}

/// The names of the snapshots.
template <typename History>
std::vector<std::string> names_in(History& history) {
    return history.ledger().rows("SELECT name FROM snapshots ORDER BY name");
}

/// Forgets a snapshot by its name, if there is one.
template <typename History>
void forget_one(History& history, std::mt19937& random) {
    const auto names = names_in(history);
    if (!names.empty()) {
        history.forget(names[below(random, names.size())]);
    }
}

/// Loads ranges of the commits, and at last all. `forget` is called between them now and then.
template <typename History, typename Commit, typename Forget>
void load_in_pieces(History& history, const std::vector<Commit>& commits, std::mt19937& random,
                    const Forget& forget) {
    const std::vector<std::string> none;
    for (int i = 0; i < 6; ++i) {
        const std::string from = commits[below(random, commits.size())].id;
        const std::string to = commits[below(random, commits.size())].id;
        load_what_is_there(history, from == to ? from : from + ".." + to);
        if (below(random, 2) == 0) {
            forget();
        }
        REQUIRE(history.faults() == none);
    }
    load_what_is_there(history, "HEAD");
    REQUIRE(history.faults() == none);
}

}  // namespace cacheledger
