#pragma once

#include <cstdint>
#include <string_view>

namespace cacheledger {

/// Whether the column has names that users type or copy, such as those of snapshots, packages and
/// hashes. A terminal shows them whole.
bool is_key(std::string_view column);

/// Whether the column has lists of hashes, separated by commas. A terminal shows their first ones.
bool is_hash_list(std::string_view column);

/// Whether the column has lists of what differs. A narrow terminal shows of some differences the
/// names only.
bool is_difference_list(std::string_view column);

/// Whether the column says where a snapshot was read from: a path, or REPOSITORY@COMMIT. A terminal
/// shows the beginning of the commit, as git does.
bool is_source(std::string_view column);

/// The column from which this one follows: the platform from the operating system. Empty for most.
std::string_view leading_column(std::string_view column);

/// What a cell says of a change.
enum class Tone : std::uint8_t { plain, added, removed };

/// The tone of a cell: of a count of what was added or removed, or of the word for a change.
Tone tone_of(std::string_view column, std::string_view cell);

}  // namespace cacheledger
