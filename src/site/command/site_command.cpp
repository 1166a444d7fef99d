#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/text/number.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/site/command/site_run.hpp"
#include "src/site/folder/site_bundle.hpp"
#include "src/site/folder/site_folder.hpp"
#include "src/site/folder/text_assets.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr const char* site_usage =
    "cacheledger site OUT [options]\n"
    "\n"
    "  cacheledger site public --title \"Our cache\"\n"
    "  cacheledger site public --last 30\n"
    "  cacheledger site public --mirror 'https://binaries.spack.io/{tag}/{stack}'\n"
    "\n"
    "Writes the ledger as web pages into the folder OUT. Open OUT/index.html first. The pages show "
    "what\n"
    "is in the cache, what changed, the history and the findings; they run every report, and SQL. "
    "They\n"
    "work from the disk and from any web server, and load nothing from other hosts. The command\n"
    "replaces OUT as a whole, but only if OUT is empty or a site.";

std::optional<std::size_t> read_last(const ParsedOptions& parsed) {
    const auto text = parsed.text("last");
    const auto number = text ? parse_number<std::size_t>(*text) : std::nullopt;
    if (text && (!number || *number == 0)) {
        throw UsageError(
            fmt::format("--last '{}': expected a number of snapshots, 1 or more", *text));
    }
    return number;
}

/// The pages put it into commands that readers paste into a shell, and into files that anybody
/// reads: nothing in it may mean something to a shell, or be a password.
void check_mirror(const ParsedOptions& parsed) {
    const auto url = parsed.text("mirror");
    if (!url) {
        return;
    }
    static const std::regex expected(
        R"(([a-z0-9+]+://|/)([A-Za-z0-9_%+=:,./~-]|\{tag\}|\{stack\})+)");
    if (!std::regex_match(*url, expected)) {
        // It is not repeated here: it may have a password.
        throw UsageError(
            "--mirror: expected a URL without a user, a query, blanks or quotes, such as "
            "https://binaries.spack.io/{tag}/{stack}");
    }
}

Catalog read_catalog(const ParsedOptions& parsed) {
    Catalog catalog;
    for (const std::string& folder : parsed.texts("reports")) {
        catalog.add_folder(folder);
    }
    return catalog;
}

}  // namespace

CommandHelp site_help() {
    CommandHelp help{site_usage, {}, 1};
    po::options_description& options = help.options;
    options.add_options()("at", once("SNAPSHOT", Offer::snapshots),
                          "what the pages show first; default: the newest of pages or indexes")(
        "from", once("A", Offer::snapshots),
        "what the page of drift compares first; default: the snapshot before B")(
        "to", once("B", Offer::snapshots),
        "default: that of --at; without it the newest that has one before it")(
        "last", once("N"),
        "include only the newest N snapshots of each series, as if the others had been forgotten: "
        "their builds are left out, and the first of the N shows no changes; default: all")(
        "title", once("TEXT"), "the name at the top of the pages; default: Binary cache")(
        "mirror", once("URL"),
        "where Spack finds the binaries, for the commands that the pages show; {tag} and {stack} "
        "stand for the tag and the stack: https://binaries.spack.io/{tag}/{stack}; default: the "
        "URL that a snapshot was read from, where it is that of a mirror")(
        "reports", repeated("DIR", Offer::folders),
        "also include the reports (.sql files) of this folder");
    return help;
}

ExitStatus run_site(const Invocation& invocation, const ParsedOptions& parsed) {
    if (parsed.words.empty() || parsed.words[0].empty()) {
        throw UsageError("site: expected a folder; see cacheledger site --help");
    }
    const std::optional<std::size_t> last = read_last(parsed);
    check_mirror(parsed);
    const Catalog catalog = read_catalog(parsed);
    const fs::path bundle = find_bundle();
    SQLite::Database database =
        open_for_reading(asked_file(invocation.database, invocation.ledger));
    ProgressLine progress("copying the ledger");
    const Watch watch(database, progress);
    SiteFolder folder(parsed.words[0]);
    SiteRun run(parsed, last, catalog, read_bundle_file(bundle, front_file), folder, progress);
    interruptible("interrupted; the folder is as it was", [&] {
        copy_bundle(bundle, with_gzip([&](const std::string& name, std::string_view content) {
                        folder.write(name, content);
                    }));
        run.write(database);
        folder.publish();
    });
    progress.clear();
    print_notes(run.notes());
    std::cout << "wrote " << visible((fs::path(parsed.words[0]) / "index.html").string())
              << std::endl;
    return exit_done;
}

}  // namespace cacheledger
