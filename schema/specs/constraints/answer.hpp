#pragma once

#include <algorithm>

namespace cacheledger {

/// Whether a spec has what is asked. `unknown`: what the ledger has of the spec does not say.
enum class Answer { no, unknown, yes };

/// All of several conditions hold: `no` if one does not, else `unknown` if one is not known.
inline Answer all_of(Answer a, Answer b) {
    return std::min(a, b);
}

/// One of several conditions holds.
inline Answer any_of(Answer a, Answer b) {
    return std::max(a, b);
}

inline Answer answer(bool holds) {
    return holds ? Answer::yes : Answer::no;
}

}  // namespace cacheledger
