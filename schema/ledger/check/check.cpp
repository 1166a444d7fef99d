#include "schema/ledger/check/check.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "schema/ledger/check/check_schema.hpp"
#include "schema/ledger/check/derived_texts.hpp"
#include "schema/ledger/check/nodes.hpp"
#include "schema/ledger/check/states.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

void add_integrity(SQLite::Database& database, std::size_t most,
                   std::vector<std::string>& problems) {
    // SQLite forgets CHECK clauses where the file can't be written: check_clause_problems() has
    // them.
    const int ignores = database.execAndGet("PRAGMA ignore_check_constraints").getInt();
    database.exec("PRAGMA ignore_check_constraints = ON");
    SQLite::Statement query(database, fmt::format("PRAGMA integrity_check({})", most));
    while (query.executeStep()) {
        const std::string line = query.getColumn(0).getString();
        if (line != "ok") {
            problems.push_back("integrity: " + line);
        }
    }
    database.exec(fmt::format("PRAGMA ignore_check_constraints = {}", ignores));
}

void add_foreign_keys(SQLite::Database& database, std::size_t most,
                      std::vector<std::string>& problems) {
    SQLite::Statement query(database, "PRAGMA foreign_key_check");
    for (std::size_t found = 0; found < most && query.executeStep(); ++found) {
        problems.push_back(
            fmt::format("foreign key: a row of {} refers to a row of {} that is not there",
                        query.getColumn(0).getString(), query.getColumn(2).getString()));
    }
}

void add_invariant(SQLite::Database& database, const EmbeddedText& check, std::size_t most,
                   std::vector<std::string>& problems) {
    SQLite::Statement query(database, std::string(check.text));
    for (std::size_t found = 0; found < most && query.executeStep(); ++found) {
        problems.push_back(query.getColumn(0).getString());
    }
}

void add_lines(std::vector<std::string> lines, std::size_t most,
               std::vector<std::string>& problems) {
    lines.resize(std::min(most, lines.size()));
    std::ranges::move(lines, std::back_inserter(problems));
}

}  // namespace

std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most,
                                       const Progress& progress) {
    std::vector<std::string> problems;
    add_integrity(database, most, problems);
    SchemaProblems schema = compare_schema(database);
    add_lines(std::move(schema.lines), most, problems);
    if (schema.in_tables) {
        return problems;
    }
    if (!views_are_current(database)) {
        problems.emplace_back(
            "views: they are not those of this version; the next ingest makes them anew");
    }
    std::vector<std::function<void()>> steps = {
        [&] { add_lines(check_clause_problems(database), most, problems); },
        [&] { add_foreign_keys(database, most, problems); },
    };
    for (const EmbeddedText& check : check_texts) {
        steps.emplace_back([&] { add_invariant(database, check, most, problems); });
    }
    for (const auto& find :
         {variant_set_problems, sort_key_problems, snapshot_problems, compiler_problems,
          word_list_problems, finding_problems, compiler_edge_problems, node_digest_problems,
          unneeded_spec_problems}) {
        steps.emplace_back([&, find] { add_lines(find(database), most, problems); });
    }
    steps.emplace_back([&] { add_lines(state_problems(database, most), most, problems); });
    for (std::size_t done = 0; done < steps.size(); ++done) {
        progress(done, steps.size());
        steps[done]();
    }
    return problems;
}

}  // namespace cacheledger
