#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/render/drawing/chart.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// How the text that the user gives for a parameter is read.
enum class ParameterType {
    snapshot,  ///< a snapshot as users name it: "latest", "develop~1"
    glob,      ///< a pattern for SQLite's GLOB
    text,
    integer,
};

struct Parameter {
    std::string name;  ///< as in the SQL, without the colon
    ParameterType type = ParameterType::text;
    std::optional<Value> default_value;  ///< nullopt: the parameter must be given; NULL: `= null`
    std::string help;
    std::vector<std::string> choices{};  ///< the only values that it can have; empty: any
    /// What a value of type glob or text names. An unknown name is refused.
    std::optional<NameKind> names = std::nullopt;
    /// The parameter whose value says that instead; a pattern that matches no name is then refused,
    /// too. Empty: none.
    std::string names_by{};
};

/// The columns of the result that become the row keys, the column keys and the cells of a matrix.
struct Pivot {
    std::string rows, columns, values;
    Value absent;  ///< the value of a cell without a row: NULL, or 0 if the report says so
};

/// Says that a report is one of several that users ask for as one: `report coverage/matrix --by
/// target`.
struct Form {
    std::string report;  ///< the one that has the option --by, and is the form without it
    std::string by;      ///< the value of --by
};

/// A canned query: one .sql file.
struct Report {
    std::string name;  ///< "coverage/stacks"
    std::string title, description;
    std::vector<Parameter> parameters;
    std::optional<Pivot> pivot;
    std::vector<std::string> totals{};   ///< the columns of the result that have a sum
    std::vector<std::string> implied{};  ///< those that follow from others (ResultTable::implied)
    std::optional<Chart> chart{};        ///< how its rows are drawn, if they are
    std::string caption{};               ///< what one sees in the chart
    Units units{};
    std::optional<Form> form{};
    std::string command{};       ///< the command that answers the same with more words; empty: none
    bool filters_looks = false;  ///< it reads asked_looks (schema/sql/helper_views/asked_looks.sql)
    std::string sql;  ///< the whole file, so positions in SQLite's errors are positions in the file
    std::string origin;  ///< the file's name, for error messages
};

/// Reads the comment block at the beginning of a report file:
///
///     -- title: Specs by target
///     -- What is built for each target.        (description: up to the first param, pivot or
///     total)
///     -- param: at snapshot = latest   the snapshot to look at
///     -- param: stack glob = null      only stacks that match       (null: bound as NULL)
///     -- param: note text = 'a b'      in quotes if it is empty or has blanks
///     -- param: by one-of:stack,target = stack
///                                       (a text that can be one of these words)
///     -- param: has name-of:by = *      (a pattern for what the parameter above says: stacks)
///     -- param: limit integer          how many rows                (no default: required)
///     -- pivot: package stack specs    (row key, column key and value columns; with "= 0" after
///                                       them a cell without a row is 0 instead of NULL)
///     -- total: specs bytes            (columns whose sum stands below the table, for people only)
///     -- implied: series               (columns that follow from others: a narrow terminal does
///                                       not show them)
///     -- chart: taken_at specs series  (rows are points of a line chart: the columns with the
///                                       moment, with the number, and those that name the line)
///     -- chart: KIND: COLUMN NUMBER... [by COLUMN...] [each COLUMN]
///                                      (another chart, see below)
///     -- caption: Builds by stack      (what one sees in the chart)
///     -- unit: % churn                 (the unit of columns; it stands beside their numbers)
///     -- filters: looks                (the SQL joins asked_looks: --target, --os, --compiler,
///                                       --variant and a spec for --package choose builds)
///     -- form: coverage/matrix by target
///                                      (coverage/matrix --by target runs this report; the list
///                                       of reports has only coverage/matrix)
///     -- command: diff                 (the command that answers the same better; only the list
///                                       of all reports has this one)
///
/// The kinds of charts: `lines`, `areas` and `columns` are over time: COLUMN has moments, and the
/// columns behind `by` name the line or the part. `bars` has a bar for each row: COLUMN names it,
/// perhaps several (`package,version`), with a word for NULL (`stack=all`); its NUMBERs stand one
/// behind the other. `curve` is over a number, such as an age, and falls from 100 %. `graph`:
/// COLUMN is a node, the one behind `by` the node that it depends on, the one behind `each` its
/// layer. Else each value of the column behind `each` has a panel of its own. `-removed` is drawn
/// below zero.
///
/// The types are snapshot, glob, text and integer, and also package, stack, series, cause and kind:
/// these are a glob for names of that kind, and an unknown name is refused
/// (reports/engine/catalog/known_names.hpp). A parameter of type glob or text whose own name is one
/// of these five types takes such names, too: `package glob = *`.
///
/// Other lines after the first of these are comments. Whether
/// the SQL uses exactly these parameters is checked when it runs
/// (reports/engine/query/run_query.hpp).
///
/// Throws UsageError, "origin:line: expected ...".
Report parse_report(std::string name, std::string origin, std::string text);

/// The value to bind for `text`: an integer for an integer parameter, else the text itself. Throws
/// UsageError if an integer parameter gets another text, or one with choices another word.
Value to_value(const Parameter& parameter, std::string_view text);

/// The word for the kind in a report file: "bars".
std::string_view word_of(ChartKind kind);

/// The word for the type in a report file.
std::string_view type_name(ParameterType type);

}  // namespace cacheledger
