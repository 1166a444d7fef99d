#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"

/// The canned SQL is one text for SQLite and for PostgreSQL. What differs is rewritten here, word
/// by word; the schema "NAME tables" of a published ledger has the functions that PostgreSQL lacks
/// (reports/postgresql/views/compat.sql).
namespace cacheledger {

/// One word of a text of SQL: a view into the text.
struct SqlWord {
    enum class Kind {
        name,       ///< a keyword or a name without quotes
        quoted,     ///< "a name", 'a text', E'a text', $$a text$$
        number,     ///< 12, 1.5
        parameter,  ///< :at
        sign,       ///< one character of an operator, a bracket, a comma; `::` is one word
        skipped,    ///< blanks and comments
    };

    Kind kind = Kind::skipped;
    std::string_view text;

    /// Whether it is this keyword, in upper case, or sign.
    bool is(std::string_view other) const {
        return (kind == Kind::name || kind == Kind::sign) && text == other;
    }
};

/// Takes a text of SQL apart, of SQLite or of PostgreSQL. Together, the words are the text. What is
/// not closed ends with it.
std::vector<SqlWord> sql_words(std::string_view sql);

/// A statement for PostgreSQL: $1, $2, ... in it are the values.
struct PortableStatement {
    std::string sql;
    std::vector<Value> values;
};

/// The number of each parameter of a statement, from 1 on, with its value.
class StatementValues {
  public:
    explicit StatementValues(const Arguments& arguments) : arguments_(arguments) {}

    /// The number of the parameter. Throws UsageError if it has no value.
    std::size_t number_of(const std::string& parameter);

    /// The number of a further value.
    std::size_t add(Value value);

    /// Throws UsageError if an argument was not asked for.
    void refuse_unused() const;

    std::vector<Value> take() { return std::move(values_); }

  private:
    const Arguments& arguments_;
    std::vector<std::string> names_;  // of the first values; '' for those of add()
    std::vector<Value> values_;
};

/// SQL of a report or a view as PostgreSQL has it:
///
/// - CROSS JOIN, by which SQLite keeps the order of tables, becomes JOIN where a condition follows
/// - a parameter becomes its number, with its type
/// - a number with a point becomes a double, not a numeric
/// - sum() becomes sum_of(): the sum of integers is an integer
/// - the + before a column, which keeps SQLite from using an index, is left out
/// - a.x_id IS NOT DISTINCT FROM b.x_id becomes coalesce(a.x_id, 0) = coalesce(b.x_id, 0), for
///   which PostgreSQL can use a hash or an index. No id is 0
///
/// Texts and comments stay as they are.
std::string to_postgresql(std::string_view sql, const std::vector<Parameter>& parameters,
                          StatementValues& values);

/// The same for SQL without parameters.
std::string to_postgresql(std::string_view sql);

/// A user's own statement, in the SQL of PostgreSQL: only its parameters become numbers. The server
/// finds out their types. Throws UsageError, "origin: ...", for a parameter without a value, or a
/// value without a parameter.
PortableStatement number_parameters(const std::string& origin, const std::string& sql,
                                    const Arguments& arguments);

/// The text with the values in place of the numbers, for psql.
std::string with_values(const PortableStatement& statement);

}  // namespace cacheledger
