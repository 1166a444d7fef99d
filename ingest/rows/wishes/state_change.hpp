#pragma once

#include <map>
#include <set>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// The intervals of some things that touch a moment: those that are there, and those that end at
/// it, with their beginnings.
template <typename Key>
struct IntervalsAt {
    std::map<Key, Moment> open;
    std::map<Key, Moment> ended;
};

/// From `moment` on, `wanted` is there and nothing else. No interval of `at` begins later. `rows`
/// writes the difference: insert(key), end(key, from), remove(key, from), reopen(key, from). So no
/// interval is empty, and no two could be one, where several states have one moment.
template <typename Key, typename Rows>
void change_state(const IntervalsAt<Key>& at, const std::set<Key>& wanted, Moment moment,
                  Rows& rows) {
    for (const auto& [key, from] : at.open) {
        if (wanted.contains(key)) {
            continue;
        }
        if (from == moment) {
            rows.remove(key, from);
        } else {
            rows.end(key, from);
        }
    }
    for (const Key& key : wanted) {
        const auto ended = at.ended.find(key);
        if (at.open.contains(key)) {
            continue;
        }
        if (ended != at.ended.end()) {
            rows.reopen(key, ended->second);
        } else {
            rows.insert(key);
        }
    }
}

}  // namespace cacheledger
