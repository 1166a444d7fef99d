#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/ledger/names/moment.hpp"

/// Tags, and the names of snapshots and series that follow from them (docs/formats.md, "Tags,
/// series and stacks").
namespace cacheledger {

/// The tag of pages that do not give one (pages older than tags).
inline constexpr std::string_view untagged = "untagged";

/// The user's name for the newest snapshot.
inline constexpr std::string_view latest = "latest";

/// As the default of a report's parameter: the newest snapshot of a lock file, or `latest` if the
/// ledger has none.
inline constexpr std::string_view latest_lock = "latest-lock";

/// The moment of a dated tag ("develop-2025-03-30"), which is the date at its end. Returns nullopt
/// for a mutable tag.
std::optional<Moment> moment_of_tag(std::string_view tag);

/// The series of a tag: "develop" for develop, "develop-*" for develop-2025-03-30.
std::string series_of_tag(std::string_view tag);

/// The name of the snapshot of `tag` at `taken_at`: a dated tag itself, else
/// "develop@2025-03-30T06:00:00Z".
std::string snapshot_name(std::string_view tag, Moment taken_at);

/// The reason why `tag` can't name a snapshot, or nullopt if it can. `latest` and the characters @
/// ~ * { } have another meaning in names of snapshots (schema/ledger/names/snapshot.hpp), and a
/// leading - has one on the command line. A ledger that another program wrote may hold such tags.
std::optional<std::string> tag_problem(std::string_view tag);

}  // namespace cacheledger
