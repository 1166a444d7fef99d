#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// Adds --target, --os, --platform, --compiler and --variant: the builds that are asked. `report`:
/// one whose options they are; a parameter of its own with the name of an option stays what it is.
void add_look_filter_options(po::options_description& options, const Report* report = nullptr);

/// What the user typed for these options. `packages`: what --package has. `report`: as above, and
/// it may not be one that can choose builds.
FilterWords read_filter_words(const ParsedOptions& parsed, std::vector<std::string> packages,
                              const Report* report = nullptr);

/// Notes on names and patterns that match nothing: those of the filter, and of --stack.
std::vector<std::string> check_filters(SQLite::Database& database, const LookFilter& builds,
                                       const std::optional<std::string>& stack);

/// Throws UsageError if an argument is such an option, and the report can't choose builds.
void refuse_look_filter(const std::vector<std::string>& arguments, const Report& report);

/// Parses the arguments of a command that takes a SPEC, as parse_options() does. Throws UsageError
/// for --package and the options of src/options/filters/look_filter_options.hpp, which reports and
/// diff have for what is a part of the SPEC here. The error has the command with such a SPEC:
/// "specs has no --target, the SPEC says it: cacheledger specs 'hdf5 target=zen4'".
ParsedOptions parse_spec_arguments(const std::string& command,
                                   const std::vector<std::string>& arguments,
                                   const CommandHelp& help);

}  // namespace cacheledger
