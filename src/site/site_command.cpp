#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "reports/catalog/catalog.hpp"
#include "reports/site/about_site.hpp"
#include "reports/site/ledger_slices.hpp"
#include "reports/site/site_reports.hpp"
#include "reports/site/site_results.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/error.hpp"
#include "schema/basics/number.hpp"
#include "schema/ledger/database.hpp"
#include "schema/ledger/ledger_copy.hpp"
#include "schema/names/snapshot.hpp"
#include "schema/sqlite/describe.hpp"
#include "src/commands/command.hpp"
#include "src/options/chosen_snapshots.hpp"
#include "src/options/notes.hpp"
#include "src/options/options.hpp"
#include "src/site/site_bundle.hpp"
#include "src/site/site_folder.hpp"
#include "src/stopping/interruption.hpp"
#include "src/stopping/watch.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr const char* site_usage =
    "cacheledger site OUT [options]\n\n"
    "Writes the folder OUT: the ledger as web pages, which work from the disk and from any "
    "server,\n"
    "and ask nothing of another host. index.html is the first page. The pages show what is "
    "covered,\n"
    "what changed, the history and the findings, run every report, and take SQL.\n"
    "OUT is replaced as a whole, and only if it is empty or a site. The same ledger gives the "
    "same\n"
    "files.";

po::options_description site_options() {
    po::options_description options("options");
    options.add_options()("at", po::value<std::string>()->value_name("SNAPSHOT"),
                          "what the pages show first; default: the newest of pages or indexes")(
        "from", po::value<std::string>()->value_name("A"),
        "what the page of drift compares first; default: the snapshot before B")(
        "to", po::value<std::string>()->value_name("B"),
        "default: that of --at; without it the newest that has one before it")(
        "last", po::value<std::string>()->value_name("N"),
        "take only the newest N snapshots of each series into the site, as if the others were "
        "forgotten: their specs are then not in it, and the first of the N has no changes; "
        "default: all")("title", po::value<std::string>()->value_name("TEXT"),
                        "the name at the top of the pages; default: Binary cache")(
        "reports", po::value<std::vector<std::string>>()->value_name("DIR"),
        "also take the reports (.sql files) of this folder into the site");
    return options;
}

std::optional<std::size_t> read_last(const ParsedOptions& parsed) {
    const auto text = parsed.text("last");
    const auto number = text ? parse_number<std::size_t>(*text) : std::nullopt;
    if (text && (!number || *number == 0)) {
        throw UsageError(
            fmt::format("--last '{}': expected a number of snapshots, 1 or more", *text));
    }
    return number;
}

/// A ledger that has no snapshot of pages or indexes has a site, too.
std::optional<std::string> choose_at(SQLite::Database& database, const ParsedOptions& parsed,
                                     std::vector<std::string>& notes) {
    if (!parsed.has("at") && newest_snapshots(database).empty()) {
        return std::nullopt;
    }
    return choose_snapshot(database, parsed.text("at"), notes).name;
}

/// The default of a pair can be missing; what the user asks for can't.
std::optional<SnapshotPair> choose_default_pair(SQLite::Database& database,
                                                const ParsedOptions& parsed,
                                                std::vector<std::string>& notes) {
    try {
        return parsed.has("at") ? pair_up_to(database, find_snapshot(database, *parsed.text("at")))
                                : choose_newest_pair(database, notes);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

SiteSnapshots choose_snapshots(SQLite::Database& database, const ParsedOptions& parsed,
                               std::vector<std::string>& notes) {
    SiteSnapshots chosen{choose_at(database, parsed, notes), {}, {}};
    std::optional<SnapshotPair> pair;
    if (parsed.has("from")) {
        const auto to = parsed.has("to") ? parsed.text("to") : chosen.at;
        pair = choose_pair(database, {*parsed.text("from"), to.value_or("latest")}, notes);
    } else if (parsed.has("to")) {
        pair = choose_pair(database, {*parsed.text("to")}, notes);
    } else {
        pair = choose_default_pair(database, parsed, notes);
    }
    if (pair) {
        chosen.from = pair->from.name;
        chosen.to = pair->to.name;
    }
    return chosen;
}

/// A larger ledger is left out of its site: no browser has room for it.
constexpr std::int64_t most_bytes_of_ledger = std::int64_t{1} << 30;

std::int64_t size_of(SQLite::Database& database) {
    return database.execAndGet("PRAGMA page_count").getInt64() *
           database.execAndGet("PRAGMA page_size").getInt64();
}

void copy_bundle(const fs::path& bundle, const WriteFile& write) {
    for (const std::string& name : bundle_files) {
        std::ifstream file(bundle / name, std::ios::binary);
        std::ostringstream content;
        content << file.rdbuf();
        if (!file || !content) {
            throw UsageError(fmt::format("{}: can't be read", (bundle / name).string()));
        }
        write(name, content.str());
    }
}

/// The work of the command, in its order.
class SiteRun {
  public:
    SiteRun(const ParsedOptions& parsed, const Catalog& catalog, const SiteFolder& folder)
        : parsed_(parsed), catalog_(catalog), folder_(folder) {}

    /// Writes all files that are made from the ledger.
    void write(SQLite::Database& ledger) {
        const auto last = read_last(parsed_);
        if (last || size_of(ledger) <= most_bytes_of_ledger) {
            const fs::path file = folder_.own_file();
            try {
                write_with_copy(copy_ledger(ledger, file), last);
            } catch (const SQLite::Exception& error) {
                if (is_interruption(error)) {
                    throw;
                }
                throw UsageError(describe(error, file));
            }
        } else {
            write_results_of(ledger);
            write_about_of(ledger, {0, 0, 0, too_large});
        }
        write_reports(catalog_, writer());
    }

    const std::vector<std::string>& notes() const { return notes_; }

  private:
    static constexpr const char* too_large =
        "The ledger is larger than 1 GiB, so it is not in this site. A site of fewer snapshots "
        "(cacheledger site --last N) has it.";

    WriteFile writer() const {
        return [this](const std::string& name, std::string_view content) {
            folder_.write(name, content);
        };
    }

    /// The results are of the ledger that is in the site.
    void write_with_copy(SQLite::Database copy, const std::optional<std::size_t>& last) {
        const Watch watch(copy);
        if (last) {
            keep_newest(copy, *last);
        }
        write_results_of(copy);
        if (size_of(copy) > most_bytes_of_ledger) {
            write_about_of(copy, {0, 0, 0, too_large});
            return;
        }
        slim_down(copy);
        write_about_of(copy, write_ledger(folder_.own_file(), writer()));
    }

    void write_results_of(SQLite::Database& database) {
        about_.snapshots = choose_snapshots(database, parsed_, notes_);
        about_.results = write_results(database, catalog_, about_.snapshots, writer());
    }

    void write_about_of(SQLite::Database& database, WrittenLedger ledger) {
        about_.program = fmt::format("cacheledger {}", CACHELEDGER_VERSION);
        about_.title = parsed_.text("title").value_or("Binary cache");
        about_.ledger = std::move(ledger);
        write_about(database, about_, writer());
    }

    const ParsedOptions& parsed_;
    const Catalog& catalog_;
    const SiteFolder& folder_;
    AboutSite about_;
    std::vector<std::string> notes_;
};

}  // namespace

CommandHelp site_help() {
    return {site_usage, site_options(), 1};
}

ExitStatus run_site(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, site_help());
    if (parsed.help) {
        return exit_done;
    }
    if (parsed.words.empty() || parsed.words[0].empty()) {
        throw UsageError("site: expected a folder; see cacheledger site --help");
    }
    read_last(parsed);
    Catalog catalog;
    if (parsed.has("reports")) {
        for (const auto& folder : parsed.values["reports"].as<std::vector<std::string>>()) {
            catalog.add_folder(folder);
        }
    }
    const fs::path bundle = find_bundle();
    SQLite::Database database = open_for_reading(invocation.database);
    const Watch watch(database);
    SiteFolder folder(parsed.words[0]);
    SiteRun run(parsed, catalog, folder);
    interruptible("interrupted; the folder is as it was", [&] {
        copy_bundle(bundle, [&](const std::string& name, std::string_view content) {
            folder.write(name, content);
        });
        run.write(database);
        folder.publish();
    });
    print_notes(run.notes());
    std::cout << "wrote " << visible((fs::path(parsed.words[0]) / "index.html").string())
              << std::endl;
    return exit_done;
}

}  // namespace cacheledger
