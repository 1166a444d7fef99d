#include "reports/postgresql/publishing/publication.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/postgresql/all_ledgers/all_ledgers.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "reports/postgresql/users/dependent_objects.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// Some 0.3 s each.
constexpr int tries_for_columns = 100;
constexpr int tries_for_views = 10;
constexpr int tries_to_drop = 20;

/// No layout: the next publish brings the views up to date.
constexpr const char* layout_of_older_views = "older views";

constexpr const char* no_published_row = "the server's row that says what was published is gone";

}  // namespace

Publication::Publication(PostgresConnection& connection, PublishedName name, PublishOptions options)
    : connection_(connection), name_(std::move(name)), options_(std::move(options)) {
    if (options_.is_dry_run) {
        begin_check(connection_);
    } else {
        begin_publish(connection_, name_);
    }
}

PublishResult Publication::publish(SQLite::Database& ledger) {
    const LedgerState state = newest_state(ledger);
    if (!options_.is_dry_run) {
        refuse_parts_of_others(connection_, name_);
    }
    const auto published = read_published(connection_, name_);
    if (published && published->schema_version > newest_schema_version()) {
        throw DatabaseError(fmt::format("{}: published by a newer program ({}); update this one",
                                        name_.text(), published->program));
    }
    if (published && !options_.is_resync) {
        check_is_successor(ledger, *published, state);
    }
    const bool has_this_state = published && published->state == state && !state.token.empty();
    const bool is_current = published && published->schema_version == newest_schema_version() &&
                            published->layout == published_layout();
    const bool is_checked_again =
        has_this_state && is_current &&
        !compare_rows(ledger, connection_, name_.schema(), ledger_table(table_of_checks))
             .is_empty();
    if (published && !options_.is_dry_run && (!has_this_state || !is_current || is_checked_again)) {
        lock_published(connection_, name_, *published);
    }
    if (!published) {
        publish_first(ledger);
    } else if (!is_current) {
        note_program(*published);
        publish_differences(ledger);
        bring_views_up_to_date();
    } else if (options_.is_resync || !has_this_state) {
        publish_differences(ledger);
    } else if (is_checked_again) {
        publish_differences(ledger, table_of_checks);
        result_.way = PublishResult::Way::checks;
    }
    const bool is_written = !is_current || !result_.tables.empty() || !has_this_state;
    if (!is_written) {
        result_.way = PublishResult::Way::nothing;
    }
    if (options_.is_dry_run) {
        connection_.run("ROLLBACK");
        return result_;
    }
    if (!is_current || options_.is_resync) {
        keep_earlier_states(connection_, name_, tokens_of_states(ledger));
    }
    if (!published || !incomplete_.empty()) {
        keep_no_changes(connection_, name_, state.token);
    } else if (is_written && result_.way != PublishResult::Way::checks) {
        keep_changes(connection_, name_, state.token, changes_, rows_of_ledger_);
    }
    if (is_written) {
        write_published(connection_, name_,
                        {state, newest_schema_version(), layout_, options_.program, ""});
    }
    grant_to(options_.roles);
    add_note(make_views_of_all_ledgers(connection_));
    connection_.commit();
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

void Publication::publish_first(SQLite::Database& ledger) {
    result_.way = PublishResult::Way::all;
    if (!options_.is_dry_run) {
        make_tables(connection_, name_);
        refuse_parts_of_others(connection_, name_);  // who made a schema in the meantime
    }
    std::size_t respelled = 0;
    std::size_t done = 0;
    for (const LedgerTable& table : ledger_tables()) {
        options_.progress(done++, ledger_tables().size());
        const LoadedRows loaded = options_.is_dry_run
                                      ? count_rows(ledger, table)
                                      : load_table(ledger, connection_, name_.schema(), table);
        respelled += loaded.respelled;
        if (loaded.rows > 0) {
            result_.tables.push_back({table.name, loaded.rows, 0, 0});
        }
    }
    note_respelled(respelled);
    if (!options_.is_dry_run) {
        make_keys(connection_, name_);
        make_views(connection_, name_);
    }
}

/// Says why all is compared, and finds what the server lacks.
void Publication::note_program(const PublishedRow& published) {
    result_.notes.push_back(
        published.layout.empty()
            ? fmt::format("{}: {}; all rows are compared", name_.text(), no_published_row)
            : fmt::format("{} was published by {}, whose tables or views are others: they are "
                          "brought up to date",
                          name_.text(), published.program));
    is_other_layout_ = true;
    for (const LedgerTable& table : incomplete_tables(connection_, name_)) {
        incomplete_.push_back(table.name);
    }
}

/// Takes all locks that readers meet at once. False: somebody had one of them each time.
bool Publication::bring_up_to_date(int tries) {
    are_views_made_ = with_short_locks(connection_, tries, [&] {
        complete_tables(connection_, name_);
        make_views(connection_, name_);
        grant_to(granted_roles(connection_, name_));
        make_views_of_all_ledgers(connection_, {}, AllViews::with_others);
    });
    return are_views_made_;
}

/// Who reads the views keeps them as they are: they work, and the next publish tries again.
void Publication::bring_views_up_to_date() {
    if (options_.is_dry_run) {
        return;
    }
    require_values(connection_, name_);
    if (!are_views_made_ && !bring_up_to_date(tries_for_views)) {
        layout_ = layout_of_older_views;
        add_note(fmt::format(
            "the views of {} are those of the older program, because somebody reads them; the next "
            "publish makes them anew",
            name_.text()));
    }
}

bool Publication::is_incomplete(const LedgerTable& table) const {
    return std::ranges::count(incomplete_, table.name) > 0;
}

TableDifference Publication::difference_of(SQLite::Database& ledger, const LedgerTable& table) {
    if (!options_.is_dry_run || !is_incomplete(table)) {
        return compare_rows(ledger, connection_, name_.schema(), table);
    }
    const LoadedRows counted = count_rows(ledger, table);
    TableDifference all;
    all.table = &table;
    all.rows = all.inserted = counted.rows;
    all.respelled = counted.respelled;
    return all;
}

/// Gives the server the tables and columns that it lacks. Who reads a table that gets a column
/// waits from here to the end of the publish.
void Publication::complete() {
    if (options_.is_dry_run || !is_other_layout_) {
        return;
    }
    if (incomplete_.empty()) {
        complete_tables(connection_, name_);  // nothing that anybody reads
        grant_to(granted_roles(connection_, name_));
    } else if (!bring_up_to_date(tries_for_columns)) {
        throw DatabaseError(
            fmt::format("{}: somebody reads tables that are to have more columns ({}); try again "
                        "later",
                        name_.text(), fmt::join(incomplete_, ", ")));
    }
}

/// All tables, or one, before any is written. Those that get columns come last.
void Publication::compare(SQLite::Database& ledger, std::string_view only_table) {
    std::vector<const LedgerTable*> tables;
    for (const LedgerTable& table : ledger_tables()) {
        if (only_table.empty() || table.name == only_table) {
            tables.push_back(&table);
        }
    }
    const auto first_incomplete =
        std::stable_partition(tables.begin(), tables.end(),
                              [&](const LedgerTable* table) { return !is_incomplete(*table); });
    const auto compare_one = [&](const LedgerTable* table) {
        options_.progress(changes_.size(), tables.size());
        changes_.push_back(difference_of(ledger, *table));
    };
    std::for_each(tables.begin(), first_incomplete, compare_one);
    complete();
    std::for_each(first_incomplete, tables.end(), compare_one);
    std::ranges::sort(changes_, {}, &TableDifference::table);  // as ledger_tables() has them
}

void Publication::publish_differences(SQLite::Database& ledger, std::string_view only_table) {
    result_.way = PublishResult::Way::differences;
    compare(ledger, only_table);
    std::size_t respelled = 0;
    for (const TableDifference& difference : changes_) {
        respelled += difference.respelled;
        rows_of_ledger_ += difference.rows;
        if (!difference.is_empty()) {
            result_.tables.push_back({difference.table->name, difference.inserted,
                                      difference.updated, difference.deleted});
        }
    }
    note_respelled(respelled);
    std::erase_if(changes_, [](const TableDifference& one) { return one.is_empty(); });
    if (!options_.is_dry_run) {
        for (const TableDifference& difference : changes_) {
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
        grant(connection_, name_, role);
    }
}

std::vector<std::string> Publication::drop(bool and_dependent) {
    require_published(connection_, name_);
    std::string note;
    std::vector<std::string> dependent;
    const auto drop_all = [&] {
        note = make_views_of_all_ledgers(connection_, name_.text(), AllViews::with_others);
        dependent = dependent_objects(connection_, name_);
        if (!dependent.empty() && !and_dependent) {
            throw UsageError(fmt::format("--drop: {} would go with {}{}; --cascade drops them, too",
                                         fmt::join(dependent, ", "), name_.text(),
                                         note.empty() ? "" : " (" + note + ")"));
        }
        connection_.run(
            fmt::format("DROP SCHEMA {}, {} CASCADE", name_.schema(), name_.schema_of_tables()));
        if (!dependent.empty()) {  // the views over all ledgers can be among them
            note = make_views_of_all_ledgers(connection_, name_.text(), AllViews::with_others);
        }
    };
    if (!with_short_locks(connection_, tries_to_drop, drop_all)) {
        throw DatabaseError(fmt::format("{}: somebody reads it; try again later", name_.text()));
    }
    add_note(note);
    connection_.commit();
    if (!dependent.empty()) {
        add_note(fmt::format("dropped with it: {}", fmt::join(dependent, ", ")));
    }
    return result_.notes;
}

}  // namespace cacheledger
