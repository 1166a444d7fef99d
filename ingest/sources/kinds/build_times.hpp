#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// How long builds took, in one of two forms (docs/formats.md, "Build times"):
///
/// - what Spack writes beside an installation, `.spack/install_times.json`, or a list of such
/// objects,
///   as its CI collects them;
/// - a table whose first line names the columns, separated by ',', ';' or tabs.
namespace cacheledger {

struct BuildTime {
    std::string hash;              ///< of the spec; empty: of any build of the package and version
    std::string package, version;  ///< each empty if it is not said, which it may be beside a hash
    std::int64_t milliseconds = 0;
};

struct ReadBuildTimes {
    std::vector<BuildTime> times;  ///< in the order of the text
    std::size_t unpacked = 0;      ///< left out: Spack took them from a build cache
};

/// In bytes.
inline constexpr std::size_t longest_header_of_times = 4096;

/// Whether this is the first line of such a table: it names the column `seconds`, and `package` or
/// `hash`.
bool is_header_of_times(std::string_view line);

/// What the text says. Throws Problem, with the line of a table or the place in JSON.
ReadBuildTimes read_build_times(std::string_view text);

}  // namespace cacheledger
