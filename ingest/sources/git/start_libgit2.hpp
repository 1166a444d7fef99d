#pragma once

namespace cacheledger {

/// Starts libgit2 once in a process, with the settings of this program. It is never stopped:
/// libgit2 counts the calls. Throws UsageError if it is not installed.
void start_libgit2();

}  // namespace cacheledger
