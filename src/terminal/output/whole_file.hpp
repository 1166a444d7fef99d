#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace cacheledger {

/// Calls `print` to write the file. It is written under another name and then renamed: if `print`
/// throws, the file is unchanged, and nothing else is left. A symbolic link stays, and the file
/// that it leads to is replaced. An existing file keeps its permissions. A device or pipe is
/// written directly. Throws UsageError if the file can't be written, and Interrupted.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& print);

}  // namespace cacheledger
