#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>

namespace cacheledger {

/// Calls `print` to write the file. It is written under another name and then renamed: if `print`
/// throws, the file is unchanged, and nothing else is left. A symbolic link stays, and the file
/// that it leads to is replaced. An existing file keeps its permissions. A device or pipe is
/// written directly. Throws UsageError if the file can't be written, and Interrupted.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& print);

/// The file to replace, at the end of a chain of symbolic links; it may not exist. Returns nullopt
/// for a file that is written directly: a device, a pipe, or the name of an open file such as
/// /dev/stdout. Throws UsageError for a chain without an end.
std::optional<std::filesystem::path> find_replaceable(std::filesystem::path file);

/// Whether `file` is the database, or one of SQLite's files beside it.
bool is_part_of_database(const std::filesystem::path& file, const std::filesystem::path& database);

}  // namespace cacheledger
