#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cacheledger {

/// The format (a name of --format) that the ending of the file's name means: "csv" for "x.csv" and
/// "X.CSV", "table" for "x.txt" and for a name without an ending. Returns nullopt for the ending of
/// something else.
///
/// The ending begins at the last dot of the name. These have none: ".hidden"; "hdf5-1.14", where
/// only digits follow; "x.", and "table" in a folder "x.d".
std::optional<std::string> format_of_ending(const std::filesystem::path& file);

/// The same for a command that writes these formats only. Throws UsageError, with their endings, if
/// the ending means none of them.
std::string format_of_ending(const std::filesystem::path& file,
                             const std::vector<std::string>& formats);

/// The endings of these formats, the usual one of each: ".txt", ".csv", ".json", ...
std::vector<std::string> usual_endings(const std::vector<std::string>& formats);

}  // namespace cacheledger
