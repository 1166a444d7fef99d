#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// The SHA-1 of these texts, one behind the other.
Digest sha1(std::initializer_list<std::string_view> texts);

/// The git blob id of a file with this content: SHA-1 over "blob <size>\0" and the content. A page
/// is thus known by one name, whether it was read from a folder or from a git repository.
Digest blob_id(std::string_view content);

/// A file in a folder.
struct TreeEntry {
    std::string name;
    Digest blob{};
};

/// The git tree id of a folder that holds these files and nothing else, none of them executable. No
/// name may come twice.
Digest tree_id(std::vector<TreeEntry> files);

/// 40 lower-case hex digits.
std::string to_hex(const Digest& digest);

}  // namespace cacheledger
