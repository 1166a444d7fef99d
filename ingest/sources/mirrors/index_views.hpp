#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The named views of a mirror of layout 3: indexes that list some of its builds. The main index
/// lists all.
namespace cacheledger {

/// Where views, and the manifest of the main index, are in a mirror.
inline constexpr std::string_view folder_of_views = "v3/manifests/index";

/// The manifest of a view, seen from its mirror.
std::string path_of_view(std::string_view name);

/// What is wrong with the name of a view: what is expected, for messages. nullopt if it can be that
/// of a stack, and leads to no other folder.
std::optional<std::string> view_name_problem(std::string_view name);

/// The names of the views of a mirror on this machine, sorted; they may have problems. Throws
/// Problem if their folder can't be searched.
std::vector<std::string> find_views(const std::string& mirror);

}  // namespace cacheledger
