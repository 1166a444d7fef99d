#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>

#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/stopping/stopping.hpp"

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
    "A role that was named with publish --grant can pull it, from a standby, too.";

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
    CommandHelp help{pull_usage, {}, 2};
    po::options_description& options = help.options;
    options.add_options()("ledger", once("NAME"), "the name of the ledger on the server");
    return help;
}

ExitStatus run_pull(const Invocation& /*invocation*/, const ParsedOptions& parsed) {
    const PullRequest request = read_pull_request(parsed);
    const auto begin = std::chrono::steady_clock::now();
    try {
        const PullResult result = interruptible("interrupted; nothing was pulled", [&] {
            return pull_file(request.url, request.name, request.file);
        });
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        std::cout << pull_sentence(request, result, time.count()) << std::endl;
    } catch (const PostgresError& error) {
        throw DatabaseError(
            fmt::format("pull from {}: {}", without_password(request.url), error.what()));
    }
    return exit_done;
}

}  // namespace cacheledger
