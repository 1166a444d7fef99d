#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/prune/prune.hpp"
#include "reports/render/document/document.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/commands/questions/wanted.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_lines_named = 5;

constexpr std::array prune_formats = {Format::junit, Format::github, Format::hashes};
constexpr const char* empty_keep_list =
    "nothing is kept, so there is no list: with an empty one 'spack buildcache prune' deletes all";
const std::vector<std::string> prune_lists = {"lost",     "kept",     "broken",      "stacks",
                                              "packages", "coverage", "environments"};

constexpr const char* prune_usage =
    "cacheledger prune --keep KEEP [options]\n"
    "       cacheledger prune --drop SPEC [options]\n\n"
    "  cacheledger prune --keep 'newest 7'\n"
    "  cacheledger prune --keep 'seen within 14 days' --lock spack.lock\n"
    "  cacheledger prune --keep 'newest 9' --list kept --format hashes\n"
    "  cacheledger prune --drop hdf5\n\n"
    "Shows what a cache would lose if only some builds were kept, or if some were dropped: "
    "builds,\n"
    "packages, stacks, parts of lock files, environments of the ledger that would break, and what\n"
    "kept builds need. It deletes nothing. SPEC is any Spack spec, or a hash after a '/'. KEEP "
    "is\n\n"
    "  a file                 a spec or a hash in each line, a lock file (all its\n"
    "                         specs) or an install database; - for standard input;\n"
    "                         or a pattern, such as 'envs/*/spack.lock'\n"
    "  'seen within 14 days'  what a snapshot of the last 14 days has, counted back\n"
    "                         from the newest\n"
    "  'newest 3'             what the newest 3 snapshots have; 'newest 2 of v0.23.1'\n"
    "  'stack e4s'            what the newest snapshot has in the stack; or a pattern\n"
    "  a snapshot             all its specs\n\n"
    "By default the cache holds everything that any snapshot of the series has listed, up to\n"
    "--at. Only what KEEP names stays, as with 'spack buildcache prune --keeplist';\n"
    "--with-dependencies adds what it needs. The third example writes the list for that command;\n"
    "if nothing is kept, it writes none and exits with 1.\n\n"
    "If the ledger has build times (ingest --build-times), says how long it would take to build\n"
    "again what would be lost.";

struct PruneAsked {
    std::vector<std::string> keeps, drops, locks;
    std::vector<AskedGate> gates;
    std::optional<double> least{};
    std::string list{};
};

std::optional<double> read_least(const ParsedOptions& parsed, const PruneAsked& asked) {
    const auto text = parsed.text("fail-under");
    if (!text) {
        return std::nullopt;
    }
    const double percent = read_fail_under(*text);
    if (asked.locks.empty()) {
        throw UsageError("prune: --fail-under is about what a --lock needs: give one");
    }
    return percent;
}

PruneAsked read_asked(const ParsedOptions& parsed, const Output& output) {
    PruneAsked asked{.keeps = parsed.texts("keep"),
                     .drops = parsed.texts("drop"),
                     .locks = parsed.texts("lock"),
                     .gates = read_gates(parsed.texts("fail-on"), prune_gate_names()),
                     .list = parsed.text("list").value_or("")};
    asked.least = read_least(parsed, asked);
    if (asked.keeps.empty() && asked.drops.empty()) {
        throw UsageError(fmt::format(
            "prune: expected --keep with a file, a rule ({}) or a snapshot, or --drop with a spec",
            keep_rules));
    }
    if (!asked.list.empty() && std::ranges::find(prune_lists, asked.list) == prune_lists.end()) {
        refuse_unknown("table", asked.list, prune_lists,
                       fmt::format("there are: {}", fmt::join(prune_lists, ", ")));
    }
    const Format format = output.format();
    if (format == Format::hashes) {
        if (asked.list.empty()) {
            asked.list = "lost";
        }
        if (std::ranges::find(prune_lists, asked.list) - prune_lists.begin() > 2) {
            throw UsageError(
                fmt::format("--format hashes: --list {} has no hashes; lost, kept and broken have",
                            asked.list));
        }
    } else if (!is_common(format) && asked.gates.empty() && !asked.least) {
        throw UsageError(
            fmt::format("--format {} shows the gates of --fail-on and --fail-under: give some",
                        name_of(format).name));
    }
    return asked;
}

/// Refuses a list of which some lines can't be read: what they ask to keep would be lost.
WantedInput whole(WantedInput input) {
    const auto* const list = std::get_if<WantedList>(&input);
    if (list != nullptr && !list->specs.left_out.empty() &&
        std::ranges::none_of(list->specs.specs, &WantedSpec::is_wish)) {
        throw InputError(
            fmt::format("{}: {} be read: correct the list", list->name,
                        counted(std::ssize(list->specs.left_out), "entry can't", "entries can't")));
    }
    return input;
}

void add_sentence(const WantedList& list, const std::string& sentence,
                  std::vector<std::string>& sentences) {
    std::string about_list = fmt::format("{}: {}", list.name, sentence);
    if (!sentence.empty() && std::ranges::find(sentences, about_list) == sentences.end()) {
        sentences.push_back(std::move(about_list));
    }
}

/// The files that a pattern names, in order; else the text alone.
std::vector<std::string> files_of(const std::string& text) {
    std::error_code ignored;
    glob_t found{};
    std::vector<std::string> files;
    if (text.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(text, ignored) &&
        glob(text.c_str(), 0, nullptr, &found) == 0) {
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    globfree(&found);
    return files.empty() ? std::vector<std::string>{text} : files;
}

/// Reads what is asked to be kept, and keeps it.
class KeepOptions {
  public:
    KeepOptions(SQLite::Database& database, SeenSpecs& seen) : database_(database), seen_(seen) {}

    void keep(const std::string& text) {
        if (names_wanted_file(text)) {
            keep_file(text);
        } else if (const auto rule = read_keep_rule(text)) {
            add(rule->text, seen_.keep(*rule));
        } else {
            keep_snapshot(text);
        }
    }

    void drop(const std::string& text) {
        const SpecQuery query = read_asked_spec(text);
        if (query.package) {
            refuse_unknown_name(database_, NameKind::package, *query.package);
        }
        refuse_unknown_targets(query);
        const KeptCount count = seen_.drop(query);
        drops.rows.push_back({query.text(), count.matched, count.undecided});
        if (count.matched == 0) {
            notes.push_back(fmt::format("--drop '{}': the cache has nothing of it", text));
        }
        if (count.undecided > 0) {
            notes.push_back(fmt::format(
                "--drop '{}': {} not dropped", text,
                counted(count.undecided, "build that may match is", "builds that may match are")));
        }
    }

    ResultTable rows{{"keep", "kept", "unmatched", "undecided"}, {}};
    ResultTable drops{{"drop", "dropped", "undecided"}, {}};
    std::vector<std::string> notes;
    std::vector<std::string> not_read;  ///< for Prune::not_read

  private:
    void add(const std::string& name, const KeptCount& count) {
        rows.rows.push_back({name, count.matched, count.unmatched, count.undecided});
        if (count.matched == 0) {
            notes.push_back(fmt::format("--keep '{}': the cache has nothing of it", name));
        }
    }

    void keep_file(const std::string& text) {
        const WantedInput input = whole(read_wanted_file(database_, text));
        if (const auto* const list = std::get_if<WantedList>(&input)) {
            const KeptCount count = seen_.keep_list(list->specs);
            add_sentence(*list, list->specs.not_read, not_read);
            add_sentence(*list, list->specs.words_of_left_out(), not_read);
            note_lines(list->name, count);
            add(list->name, count);
            return;
        }
        const auto& graph = std::get<WantedGraph>(input);
        std::vector<std::string> hashes;
        for (const WantedNode& node : graph.nodes) {
            hashes.push_back(node.spec.hash);
            if (node.spec.spliced && *node.spec.spliced != "no") {
                hashes.push_back(*node.spec.spliced);
            }
        }
        add(graph.name, seen_.keep_hashes(hashes));
    }

    void note_lines(const std::string& name, const KeptCount& count) {
        const auto& lines = count.unmatched_lines;
        for (std::size_t i = 0; i < std::min(lines.size(), most_lines_named); ++i) {
            notes.push_back(
                fmt::format("{}:{}: the cache has nothing that matches", name, lines[i]));
        }
        if (lines.size() > most_lines_named) {
            notes.push_back(fmt::format(
                "{}: {} without a match", name,
                counted(static_cast<std::int64_t>(lines.size() - most_lines_named), "more line")));
        }
        if (count.undecided > 0) {
            notes.push_back(fmt::format(
                "{}: {} kept", name,
                counted(count.undecided, "build that may match is", "builds that may match are")));
        }
    }

    void keep_snapshot(const std::string& text) {
        try {
            const Snapshot snapshot = find_snapshot(database_, text);
            const KeepRule rule{KeepRule::Kind::snapshot, snapshot.name, {}, 0, snapshot.name};
            add(snapshot.name, seen_.keep(rule));
        } catch (const UsageError& error) {
            std::error_code ignored;
            if (std::filesystem::is_directory(text, ignored)) {
                keep_file(text);
                return;
            }
            throw UsageError(fmt::format("--keep '{}': no such file, no rule ({}), and {}", text,
                                         keep_rules, error.what()));
        }
    }

    SQLite::Database& database_;
    SeenSpecs& seen_;
};

std::vector<WantedInput> read_locks(SQLite::Database& database,
                                    const std::vector<std::string>& texts) {
    std::vector<WantedInput> locks;
    locks.reserve(texts.size());
    for (const std::string& text : texts) {
        locks.push_back(whole(read_wanted(database, text, "--lock")));
    }
    return locks;
}

void add_coverage(SeenSpecs& seen, const std::vector<WantedInput>& locks, Prune& prune) {
    for (const WantedInput& lock : locks) {
        if (const auto* const list = std::get_if<WantedList>(&lock)) {
            prune.coverage.rows.push_back(cover_before_and_after(seen, list->name, list->specs));
            add_sentence(*list, list->specs.not_read, prune.not_read);
        } else {
            prune.coverage.rows.push_back(
                cover_before_and_after(seen, std::get<WantedGraph>(lock)));
        }
    }
}

}  // namespace

CommandHelp prune_help() {
    CommandHelp help{prune_usage, {}, 0};
    po::options_description& options = help.options;
    options.add_options()("keep", repeated("KEEP", Offer::kept),
                          "what is kept; may be given several times, and all of it is kept")(
        "drop", repeated("SPEC", Offer::specs),
        "what is not kept, also of what --keep keeps, or what kept builds need; without --keep all "
        "else is. May be given several times")(
        "with-dependencies",
        "also keep what kept builds need to link and to run, except what --drop names")(
        "lock", repeated("WANTED", Offer::wanted),
        "say how much of WANTED would still be there, as coverage does; may be given several "
        "times")("at", once("SNAPSHOT", Offer::snapshots),
                 "the newest snapshot that counts, and its series; default latest")(
        "series", once("SERIES", NameKind::series),
        "count all series that match as one cache, such as '*'")(
        "listed", "the cache holds only what the newest snapshots list")(
        "list", once("TABLE", Choices{prune_lists}),
        "only one table, with all columns: lost, kept, broken, stacks, packages, coverage or "
        "environments. With "
        "--format hashes: the hashes of it; default lost")(
        "fail-on", repeated("GATES", Choices{prune_gate_names(), true}),
        "exit with 1 in one of these cases: kept builds would lack what they need (broken); a "
        "package would vanish (package); builds would be lost that the newest snapshots list "
        "(listed); more than 5 % of all builds would be lost (specs-5%). Separated by commas, or "
        "given several times. --format junit "
        "and github report them to CI")(
        "fail-under", once("PERCENT"),
        "exit with 1 if less than PERCENT of what a --lock needs to link and run would be there");
    add_row_options(options);
    add_output_options(options, prune_formats);
    help.former.add_options()("dry-run", "--dry-run has no effect: prune never deletes");
    return help;
}

ExitStatus run_prune(const Invocation& invocation, const ParsedOptions& parsed) {
    const Output output(parsed, invocation.database, prune_formats, read_row_options(parsed));
    const PruneAsked asked = read_asked(parsed, output);
    SQLite::Database database =
        open_for_reading(asked_file(invocation.database, invocation.ledger));
    const Watch watch(database);
    std::vector<std::string> notes;
    const Snapshot at = choose_snapshot(database, parsed.text("at"), notes);
    SeenSpecs seen(database, at, parsed.text("series"), parsed.has("listed"));
    KeepOptions keeper(database, seen);
    if (asked.keeps.empty()) {
        seen.keep_all();
    }
    for (const std::string& text : asked.keeps) {
        std::ranges::for_each(files_of(text), [&](const auto& file) { keeper.keep(file); });
    }
    std::ranges::for_each(asked.drops, [&](const auto& text) { keeper.drop(text); });
    const std::vector<WantedInput> locks = read_locks(database, asked.locks);
    Prune prune = ask_prune(database, seen, parsed.has("with-dependencies"));
    prune.keeps = keeper.rows;
    prune.drops = keeper.drops;
    prune.not_read = keeper.not_read;
    add_coverage(seen, locks, prune);
    add_environments(database, seen, prune);
    std::ranges::copy(prune.not_read, std::back_inserter(prune.remarks));
    Document document = asked.list.empty() ? document_of(database, prune)
                                           : document_of_list(database, prune, asked.list);
    document.gates = judge(prune, asked.gates, asked.least);
    const bool has_no_list = output.format() == Format::hashes && asked.list == "kept" &&
                             prune.total("specs", "after") == 0;
    if (has_no_list) {
        document.notes.insert(document.notes.begin() + 1, empty_keep_list);
        print_notes(document.notes);
    } else {
        output.write(document);
    }
    print_notes(keeper.notes);
    print_notes(notes);
    if (has_failed(document.gates)) {
        print_notes({failures(document.gates)});
    }
    return has_no_list || has_failed(document.gates) ? exit_no : exit_done;
}

}  // namespace cacheledger
