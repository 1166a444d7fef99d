#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cacheledger {

/// The hash by which Spack identifies a spec: 32 characters of base32.
using DagHash = std::array<char, 32>;

/// Whether all characters are those of base32.
inline bool is_base32(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'); });
}

/// Whether the text has the form of a DAG hash.
inline bool is_dag_hash(std::string_view text) {
    return text.size() == std::tuple_size_v<DagHash> && is_base32(text);
}

/// Converts a text for which is_dag_hash() is true.
inline DagHash dag_hash(std::string_view text) {
    DagHash hash{};
    text.copy(hash.data(), hash.size());
    return hash;
}

inline std::string_view text_of(const DagHash& hash) {
    return {hash.data(), hash.size()};
}

}  // namespace cacheledger
