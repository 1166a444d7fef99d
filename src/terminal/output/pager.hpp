#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace cacheledger {

/// From this call on there is no pager (--no-pager).
void forbid_pager();

/// The command of the user's pager, by git's rules: $CACHELEDGER_PAGER, else $PAGER, else less.
/// Empty for none: if it is empty or `cat`, or no such program is installed.
std::string pager_command();

/// Calls `print` to write to the pager, and waits until the user has left it. Ctrl-C is then for
/// the pager. If the user leaves it before all is written, the rest is left out. Throws
/// Interrupted, and UsageError if the pager can't be started.
void write_to_pager(const std::string& command, const std::function<void(std::ostream&)>& print);

}  // namespace cacheledger
