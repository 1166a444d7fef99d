#pragma once

namespace cacheledger {

/// What the program tells its caller.
enum ExitStatus : int {
    exit_done = 0,
    exit_no = 1,  ///< the answer is "no": snapshots differ (--exit-code), or check found something
    exit_usage = 2,     ///< the command line can't be understood
    exit_input = 3,     ///< bad input, nothing of it loaded
    exit_database = 4,  ///< the database can't be used
};

}  // namespace cacheledger
