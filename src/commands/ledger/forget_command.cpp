#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/upkeep/retention.hpp"
#include "schema/text/counted.hpp"
#include "schema/text/number.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr const char* nothing_removed = "interrupted; nothing was removed";

constexpr const char* forget_usage =
    "cacheledger forget SNAPSHOT [--dry-run]\n"
    "       cacheledger forget --keep-daily N ... [--tag NAME] [--dry-run]\n"
    "\n"
    "  cacheledger forget latest --dry-run\n"
    "  cacheledger forget --keep-daily 90 --keep-monthly unlimited --dry-run\n"
    "\n"
    "Removes snapshots: one by its name, or all but those that the --keep options select. The "
    "ledger is\n"
    "then as if they had never been loaded; only the dependencies of builds that other snapshots "
    "share\n"
    "are kept.\n"
    "The --keep options work as in restic. A snapshot stays if any of them selects it. "
    "--keep-daily 7\n"
    "keeps the newest snapshot of each of the last 7 days that have one. If fewer days have one, "
    "the\n"
    "oldest snapshot stays, too. Days are in UTC, and weeks begin on Monday. The options apply to "
    "each\n"
    "series by itself, and within it to pages, to indexes and to partial snapshots by themselves. "
    "The\n"
    "newest of each is never removed.\n"
    "The file does not get smaller: 'cacheledger compact' does that.";

std::int64_t read_number_to_keep(const ParsedOptions& parsed, const std::string& option) {
    const auto text = parsed.text(option);
    if (!text) {
        return 0;
    }
    if (*text == "unlimited" || *text == "-1") {
        return unlimited;
    }
    const auto number = parse_number<std::uint32_t>(*text);
    if (!number) {
        throw UsageError(fmt::format("--{} '{}': expected a number of snapshots, or 'unlimited'",
                                     option, *text));
    }
    return *number;
}

/// What the command line asks for. Nothing if it names a snapshot.
std::optional<Retention> read_retention(const ParsedOptions& parsed) {
    const Retention retention{.last = read_number_to_keep(parsed, "keep-last"),
                              .daily = read_number_to_keep(parsed, "keep-daily"),
                              .weekly = read_number_to_keep(parsed, "keep-weekly"),
                              .monthly = read_number_to_keep(parsed, "keep-monthly")};
    const bool has_rules = parsed.has("keep-last") || parsed.has("keep-daily") ||
                           parsed.has("keep-weekly") || parsed.has("keep-monthly");
    if (has_rules == !parsed.words.empty()) {
        throw UsageError(
            has_rules
                ? fmt::format("forget: expected '{}' or --keep options, not both", parsed.words[0])
                : "forget: expected a snapshot, or --keep options; see cacheledger forget --help");
    }
    if (has_rules && retention.keeps_nothing()) {
        throw UsageError("forget: these --keep options keep nothing; expected one above 0");
    }
    if (!has_rules && parsed.has("tag")) {
        throw UsageError("forget: --tag is for --keep options only");
    }
    return has_rules ? std::optional(retention) : std::nullopt;
}

bool is_removed(const JudgedSnapshot& one) {
    return one.reasons.empty();
}

ResultTable table_of_judged(const std::vector<JudgedSnapshot>& judged) {
    ResultTable table{{"snapshot", "series", "taken_at", "extent", "kind", "action", "reason"}, {}};
    for (const JudgedSnapshot& one : judged) {
        table.rows.push_back(
            {one.snapshot.name, one.series, format_moment(one.snapshot.taken_at), one.extent,
             one.kind, is_removed(one) ? "forget" : "keep",
             is_removed(one) ? Value() : Value(fmt::format("{}", fmt::join(one.reasons, ", ")))});
    }
    table.implied = {"series", "taken_at"};
    return table;
}

std::string sentence_of_judged(const std::vector<JudgedSnapshot>& judged, bool is_dry_run) {
    const auto gone = std::ranges::count_if(judged, is_removed);
    const auto snapshots = counted(static_cast<std::int64_t>(judged.size()), "snapshot");
    if (gone == 0) {
        return fmt::format("nothing to forget of {}", snapshots);
    }
    return fmt::format("{} {} of {}", is_dry_run ? "would forget" : "forgot", gone, snapshots);
}

/// The snapshot to remove. A moment alone can find one that is far older, so it is refused here.
Snapshot find_named(SQLite::Database& database, const std::string& name) {
    Snapshot found = find_snapshot(database, name);
    if (found.tag != name && parse_past(name, now())) {
        throw UsageError(
            fmt::format("forget '{}': expected the name of a snapshot; to remove the "
                        "newest one then: {}",
                        name, command_hint({"forget", found.name})));
    }
    return found;
}

/// Only reads.
std::vector<JudgedSnapshot> judge_only(const Invocation& invocation, const ParsedOptions& parsed,
                                       const std::optional<Retention>& retention) {
    SQLite::Database database = open_for_reading(invocation.database);
    const Watch watch(database);
    if (retention) {
        return judge_snapshots(database, *retention, parsed.text("tag"));
    }
    const Snapshot asked = find_named(database, parsed.words[0]);
    std::vector<JudgedSnapshot> judged = judge_snapshots(database, {}, std::nullopt);
    std::erase_if(judged, [&](const JudgedSnapshot& one) { return one.snapshot.id != asked.id; });
    return judged;
}

void forget_one(const Invocation& invocation, const std::string& name) {
    SQLite::Database database = open_existing_for_writing(invocation.database);
    const Watch watch(database);
    const std::string found = find_named(database, name).name;
    const Snapshot snapshot =
        interruptible(nothing_removed, [&] { return forget(database, found); });
    std::cout << "forgot " << visible(snapshot.name) << std::endl;
}

std::vector<JudgedSnapshot> forget_many(const Invocation& invocation, const ParsedOptions& parsed,
                                        const Retention& retention) {
    SQLite::Database database = open_existing_for_writing(invocation.database);
    constexpr const char* phase = "removing snapshots, in packages";
    ProgressLine progress(phase);
    const Watch watch(database, progress);
    return interruptible(nothing_removed, [&] {
        return forget(database, retention, parsed.text("tag"),
                      [&](std::size_t done, std::size_t all) {
                          if (done == 1) {  // of a series
                              progress.begin(phase);
                          }
                          progress.show(done, all);
                          if (done == all) {
                              progress.begin("removing what no snapshot has");
                          }
                          stop_if_interrupted();
                      });
    });
}

}  // namespace

CommandHelp forget_help() {
    CommandHelp help{forget_usage, {}, 1};
    po::options_description& options = help.options;
    options.add_options()("keep-last", once("N"),
                          "keep the newest N snapshots; N can be 'unlimited'")(
        "keep-daily", once("N"), "keep the newest snapshot of each of N days")(
        "keep-weekly", once("N"), "keep the newest snapshot of each of N weeks")(
        "keep-monthly", once("N"), "keep the newest snapshot of each of N months")(
        "tag", once("NAME", Offer::tags),
        "with --keep options: only the snapshots of this tag or series; all others stay")(
        "dry-run", "remove nothing; list what would go, and what would stay and why");
    add_output_options(options);
    return help;
}

ExitStatus run_forget(const Invocation& invocation, const ParsedOptions& parsed) {
    const auto retention = read_retention(parsed);
    const Output output(parsed, invocation.database);
    const bool is_dry_run = parsed.has("dry-run");
    if (!retention && !is_dry_run) {
        forget_one(invocation, parsed.words[0]);
        return exit_done;
    }
    const auto judged = is_dry_run ? judge_only(invocation, parsed, retention)
                                   : forget_many(invocation, parsed, *retention);
    if (is_dry_run || parsed.has("format") || parsed.has("output")) {
        output.write(table_of_judged(judged));
        print_notes({sentence_of_judged(judged, is_dry_run)});
    } else {
        std::cout << sentence_of_judged(judged, is_dry_run) << std::endl;
    }
    return exit_done;
}

}  // namespace cacheledger
