#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What the place of a page says of it, in upstream's layout: `_cache/TAG/PACKAGE/specs.md`
/// (formats.md section 2).
namespace cacheledger {

/// The last part of a path: "specs.md".
std::string_view file_name(std::string_view path);

/// The folder that is `levels` above a page called specs.md or index.md.
std::optional<std::string> folder_above(std::string_view file, int levels);

/// The tag that it says, where all of the place is as upstream's.
std::optional<std::string> tag_of_place(std::string_view file);

}  // namespace cacheledger
