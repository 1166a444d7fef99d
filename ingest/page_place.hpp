#pragma once

#include <optional>
#include <string>

/// What the place of a page says of it, in upstream's layout: `_cache/TAG/PACKAGE/specs.md`
/// (formats.md section 2).
namespace cacheledger {

/// The folder that is `levels` above a page called specs.md or index.md.
std::optional<std::string> folder_above(const std::string& file, int levels);

/// The tag that it says, where all of the place is as upstream's.
std::optional<std::string> tag_of_place(const std::string& file);

}  // namespace cacheledger
