#pragma once

namespace cacheledger {

/// The exit codes of the program.
enum ExitStatus : int {
    exit_done = 0,
    /// The answer is "no": snapshots differ (diff --exit-code), less is there than coverage
    /// --fail-under asks, a gate of diff or prune failed, snapshots are old or missing (snapshots
    /// --max-age, --expect), specs or history found no build, or check or publish --check found
    /// something.
    exit_no = 1,
    exit_usage = 2,     ///< the command line, a name or a query is not understood; --timeout
    exit_input = 3,     ///< bad input; nothing was loaded
    exit_database = 4,  ///< the database can't be used
};

}  // namespace cacheledger
