#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace cacheledger {

/// Has `print` write the file. It is written beside and renamed, so that it is there whole or as it
/// was before: not half, and with nothing left beside it, whatever `print` throws. Where `file` is
/// a symbolic link, that stays and the file it leads to is written; the permissions of a file that
/// is there stay. A device or pipe is written to as it is. Throws UsageError where it can't be
/// written, and Interrupted.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& print);

/// Whether `file` is the database, or one of those that SQLite keeps beside it.
bool is_part_of_database(const std::filesystem::path& file, const std::filesystem::path& database);

}  // namespace cacheledger
