#pragma once

#include <string>
#include <vector>

#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// Parses the arguments of a command that takes a SPEC, as parse_options() does. Throws UsageError
/// for --package and the options of src/options/filters/look_filter_options.hpp, which reports and
/// diff have for what is a part of the SPEC here. The error has the command with such a SPEC:
/// "specs has no --target, the SPEC says it: cacheledger specs 'hdf5 target=zen4'".
ParsedOptions parse_spec_arguments(const std::string& command,
                                   const std::vector<std::string>& arguments,
                                   const CommandHelp& help);

}  // namespace cacheledger
