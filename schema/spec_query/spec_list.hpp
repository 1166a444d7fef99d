#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/spec_query/spec_query.hpp"

namespace cacheledger {

/// One spec of a list.
struct WantedSpec {
    std::size_t line = 0;  ///< from 1 on
    std::string text;      ///< as the list has it
    SpecQuery query;
};

/// Reads a list of specs, one in each line. Text from '#' on is a comment. What `spack find` prints
/// is such a list, too:
///
/// - A hash may stand before a spec ("abc1234 hdf5@1.14.3"), or be all there is of it ("{hash}",
///   "{name}-{version}-{hash}"). "[+]" and "- " before a spec, the path of an installation behind
///   it, and lines that begin with "==>" say nothing that is asked.
/// - Specs below "-- linux-ubuntu22.04-x86_64 / gcc@11.4.0 ---" are for that system, with that
///   compiler. Two blanks or more may separate several in a line. They are specs that exist, so
///   their versions and the values of their variants are meant exactly: hdf5@1.14 is not 1.14.3.
///
/// `name` says in errors what the text is. Throws InputError with a line for each problem:
/// "NAME:3: column 8: expected a version, found '@1'", or where there is no spec.
std::vector<WantedSpec> read_spec_list(std::string_view text, const std::string& name);

}  // namespace cacheledger
