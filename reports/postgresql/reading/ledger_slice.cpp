#include "reports/postgresql/reading/ledger_slice.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/postgresql/rows/copy_lines.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/ledger/search/short_hash.hpp"

namespace cacheledger {

namespace {

/// The tables of which names are made, some thousand rows.
constexpr std::array tables_of_names = {
    "series", "snapshot",  "package", "version",          "arch",      "compiler",
    "stack",  "stack_set", "variant", "stack_set_member", "edge_kind", "unobserved_stack"};

struct Column {
    std::string name;
    bool is_blob = false;
};

std::vector<Column> columns_of(const SQLite::Database& database, std::string_view table) {
    SQLite::Statement select(
        database, "SELECT name, type = 'BLOB' FROM pragma_table_xinfo(?) WHERE hidden = 0");
    select.bind(1, std::string(table));
    std::vector<Column> columns;
    while (select.executeStep()) {
        columns.push_back({select.getColumn(0).getString(), select.getColumn(1).getInt() != 0});
    }
    return columns;
}

/// Rows in the text format of COPY (postgresql.org/docs/15/sql-copy.html) become rows of a table.
class RowReader {
  public:
    RowReader(SQLite::Database& database, std::string_view table,
              const std::vector<Column>& columns)
        : columns_(columns),
          insert_(database,
                  fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES ({})", table, names(columns),
                              fmt::join(std::vector<std::string>(columns.size(), "?"), ", "))) {}

    static std::string names(const std::vector<Column>& columns) {
        std::vector<std::string> names;
        names.reserve(columns.size());
        for (const Column& column : columns) {
            names.push_back(column.name);
        }
        return fmt::format("{}", fmt::join(names, ", "));
    }

    void add(std::string_view row) {
        const auto fields = fields_of(row);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            bind(static_cast<int>(i) + 1, fields.at(i), columns_[i].is_blob);
        }
        insert_.exec();
        insert_.reset();
    }

  private:
    void bind(int index, std::string_view field, bool is_blob) {
        if (field == "\\N") {
            insert_.bind(index);
            return;
        }
        text_ = field_text(field);
        if (is_blob) {
            text_ = bytes_of(text_);
            insert_.bind(index, text_.data(), static_cast<int>(text_.size()));
        } else {
            // A column of integers makes an integer of it.
            insert_.bind(index, text_);
        }
    }

    static std::string bytes_of(std::string_view hex) {
        const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
        std::string bytes;
        for (std::size_t i = 2; i + 1 < hex.size(); i += 2) {  // behind "\x"
            bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
        }
        return bytes;
    }

    const std::vector<Column>& columns_;
    SQLite::Statement insert_;
    std::string text_;
};

/// A subquery for the ids of the packages that can have a spec of the query; empty: all.
std::string packages_of(const SpecQuery& query) {
    if (query.package) {
        return fmt::format("(SELECT package_id FROM package WHERE name = {})",
                           quoted_text(*query.package));
    }
    if (query.hash.empty()) {
        return "";
    }
    return fmt::format(
        "(SELECT l.package_id FROM spec x JOIN look l USING (look_id) "
        "WHERE (x.hash >= {0} AND x.hash < {1}) OR x.spec_id IN "
        "(SELECT spec_id FROM spec_build_hash WHERE build_hash >= {0} AND build_hash < {1}))",
        quoted_text(query.hash), quoted_text(end_of_hashes(query.hash)));
}

/// Whether only the specs themselves and what they need directly tell whether they match.
bool asks_only_neighbours(const SpecQuery& query) {
    return std::ranges::all_of(query.dependencies, [](const DependencyQuery& asked) {
        return asked.is_direct && asked.spec.dependencies.empty();
    });
}

std::string overlaps(std::int64_t series_id, Moment first, Moment last) {
    return fmt::format(
        "(series_id = {} AND valid_from <= {} AND (valid_to IS NULL OR valid_to > {}))", series_id,
        last, first);
}

}  // namespace

LedgerSlice::LedgerSlice(PostgresConnection& connection)
    : connection_(connection), database_(empty_in_memory()) {
    for (const char* const table : tables_of_names) {
        add(table);
    }
    add("finding", "finding_id IN (SELECT min(finding_id) FROM finding GROUP BY kind)");
}

void LedgerSlice::add(std::string_view table, const std::string& condition) {
    if (whole_.contains(table)) {
        return;
    }
    const auto columns = columns_of(database_, table);
    SQLite::Transaction transaction(database_);
    RowReader reader(database_, table, columns);
    connection_.copy_out(
        fmt::format("COPY (SELECT {} FROM {}{}{}) TO STDOUT", RowReader::names(columns), table,
                    condition.empty() ? "" : " WHERE ", condition),
        [&](std::string_view row) { reader.add(row); });
    transaction.commit();
    if (condition.empty()) {
        whole_.emplace(table);
    }
}

void LedgerSlice::add_sets() {
    for (const char* const table : {"variant_set", "variant_set_member"}) {
        add(table);
    }
}

void LedgerSlice::add_looks() {
    add_sets();
    add("look");
}

void LedgerSlice::add_specs(const SpecQuery& query) {
    if (!query.hash.empty()) {
        add("spec_build_hash");
    }
    if (packages_of(query).empty() || !asks_only_neighbours(query)) {
        add_graph();
        add("observation_exception");
        add("presence");
        return;
    }
    const std::string packages = packages_of(query);
    const std::string looks =
        fmt::format("(SELECT look_id FROM look WHERE package_id IN {})", packages);
    const std::string own = fmt::format("(SELECT spec_id FROM spec WHERE look_id IN {})", looks);
    std::string specs = own;
    add_sets();
    add("look", "package_id IN " + packages);
    if (!query.dependencies.empty()) {
        const std::string edges = "SELECT dependency_id FROM dependency WHERE spec_id IN " + own;
        specs = fmt::format("({} UNION {})", own, edges);
        add("dependency", "spec_id IN " + own);
        add("look",
            fmt::format("look_id IN (SELECT look_id FROM spec WHERE spec_id IN ({}))", edges));
        add("spec", fmt::format("spec_id IN ({})", edges));
    }
    // Those with the same first digits, too, so that a hash is cut where it is unique.
    add("spec", fmt::format("left(hash, {0}) IN (SELECT left(hash, {0}) FROM spec WHERE look_id IN "
                            "{1})",
                            fewest_hash_digits, looks));
    add("node", "spec_id IN " + specs);
    add("recipe",
        fmt::format("recipe_id IN (SELECT recipe_id FROM node WHERE spec_id IN {})", specs));
    add("observation_exception", "package_id IN " + packages);
    add("presence", "package_id IN " + packages);
    if (query.package) {
        add_commits(
            fmt::format("recipe_package_id IN (SELECT recipe_package_id FROM "
                        "recipe_package WHERE name = {})",
                        quoted_text(*query.package)));
    }
}

void LedgerSlice::add_specs(const SpecQuery& query, const Snapshot& snapshot) {
    if (!packages_of(query).empty()) {
        add_specs(query);  // a package that the snapshot lacks may be in others
        return;
    }
    add_graph();
    add("presence", overlaps(snapshot.series_id, snapshot.taken_at, snapshot.taken_at));
}

void LedgerSlice::add_pair(const SnapshotPair& pair) {
    const auto [first, last] = std::minmax(pair.from.taken_at, pair.to.taken_at);
    const std::string between = fmt::format("{} OR {}", overlaps(pair.from.series_id, first, last),
                                            overlaps(pair.to.series_id, first, last));
    add_graph();
    add("observation_exception");
    add("presence", between);
    add("root_presence", between);
    add_commits("");
}

// `packages`: which recipes; empty: all. The commits in which a version appeared are for reports.
void LedgerSlice::add_commits(const std::string& packages) {
    add("package_repository");
    add("recipe_package", packages);
    add("recipe_change", packages);
    add("recipe_commit", packages.empty()
                             ? ""
                             : fmt::format("recipe_commit_id IN (SELECT recipe_commit_id FROM "
                                           "recipe_change WHERE {})",
                                           packages));
}

void LedgerSlice::add_graph() {
    add_looks();
    for (const char* const table : {"spec", "recipe", "target_definition", "node", "dependency"}) {
        add(table);
    }
}

}  // namespace cacheledger
