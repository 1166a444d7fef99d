#include "reports/postgresql/publishing/publication.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <utility>

#include "reports/postgresql/all_ledgers/all_ledgers.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"
#include "reports/postgresql/rows/load_table.hpp"
#include "reports/postgresql/rows/table_difference.hpp"
#include "reports/postgresql/schemas/publish_transaction.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// A run of ingest that changes nothing else writes when it was, and makes no new state.
constexpr std::string_view table_of_checks = "series";

constexpr const char* no_published_row = "the server's row that says what was published is gone";

}  // namespace

Publication::Publication(PostgresConnection& connection, PublishedName name)
    : connection_(connection), name_(std::move(name)) {
    begin_publish(connection_, name_);
}

PublishResult Publication::publish(SQLite::Database& ledger, const PublishOptions& options) {
    const LedgerState state = newest_state(ledger);
    const auto published = read_published(connection_, name_);
    if (published && published->schema_version > newest_schema_version()) {
        throw DatabaseError(fmt::format("{}: published by a newer program ({}); update this one",
                                        name_.text(), published->program));
    }
    if (published && !options.is_resync) {
        check_is_successor(ledger, *published, state);
    }
    const bool has_this_state = published && published->state == state && !state.token.empty();
    const bool is_current = published && published->schema_version == newest_schema_version() &&
                            published->layout == published_layout();
    const bool is_checked_again =
        has_this_state && is_current &&
        !compare_rows(ledger, connection_, name_.schema(), ledger_table(table_of_checks))
             .is_empty();
    if (published && !options.is_dry_run && (!has_this_state || is_checked_again)) {
        lock_published(connection_, name_, *published);
    }
    if (!is_current) {
        publish_all(ledger, published, options);
    } else if (options.is_resync || !has_this_state) {
        publish_differences(ledger, options);
    } else if (is_checked_again) {
        publish_differences(ledger, options, table_of_checks);
        result_.way = PublishResult::Way::checks;
    }
    const bool is_written = !is_current || !result_.tables.empty() || !has_this_state;
    if (!options.is_dry_run) {
        if (is_written) {
            write_published(
                connection_, name_,
                {state, newest_schema_version(), published_layout(), options.program, ""});
        }
        grant_to(options.roles);
        add_note(make_views_of_all_ledgers(connection_));
        connection_.run("COMMIT");
        remove_leftovers(connection_, name_, result_.notes);
    } else {
        connection_.run("ROLLBACK");
    }
    if (!is_written) {
        result_.way = PublishResult::Way::nothing;
    }
    return result_;
}

/// Refuses a file that was restored or copied since it was published.
void Publication::check_is_successor(SQLite::Database& ledger, const PublishedRow& published,
                                     const LedgerState& state) const {
    constexpr const char* advice =
        "; --resync compares everything and publishes this file in its place";
    if (published.layout.empty()) {
        throw DatabaseError(fmt::format("{}: {}{}", name_.text(), no_published_row, advice));
    }
    if (published.state.ledger_id != state.ledger_id) {
        throw DatabaseError(
            fmt::format("{}: published from another ledger than this one{}", name_.text(), advice));
    }
    if (!has_state(ledger, published.state)) {
        throw DatabaseError(fmt::format(
            "{}: published from a later state of this ledger, or from a copy that parted from it: "
            "this file was restored or copied{}",
            name_.text(), advice));
    }
}

/// Makes new tables. Those of an older program stay what readers see until the end.
void Publication::publish_all(SQLite::Database& ledger,
                              const std::optional<PublishedRow>& published,
                              const PublishOptions& options) {
    result_.way = PublishResult::Way::all;
    std::vector<std::string> roles;
    if (published) {
        result_.notes.push_back(
            published->layout.empty()
                ? fmt::format("{}: {}; all is published anew", name_.text(), no_published_row)
                : fmt::format("{} was published by {}, whose tables or views are others: all is "
                              "published anew",
                              name_.text(), published->program));
    }
    if (!options.is_dry_run) {
        make_functions(connection_);
        if (published) {
            roles = granted_roles(connection_, name_);
            remove_old_schemas(connection_, name_);  // if the last publish had to leave them
            move_aside(connection_, name_);
        }
        make_tables(connection_, name_);
    }
    std::size_t respelled = 0;
    std::size_t done = 0;
    for (const LedgerTable& table : ledger_tables()) {
        options.progress(done++, ledger_tables().size());
        const LoadedRows loaded = options.is_dry_run
                                      ? count_rows(ledger, table)
                                      : load_table(ledger, connection_, name_.schema(), table);
        respelled += loaded.respelled;
        if (loaded.rows > 0) {
            result_.tables.push_back({table.name, loaded.rows, 0, 0});
        }
    }
    note_respelled(respelled);
    if (!options.is_dry_run) {
        make_views_and_keys(connection_, name_);
        grant_to(roles);
        add_note(note_on_views_of_all(connection_));
    }
}

void Publication::publish_differences(SQLite::Database& ledger, const PublishOptions& options,
                                      std::string_view only_table) {
    result_.way = PublishResult::Way::differences;
    // All are compared before any is written.
    std::vector<TableDifference> differences;
    std::size_t respelled = 0;
    std::size_t done = 0;
    for (const LedgerTable& table : ledger_tables()) {
        options.progress(done++, ledger_tables().size());
        if (!only_table.empty() && table.name != only_table) {
            continue;
        }
        auto difference = compare_rows(ledger, connection_, name_.schema(), table);
        respelled += difference.respelled;
        if (!difference.is_empty()) {
            result_.tables.push_back(
                {table.name, difference.inserted, difference.updated, difference.deleted});
            differences.push_back(std::move(difference));
        }
    }
    note_respelled(respelled);
    if (!options.is_dry_run) {
        make_functions(connection_);
        for (const TableDifference& difference : differences) {
            write_difference(connection_, name_.schema(), difference);
        }
    }
}

void Publication::note_respelled(std::size_t texts) {
    if (texts > 0) {
        result_.notes.push_back(fmt::format(
            "{} with bytes that PostgreSQL can't store: these are written out, as in \\xff",
            counted(static_cast<std::int64_t>(texts), "text")));
    }
}

void Publication::add_note(std::string note) {
    if (!note.empty()) {
        result_.notes.push_back(std::move(note));
    }
}

void Publication::grant_to(const std::vector<std::string>& roles) {
    for (const std::string& role : roles) {
        add_note(grant(connection_, name_, role));
    }
}

std::vector<std::string> Publication::drop() {
    if (!has_old_schemas(connection_, name_) || read_published(connection_, name_)) {
        require_published(connection_, name_);
        remove_old_schemas(connection_, name_);
        move_aside(connection_, name_);
        add_note(make_views_of_all_ledgers(connection_));
    }
    // Who reads the tables does not hold up who reads others: nobody finds these any more.
    connection_.run("COMMIT");
    remove_leftovers(connection_, name_, result_.notes);
    return result_.notes;
}

}  // namespace cacheledger
