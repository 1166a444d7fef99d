#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/publishing/publication.hpp"
#include "reports/postgresql/publishing/published_check.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/versions/versions.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr const char* publish_usage =
    "cacheledger publish URL --ledger NAME [options]\n"
    "\n"
    "  cacheledger publish postgresql://db.example.org/ledgers --ledger site\n"
    "  cacheledger publish postgresql://db.example.org/ledgers --ledger site --check\n"
    "  cacheledger publish postgresql://db.example.org/ledgers --ledger site --drop\n"
    "\n"
    "Copies the ledger to a PostgreSQL server, for dashboards and for many readers. Later runs "
    "send\n"
    "only what changed. The ledger becomes the schema NAME; a database can hold several ledgers. "
    "Readers\n"
    "see the ledger as it was before a run or after it, and never wait.\n"
    "URL is postgresql://[USER@]HOST[:PORT]/DATABASE. Put a password into ~/.pgpass, or into a "
    "service\n"
    "that PGSERVICE names.";

struct PublishRequest {
    std::string url;
    PublishedName name;
    PublishOptions options;
    bool is_check = false;
    bool is_drop = false;
    bool and_dependent = false;  ///< --cascade
};

void refuse_contradictions(const PublishRequest& request) {
    const PublishOptions& options = request.options;
    const bool is_publish = options.is_dry_run || options.is_resync || !options.roles.empty();
    if ((request.is_drop || request.is_check) &&
        (is_publish || request.is_drop == request.is_check)) {
        throw UsageError("publish: --check and --drop stand alone, with --ledger");
    }
    if (request.and_dependent && !request.is_drop) {
        throw UsageError("publish: --cascade goes with --drop");
    }
    if (options.is_dry_run && !options.roles.empty()) {
        throw UsageError("publish: --dry-run grants nothing; leave --grant or --dry-run out");
    }
}

PublishRequest read_request(const ParsedOptions& parsed) {
    if (parsed.words.empty() || !is_postgresql_url(parsed.words[0])) {
        throw UsageError(
            "publish: expected the URL of a PostgreSQL server, postgresql://...; see cacheledger "
            "publish --help");
    }
    if (!parsed.has("ledger")) {
        throw UsageError("publish: expected --ledger NAME; see cacheledger publish --help");
    }
    PublishRequest request{parsed.words[0], PublishedName(*parsed.text("ledger")), {}};
    request.options.is_dry_run = parsed.has("dry-run");
    request.options.is_resync = parsed.has("resync");
    request.options.program = program_version();
    request.options.roles = parsed.texts("grant");
    request.is_check = parsed.has("check");
    request.is_drop = parsed.has("drop");
    request.and_dependent = parsed.has("cascade");
    refuse_contradictions(request);
    return request;
}

ResultTable table_of(const std::vector<TableCounts>& counts) {
    ResultTable table{{"table", "inserted", "updated", "deleted"}, {}};
    for (const TableCounts& one : counts) {
        table.rows.push_back({one.table, one.inserted, one.updated, one.deleted});
    }
    return table;
}

ResultTable table_of(const std::vector<CheckedTable>& checked) {
    ResultTable table{
        {"table", "rows", "published_rows", "checksum", "published_checksum", "problem"}, {}};
    for (const CheckedTable& one : checked) {
        table.rows.push_back({one.table, one.rows, one.published_rows, one.checksum,
                              one.published_checksum,
                              one.problem.empty() ? Value() : Value(one.problem)});
    }
    return table;
}

constexpr const char* compared = " (all rows were compared)";

/// "12 rows inserted, 3 deleted".
std::string count_all(const PublishResult& result) {
    TableCounts all;
    for (const TableCounts& table : result.tables) {
        all.inserted += table.inserted;
        all.updated += table.updated;
        all.deleted += table.deleted;
    }
    std::string text = counted(all.inserted, "row") + " inserted";
    if (all.updated + all.deleted > 0) {
        text += fmt::format(", {} updated, {} deleted", grouped(all.updated), grouped(all.deleted));
    }
    return text;
}

std::string sentence(const PublishRequest& request, const PublishResult& result, double seconds) {
    const std::string& name = request.name.text();
    if (result.way == PublishResult::Way::nothing) {
        return fmt::format("nothing to publish: {} has this state{}", name,
                           request.options.is_resync ? compared : "");
    }
    const char* const what = result.way == PublishResult::Way::differences ? compared : "";
    return fmt::format("{} {}{}: {} in {:.1f} s",
                       request.options.is_dry_run ? "would publish" : "published", name, what,
                       count_all(result), seconds);
}

PublishResult run_publication(const PublishRequest& request, const Invocation& invocation) {
    open_for_reading(invocation.database);  // a wrong --db is noticed before the server is asked
    PostgresConnection connection(request.url, is_interrupted);
    ProgressLine progress("sending tables");
    PublishOptions options = request.options;
    options.progress = [&](std::size_t done, std::size_t all) { progress.count(done, all); };
    Publication publication(connection, request.name, options);
    SQLite::Database ledger = open_for_reading(invocation.database);
    const Watch watch(ledger, progress);
    return publication.publish(ledger);
}

void publish_and_tell(const PublishRequest& request, const Invocation& invocation,
                      const Output& output) {
    const auto begin = std::chrono::steady_clock::now();
    PublishResult result = run_publication(request, invocation);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const std::string told = sentence(request, result, time.count());
    if (request.options.is_dry_run) {
        output.write(table_of(result.tables));
        result.notes.insert(result.notes.begin(), told);
    } else {
        std::cout << told << std::endl;
    }
    print_notes(result.notes);
}

ExitStatus check_and_tell(const PublishRequest& request, const Invocation& invocation,
                          const Output& output) {
    SQLite::Database ledger = open_for_reading(invocation.database);
    ProgressLine progress("comparing tables");
    const Watch watch(ledger, progress);
    PostgresConnection connection(request.url, is_interrupted);
    const auto checked =
        check_published(ledger, connection, request.name,
                        [&](std::size_t done, std::size_t all) { progress.count(done, all); });
    output.write(table_of(checked));
    const bool is_sound = std::ranges::all_of(
        checked, [](const CheckedTable& table) { return table.problem.empty(); });
    print_notes({is_sound ? fmt::format("{} is equal to the ledger", request.name.text())
                          : fmt::format("{} differs from the ledger", request.name.text())});
    return is_sound ? exit_done : exit_no;
}

void drop_and_tell(const PublishRequest& request) {
    PostgresConnection connection(request.url, is_interrupted);
    const auto notes = Publication(connection, request.name).drop(request.and_dependent);
    std::cout << "removed " << request.name.text() << std::endl;
    print_notes(notes);
}

ExitStatus run_request(const PublishRequest& request, const Invocation& invocation,
                       const Output& output) {
    if (request.is_check) {
        return check_and_tell(request, invocation, output);
    }
    if (request.is_drop) {
        drop_and_tell(request);
    } else {
        publish_and_tell(request, invocation, output);
    }
    return exit_done;
}

}  // namespace

CommandHelp publish_help() {
    CommandHelp help{publish_usage, {}, 1};
    po::options_description& options = help.options;
    options.add_options()("ledger", once("NAME"),
                          "the name of the ledger on the server, such as that of the site")(
        "dry-run", "write nothing; say how many rows of each table would be written")(
        "resync",
        "compare all rows, and publish this file even if the server has another state: after it "
        "was restored from a copy")(
        "grant", repeated("ROLE"),
        "let this role of the server read the ledger; can be given several times")(
        "check",
        "compare all rows on the server with the ledger, and write nothing; exit code 1 if they "
        "differ")("drop", "remove the ledger NAME from the server")(
        "cascade", "with --drop: remove the views and tables of users that depend on it, too");
    add_output_options(options);
    return help;
}

ExitStatus run_publish(const Invocation& invocation, const ParsedOptions& parsed) {
    const PublishRequest request = read_request(parsed);
    const Output output(parsed, invocation.database);
    try {
        return interruptible("interrupted; nothing was published",
                             [&] { return run_request(request, invocation, output); });
    } catch (const PostgresError& error) {
        throw DatabaseError(
            fmt::format("publish to {}: {}", without_password(request.url), error.what()));
    }
}

}  // namespace cacheledger
