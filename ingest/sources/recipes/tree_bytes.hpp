#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/text/digest.hpp"

/// Trees of git as their bytes: a folder with 8,900 recipes takes a third of a megabyte, and most
/// commits change one entry of it.
namespace cacheledger {

/// An entry of a tree. It refers to the bytes.
struct RawEntry {
    std::string_view name;
    Digest id{};
    bool is_folder = false;
    bool is_file = false;  ///< no link, no submodule

    bool operator==(const RawEntry&) const = default;
};

/// All entries, in their order. Throws Problem if the bytes are no tree.
std::vector<RawEntry> read_tree(std::string_view bytes);

/// The first entry of that name that is a file, or a folder; nullopt if there is none. Throws like
/// read_tree().
std::optional<RawEntry> find_in_tree(std::string_view bytes, std::string_view name,
                                     bool RawEntry::*kind);

/// A folder that differs between two trees; nullopt where there is none.
struct FolderChange {
    std::string_view name;
    std::optional<Digest> before;
    std::optional<Digest> after;
};

/// The folders that differ, by name. Empty bytes are a tree without entries. What both begin with,
/// and end with, is not parsed. Throws like read_tree().
std::vector<FolderChange> changed_folders(std::string_view before, std::string_view after);

}  // namespace cacheledger
