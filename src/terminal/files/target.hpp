#pragma once

#include <filesystem>
#include <optional>

namespace cacheledger {

// What is asked about a file before it is written.

/// The folder that a file is in.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// The file to replace, at the end of a chain of symbolic links; it may not exist. Returns nullopt
/// for a file that is written directly: a device, a pipe, or the name of an open file such as
/// /dev/stdout. Throws UsageError for a chain without an end.
std::optional<std::filesystem::path> find_replaceable(const std::filesystem::path& file);

/// The number of the open file of this process that `file` names, such as 1 for /dev/stdout. Throws
/// UsageError for a chain of symbolic links without an end.
std::optional<int> find_open_file(const std::filesystem::path& file);

/// Whether `file` is the database, or one of SQLite's files beside it.
bool is_part_of_database(const std::filesystem::path& file, const std::filesystem::path& database);

/// Throws UsageError "FILE: can't be written: ..." with the system's reason, an errno; Interrupted
/// if a signal came, which may be the reason.
[[noreturn]] void refuse_to_write(const std::filesystem::path& file, int error);

}  // namespace cacheledger
