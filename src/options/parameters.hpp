#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <string>
#include <vector>

#include "reports/catalog/report.hpp"
#include "reports/query/run_query.hpp"
#include "src/options/options.hpp"

namespace cacheledger {

/// Adds --param name=value, which can be given several times.
void add_param_option(po::options_description& options);

/// What --param gave, by name. Throws UsageError where one is not name=value, or a name is given
/// twice.
std::map<std::string, std::string> given_params(const ParsedOptions& parsed);

/// An integer where the text is one as it would be printed, else the text: "10" is 10, "1.10" and
/// "007" are texts.
Value guess_value(const std::string& text);

struct ReportArguments {
    Arguments values;
    std::vector<std::string>
        notes;  ///< for standard error, after the answer (src/options/notes.hpp)
};

/// The values of a report's parameters: what was given, else the defaults. A snapshot is looked up
/// and becomes its name; in a default, "{to}" stands for the value of the parameter `to`. Throws
/// UsageError where one is missing, unknown, or names no snapshot, or nothing that is known
/// (reports/catalog/known_names.hpp).
ReportArguments report_arguments(SQLite::Database& database, const Report& report,
                                 const std::map<std::string, std::string>& given);

}  // namespace cacheledger
