#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/pulling/pull.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/files/target.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/interruption.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr const char* pull_usage =
    "cacheledger pull URL --ledger NAME OUT.db\n"
    "\n"
    "  cacheledger pull postgresql://db.example.org/ledgers --ledger site site.db\n"
    "\n"
    "Makes a ledger of what was published to a PostgreSQL server (cacheledger publish). Run "
    "again,\n"
    "it fetches only what changed since. OUT.db is a ledger like every other: --db can name it.\n"
    "A role that may read the views of the ledger can pull it, from a standby, too.";

po::options_description pull_options() {
    po::options_description options("options");
    options.add_options()("ledger", po::value<std::string>()->value_name("NAME"),
                          "the name of the ledger on the server");
    return options;
}

struct PullRequest {
    std::string url;
    PublishedName name;
    fs::path file;
};

PullRequest read_pull_request(const ParsedOptions& parsed) {
    if (parsed.words.size() != 2 || !is_postgresql_url(parsed.words[0])) {
        throw UsageError(
            "pull: expected the URL of a PostgreSQL server, postgresql://..., and the file of the "
            "ledger to make; see cacheledger pull --help");
    }
    if (!parsed.has("ledger")) {
        throw UsageError("pull: expected --ledger NAME; see cacheledger pull --help");
    }
    return {parsed.words[0], PublishedName(*parsed.text("ledger")), parsed.words[1]};
}

bool is_missing_or_empty(const fs::path& file) {
    std::error_code unknown;
    const auto size = fs::file_size(file, unknown);
    return fs::exists(file, unknown) ? size == 0 && !fs::is_directory(file, unknown) : !unknown;
}

/// Into a draft, which takes its place when it is whole.
PullResult pull_new_file(PostgresConnection& connection, const PullRequest& request,
                         const PublishedRow& published, const Progress& progress) {
    constexpr mode_t mode_of_ledger = 0644;
    try {
        DraftFile draft(request.file, mode_of_ledger);
        const PullResult result =
            pull_whole(connection, request.name, published, draft.path(), progress);
        draft.sync();
        stop_if_interrupted();
        draft.replace();
        return result;
    } catch (const DraftError& error) {
        refuse_to_write(request.file, error.number);
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, request.file));
    }
}

PullResult run_pull_request(const PullRequest& request) {
    PostgresConnection connection(request.url, is_interrupted);
    const PublishedRow published = begin_pull(connection, request.name);
    ProgressLine line("fetching tables");
    const Progress progress = [&](std::size_t done, std::size_t all) { line.count(done, all); };
    if (is_missing_or_empty(request.file)) {
        return pull_new_file(connection, request, published, progress);
    }
    try {
        SQLite::Database file = open_existing_for_writing(request.file);
        const Watch watch(file, line);
        return pull_changes(connection, request.name, published, file, progress);
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, request.file));
    }
}

std::string pull_sentence(const PullRequest& request, const PullResult& result, double seconds) {
    if (result.way == PullResult::Way::nothing) {
        return fmt::format("nothing to pull: {} has this state", request.file.string());
    }
    return fmt::format("pulled {}: {}{} in {:.1f} s", request.name.text(),
                       counted(result.rows, "row"),
                       result.way == PullResult::Way::whole ? "" : " changed", seconds);
}

}  // namespace

CommandHelp pull_help() {
    return {pull_usage, pull_options(), 2};
}

ExitStatus run_pull(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, pull_help());
    if (parsed.help) {
        return exit_done;
    }
    const PullRequest request = read_pull_request(parsed);
    const auto begin = std::chrono::steady_clock::now();
    try {
        const PullResult result = interruptible("interrupted; nothing was pulled",
                                                [&] { return run_pull_request(request); });
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        std::cout << pull_sentence(request, result, time.count()) << std::endl;
    } catch (const PostgresError& error) {
        throw DatabaseError(
            fmt::format("pull from {}: {}", without_password(request.url), error.what()));
    }
    return exit_done;
}

}  // namespace cacheledger
