#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// Adds --param name=value, which can be given several times.
void add_param_option(po::options_description& options);

/// The values that were given with --param, by name. Throws UsageError if one is not name=value, or
/// a name is given twice.
std::map<std::string, std::string> given_params(const ParsedOptions& parsed);

/// Adds --limit. `meaning`: what it says in the help.
void add_limit_option(po::options_description& options, const char* meaning);

/// The value of --limit, if it is given; 0 is all_rows. Throws UsageError if it is no number of
/// rows.
std::optional<std::size_t> read_limit(const ParsedOptions& parsed);

/// An integer if the text is exactly as an integer is printed, else the text: "10" becomes 10,
/// "1.10" and "007" stay texts.
Value guess_value(const std::string& text);

struct ReportArguments {
    Arguments values;
    std::vector<std::string>
        notes;  ///< for standard error, after the answer (src/options/command_line/notes.hpp)
};

/// The values of a report's parameters: those that were given, else the defaults. A snapshot is
/// looked up and becomes its name. In a default, "{to}" stands for the value of the parameter `to`.
/// If the default of `from` is "{to}~1" and that of `to` is latest, and neither is given, they are
/// the newest snapshot with one before it in its series, and that one.
/// Throws UsageError if a value is missing, belongs to no parameter, or names no snapshot or no
/// known name (reports/engine/catalog/known_names.hpp).
ReportArguments report_arguments(SQLite::Database& database, const Report& report,
                                 const std::map<std::string, std::string>& given);

}  // namespace cacheledger
