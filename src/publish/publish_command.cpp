#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "reports/layout/published_name.hpp"
#include "reports/postgresql/connection.hpp"
#include "reports/publish/publication.hpp"
#include "reports/table/text_width.hpp"
#include "reports/table/value.hpp"
#include "schema/basics/error.hpp"
#include "schema/ledger/database.hpp"
#include "src/commands/command.hpp"
#include "src/options/notes.hpp"
#include "src/options/options.hpp"
#include "src/stopping/interruption.hpp"
#include "src/stopping/watch.hpp"

namespace cacheledger {

namespace {

constexpr const char* publish_usage =
    "cacheledger publish URL --ledger NAME [options]\n\n"
    "Copies the ledger to a PostgreSQL server, where many can ask it: the reports, and dashboards. "
    "Later runs send only what changed. The ledger is the schema NAME there; a database can have "
    "several. Readers see the state before or the one after, and never wait.\n"
    "URL is postgresql://[USER@]HOST[:PORT]/DATABASE. A password is best in ~/.pgpass, or in a "
    "service that PGSERVICE names.";

po::options_description publish_options() {
    po::options_description options("options");
    options.add_options()("ledger", po::value<std::string>()->value_name("NAME"),
                          "what the ledger is called there, such as the name of the site")(
        "dry-run", "write nothing, and say how many rows of which table would be written")(
        "resync",
        "compare all rows, and publish this file even if the server has another state: after it "
        "was restored from a copy")(
        "grant", po::value<std::vector<std::string>>()->value_name("ROLE"),
        "let this role of the server read the views; can be given several times")(
        "drop", "remove the ledger NAME from the server");
    return options;
}

struct PublishRequest {
    std::string url;
    PublishedName name;
    PublishOptions options;
    bool is_drop = false;
};

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
    request.options.program = fmt::format("cacheledger {}", CACHELEDGER_VERSION);
    if (parsed.has("grant")) {
        request.options.roles = parsed.values["grant"].as<std::vector<std::string>>();
    }
    request.is_drop = parsed.has("drop");
    if (request.is_drop && (request.options.is_dry_run || request.options.is_resync ||
                            !request.options.roles.empty())) {
        throw UsageError("--drop: removes the ledger, and takes no other option than --ledger");
    }
    return request;
}

std::string count_rows_of(const TableCounts& counts, bool is_dry_run) {
    std::vector<std::string> parts;
    for (const auto& [count, word] :
         {std::pair(counts.inserted, "inserted"), std::pair(counts.updated, "updated"),
          std::pair(counts.deleted, "deleted")}) {
        if (count > 0) {
            parts.push_back(fmt::format("{} {}", grouped(count), word));
        }
    }
    return fmt::format("{}: {}{}\n", counts.table, is_dry_run ? "would be " : "",
                       fmt::join(parts, ", "));
}

/// "12 rows inserted, 3 deleted".
std::string count_all(const PublishResult& result) {
    TableCounts all;
    for (const TableCounts& table : result.tables) {
        all.inserted += table.inserted;
        all.updated += table.updated;
        all.deleted += table.deleted;
    }
    std::string text = fmt::format("{} rows inserted", grouped(all.inserted));
    if (all.updated + all.deleted > 0) {
        text += fmt::format(", {} updated, {} deleted", grouped(all.updated), grouped(all.deleted));
    }
    return text;
}

std::string sentence(const PublishRequest& request, const PublishResult& result, double seconds) {
    const std::string& name = request.name.text();
    if (result.way == PublishResult::Way::nothing) {
        return fmt::format("nothing to publish: {} has this state\n", name);
    }
    const std::string what = result.way == PublishResult::Way::changes
                                 ? fmt::format(" ({} snapshot{} changed)", result.snapshots,
                                               result.snapshots == 1 ? "" : "s")
                             : result.way == PublishResult::Way::resync
                                 ? " (all rows were compared)"
                                 : "";
    return fmt::format("{} {}{}: {} in {:.1f} s\n",
                       request.options.is_dry_run ? "would publish" : "published", name, what,
                       count_all(result), seconds);
}

PublishResult run_publication(const PublishRequest& request, const Invocation& invocation) {
    open_for_reading(invocation.database);  // a wrong --db is noticed before the server is asked
    PostgresConnection connection(request.url, is_interrupted);
    Publication publication(connection, request.name);
    SQLite::Database ledger = open_for_reading(invocation.database);
    const Watch watch(ledger);
    return publication.publish(ledger, request.options);
}

void publish_and_tell(const PublishRequest& request, const Invocation& invocation) {
    const auto begin = std::chrono::steady_clock::now();
    const PublishResult result = run_publication(request, invocation);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (request.options.is_dry_run) {
        for (const TableCounts& counts : result.tables) {
            std::cout << count_rows_of(counts, true);
        }
    }
    std::cout << sentence(request, result, time.count()) << std::flush;
    print_notes(result.notes);
}

void drop_and_tell(const PublishRequest& request) {
    PostgresConnection connection(request.url, is_interrupted);
    Publication(connection, request.name).drop();
    std::cout << "removed " << request.name.text() << std::endl;
}

/// Says where the server refused.
template <typename Work>
void explain_refusal(const std::string& url, Work work) {
    try {
        interruptible("interrupted; nothing was published", work);
    } catch (const PostgresError& error) {
        throw DatabaseError(fmt::format("publish to {}: {}", without_password(url), error.what()));
    }
}

}  // namespace

CommandHelp publish_help() {
    return {publish_usage, publish_options(), 1};
}

ExitStatus run_publish(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, publish_help());
    if (parsed.help) {
        return exit_done;
    }
    const PublishRequest request = read_request(parsed);
    explain_refusal(request.url, [&] {
        if (request.is_drop) {
            drop_and_tell(request);
        } else {
            publish_and_tell(request, invocation);
        }
    });
    return exit_done;
}

}  // namespace cacheledger
