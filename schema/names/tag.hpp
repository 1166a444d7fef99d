#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/names/moment.hpp"

/// Tags, and the names of snapshots that follow from them (docs/formats.md, "Tags, series and
/// stacks").
namespace cacheledger {

/// What pages from before tags are filed under.
inline constexpr std::string_view untagged = "untagged";

/// What people call the newest snapshot.
inline constexpr std::string_view latest = "latest";

/// The date at the end of a dated tag ("develop-2025-03-30"), which is its moment; nothing for a
/// mutable tag.
std::optional<Moment> moment_of_tag(std::string_view tag);

/// The time line of a tag: "develop" for develop, "develop-*" for develop-2025-03-30.
std::string series_of_tag(std::string_view tag);

/// What users type for the state of `tag` at `taken_at`: the tag itself when it is dated, else
/// "develop@2025-03-30T06:00:00Z".
std::string snapshot_name(std::string_view tag, Moment taken_at);

/// Why `tag` can't name a snapshot; nothing when it can. Snapshot names (schema/names/snapshot.hpp)
/// mean something else by `latest` and by @ ~ * { }, and the command line by a - in front. Older
/// ledgers may hold `latest`, a - in front and braces all the same.
std::optional<std::string> tag_problem(std::string_view tag);

}  // namespace cacheledger
