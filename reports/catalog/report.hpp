#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/catalog/known_names.hpp"
#include "reports/table/value.hpp"

namespace cacheledger {

/// What the text given for a parameter means.
enum class ParameterType {
    snapshot,  ///< a snapshot as people name it: "latest", "develop~1"
    glob,      ///< a pattern for SQLite's GLOB
    text,
    integer,
};

struct Parameter {
    std::string name;  ///< as in the SQL, without the colon
    ParameterType type = ParameterType::text;
    std::optional<Value> default_value;  ///< none: must be given; NULL: `= null`
    std::string help;
    /// What a value of type glob or text names: one that is unknown is refused.
    std::optional<NameKind> names = std::nullopt;
};

/// Which columns of the result become the row keys, the column keys and the cells of a matrix.
struct Pivot {
    std::string rows, columns, values;
    Value absent;  ///< what a cell holds that no row gives: NULL, or 0 where the report says so
};

/// A canned query.
struct Report {
    std::string name;  ///< "coverage/stacks"
    std::string title, description;
    std::vector<Parameter> parameters;
    std::optional<Pivot> pivot;
    std::string sql;     ///< the whole file, so that SQLite's positions are those of the file
    std::string origin;  ///< the file, for error messages
};

/// Reads the comment block that a report file opens with:
///
///     -- title: Specs by target
///     -- What is built for each target.        (description: up to the first param or pivot)
///     -- param: at snapshot = latest   the snapshot to look at
///     -- param: stack glob = null      only stacks that match       (null: bound as NULL)
///     -- param: note text = 'a b'      quoted where it is empty or holds blanks
///     -- param: limit integer          how many rows                (no default: required)
///     -- pivot: package stack specs    (row key, column key and value columns; "= 0" behind them
///                                       where a cell that no row gives is 0 and not NULL)
///
/// The types are snapshot, glob, text, integer, and package, stack, series, cause and kind: a
/// glob for names of that kind (reports/catalog/known_names.hpp), of which an unknown one is
/// refused. A glob or text called like one of these types is taken for such a name, too: `package
/// glob = *`.
///
/// Other lines after the first param or pivot are comments. Whether the SQL uses these parameters,
/// and no others, is seen when it runs (reports/query/run_query.hpp).
///
/// Throws UsageError, "origin:line: expected ...".
Report parse_report(std::string name, std::string origin, std::string text);

/// The value to bind for `text`: an integer for an integer parameter, else the text as it is.
/// Throws UsageError where it is not an integer.
Value to_value(const Parameter& parameter, std::string_view text);

/// The word for the type in a report file.
std::string_view type_name(ParameterType type);

}  // namespace cacheledger
