#pragma once

#include <algorithm>
#include <string_view>

namespace cacheledger {

/// Whether the text has the form of a DAG hash: 32 characters of base32.
inline bool is_dag_hash(std::string_view text) {
    return text.size() == 32 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
           });
}

}  // namespace cacheledger
