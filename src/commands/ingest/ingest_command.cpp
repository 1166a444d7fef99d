#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "ingest/runs/commits/history.hpp"
#include "ingest/runs/files/graph_source.hpp"
#include "ingest/runs/files/ingest.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/ingest/ingest_run.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cacheledger {

namespace {

/// Tells the C library and SQLite how a process uses memory that only loads: much of it, and until
/// its end. Call it before the first connection: limits of SQLite's memory mean nothing afterwards.
void prepare_memory_for_ingest() {
#ifdef __GLIBC__
    // Else a list that grows gets other memory from the kernel each time, which clears it: 7 % of
    // the time of a first ingest of 65,000 nodes.
    constexpr int largest_of_heap = 32 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_of_heap);
    mallopt(M_TRIM_THRESHOLD, 8 * largest_of_heap);
    mallopt(M_TOP_PAD, largest_of_heap / 2);
#endif
    // SQLite would lock a mutex for its statistics at each allocation: 4 %.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

constexpr unsigned most_jobs = 256;

constexpr const char* ingest_usage =
    "cacheledger ingest PATH... [options]\n"
    "       cacheledger ingest [STACK=]PATH... --tag NAME [options]\n"
    "       cacheledger ingest --history REPO [--rev RANGE] [--path DIR] [--jobs N]\n"
    "       cacheledger ingest --history REPO --path FILE --tag NAME [--rev RANGE]\n"
    "       cacheledger ingest --build-times PATH...\n\n"
    "Loads what a build cache, an environment or an installation has. A path is a file, a folder,\n"
    "a URL (http, https), a cache in a registry (oci, oci+http), or - for standard input. Its\n"
    "content tells what it is:\n"
    "- package pages: .md and .txt files that begin with front matter. Makes one snapshot for "
    "each\n"
    "  tag among the pages\n"
    "- the index of a build cache (index.json, the folder of a mirror, an OCI layout). A mirror\n"
    "  folder without an index is read from its spec files. The indexes of STACKs make one\n"
    "  snapshot of the tag. The index views of a mirror are the indexes of stacks\n"
    "- a manifest of indexes ({REF: [{label, url}]}). Makes one snapshot for each ref\n"
    "- a spack.lock, or the install database of Spack (.spack-db/index.json)\n"
    "- a git repository of packages, such as a clone of spack-packages, bare or not: the commits "
    "of\n"
    "  its recipes, and what the lists of its stacks want. It makes no snapshot. Run it again for\n"
    "  new commits\n"
    "- build times: install_times.json of Spack, or a table with the columns hash, or package and\n"
    "  version, and seconds (timings.csv). They make no snapshot; coverage, why and prune then "
    "say\n"
    "  what building takes. The latest time of a build counts. With --build-times, a folder is an\n"
    "  installation: the times of all that Spack built there\n"
    "All or nothing. An existing snapshot with the same content stays as it is.\n\n"
    "With --history, loads the commits of a git repository that touched pages, each as a snapshot\n"
    "at its time; commits of one second are a second apart. Skips commits that are in the ledger:\n"
    "run it again for new commits, or after an interruption. If a page of a commit can't be read,\n"
    "its package stays as it was.\n\n"
    "With --history, --path FILE and --tag, loads the commits that touched one file: a lock file, "
    "an\n"
    "index or an install database. Each becomes a snapshot of the tag at its time. If a commit "
    "removed\n"
    "the file, its snapshot is empty; if the file can't be read, its snapshot is the same as the "
    "one\n"
    "before.";

unsigned read_jobs(const ParsedOptions& parsed) {
    const unsigned jobs = parsed.has("jobs") ? parsed.values["jobs"].as<unsigned>() : usual_jobs();
    if (jobs < 1 || jobs > most_jobs) {
        throw UsageError(fmt::format("--jobs: expected a number from 1 to {}", most_jobs));
    }
    return jobs;
}

void refuse_options(const ParsedOptions& parsed, std::initializer_list<const char*> names,
                    std::string_view why) {
    for (const char* const name : names) {
        if (parsed.has(name)) {
            throw UsageError(fmt::format("ingest: --{} {}", name, why));
        }
    }
}

IngestOptions read_options(const ParsedOptions& parsed) {
    refuse_options(parsed, {"rev", "path"}, "is for --history only");
    IngestOptions options;
    options.source = fmt::format("{}", fmt::join(parsed.words, " "));
    if (parsed.words.empty()) {
        throw UsageError(
            "ingest: expected a file, a folder, a URL or -; see cacheledger ingest --help");
    }
    if (const auto text = parsed.text("taken-at")) {
        options.taken_at = parse_past(*text, now());
        if (!options.taken_at) {
            throw UsageError(fmt::format(
                "--taken-at '{}': expected a time like 2025-03-30, 2025-03-30T06:00:00Z or "
                "yesterday",
                *text));
        }
    }
    options.tag = parsed.text("tag");
    options.partial = parsed.has("partial");
    options.keep_going = parsed.has("keep-going");
    options.replace = parsed.has("replace");
    options.if_changed = parsed.has("if-changed");
    return options;
}

// What both kinds of histories refuse.
void check_history_options(const ParsedOptions& parsed) {
    refuse_options(parsed, {"taken-at", "partial", "keep-going", "replace"},
                   "can't be used with --history: each commit has its own time and state");
    refuse_options(parsed, {"if-changed", "ref", "view", "map-url", "build-times"},
                   "can't be used with --history");
    if (!parsed.has("path")) {
        refuse_options(parsed, {"tag"},
                       "with --history is for one file; name it with --path. Pages have tags of "
                       "their own");
    }
    if (!parsed.words.empty()) {
        throw UsageError(fmt::format(
            "ingest: '{}': --history takes one repository and no other path", parsed.words[0]));
    }
}

std::string repository_of(const ParsedOptions& parsed) {
    std::string repository = *parsed.text("history");
    if (is_url(repository)) {
        throw UsageError(
            fmt::format("ingest: --history {}: expected a repository on this machine; "
                        "clone it with git first",
                        shown_url(repository)));
    }
    return repository;
}

HistoryOptions read_history_options(const ParsedOptions& parsed) {
    HistoryOptions options;
    options.repository = repository_of(parsed);
    options.revision = parsed.text("rev").value_or(options.revision);
    options.path = parsed.text("path").value_or("");
    options.tag = parsed.text("tag");
    options.jobs = options.tag ? 1 : read_jobs(parsed);
    return options;
}

// For the column `source`.
std::string shown(const std::vector<std::string>& arguments) {
    std::vector<std::string> texts;
    texts.reserve(arguments.size());
    for (const std::string& argument : arguments) {
        texts.push_back(shown_argument(argument));
    }
    return fmt::format("{}", fmt::join(texts, " "));
}

// Prints what was loaded, and returns the names of the snapshots that were loaded, as far as the
// result has them.
std::vector<std::string> print(const IngestResult& result, const char* one_input, double seconds) {
    for (const std::string& problem : result.bad_pages) {
        std::cerr << "cacheledger: not loaded: " << visible(problem) << "\n";
    }
    for (const std::string& note : result.notes) {
        std::cerr << visible(note) << "\n";
    }
    for (const std::string& name : result.unchanged) {
        std::cerr << visible(name) << " is in the ledger with the same content: nothing to do\n";
    }
    for (const std::string& name : result.replaced) {
        std::cerr << visible(name) << " was replaced\n";
    }
    const std::string needed =
        result.needed_specs == 0 ? "" : fmt::format(" and {} that they need", result.needed_specs);
    std::cout << fmt::format("{}, {}{} ({} new), {} loaded ({} unchanged), {:.2f} seconds{}{}\n",
                             plainly_counted(result.pages, one_input),
                             plainly_counted(result.specs, "spec"), needed, result.new_specs,
                             plainly_counted(result.loaded.size(), "snapshot"),
                             result.unchanged.size(), seconds, result.loaded.empty() ? "" : ": ",
                             visible(fmt::format("{}", fmt::join(result.loaded, ", "))));
    std::cout.flush();
    return result.loaded;
}

// A history, and which of its commits count: "with pages".
struct LoadedHistory {
    HistoryResult result;
    std::string touching;
};

std::vector<std::string> print(const LoadedHistory& loaded, const char* /*one_input*/,
                               double seconds) {
    const HistoryResult& result = loaded.result;
    for (const std::string& problem : result.problems) {
        std::cerr << "cacheledger: kept as it was: " << visible(problem) << "\n";
    }
    std::cout << fmt::format(
        "{} ({} known), {} {}, {} ({} new), {} loaded ({} unchanged, {} replaced), "
        "{:.2f} seconds\n",
        plainly_counted(result.commits, "commit"), result.known_commits, result.touching_commits,
        visible(loaded.touching), plainly_counted(result.specs, "spec"), result.new_specs,
        plainly_counted(result.loaded, "snapshot"), result.unchanged, result.replaced, seconds);
    std::cout.flush();
    return {};
}

// Runs `work` on the database and prints what it did. `one_input`: what is read, in the singular.
template <typename Work>
void run_and_print(const std::filesystem::path& file, const char* one_input, Work work) {
    std::optional<NewFindings> findings;
    run_and_report(
        file, one_input, "writing indexes and snapshots",
        [&](auto& database, auto& line, const auto& progress) {
            findings.emplace(database);
            return work(database, line, progress);
        },
        [&](auto& database, const auto& result, double seconds) {
            print_ingest_notes(database, *findings, print(result, one_input, seconds));
        });
}

// There is no Watch here: an interruption waits for the end of the current commit, so that the
// commits done are kept.
HistoryResult load_history(SQLite::Database& database, const HistoryOptions& options,
                           const Progress& progress) {
    std::string left = "interrupted; no commit was loaded";
    try {
        return ingest_history(database, options, [&](std::size_t done, std::size_t all) {
            left = fmt::format(
                "interrupted; {} of {} are in the ledger; run the same command again to continue",
                done, plainly_counted(all, "new commit"));
            progress(done, all);
        });
    } catch (const Interrupted&) {
        throw Interrupted(left);
    }
}

// Calls `work`. If some files can't be read, the error ends with what to type to load the others.
template <typename Work>
void suggest_keep_going(const Invocation& invocation, const Work& work) {
    try {
        work();
    } catch (const UnreadableFiles& error) {
        std::vector<std::string> words = {"ingest", "--keep-going"};
        words.insert(words.end(), invocation.arguments.begin(), invocation.arguments.end());
        std::vector<std::string> lines = error.problems();
        lines.push_back(
            fmt::format("note: nothing was loaded; to load all but {}: {}",
                        lines.size() == 1 ? "this" : fmt::format("these {}", lines.size()),
                        command_hint(words)));
        throw InputError(lines);
    }
}

void run_history(const std::filesystem::path& file, const ParsedOptions& parsed) {
    check_history_options(parsed);
    const HistoryOptions options = read_history_options(parsed);
    const std::string touching =
        options.tag ? fmt::format("that touched {}", options.path) : "with pages";
    run_and_print(file, "commit", [&](auto& database, auto& /*line*/, const auto& progress) {
        return LoadedHistory{load_history(database, options, progress), touching};
    });
}

// What the paths are, and what of it is on the web, is found out before the ledger is opened: a
// server may be slow. `open` opens it.
Inputs find(const ParsedOptions& parsed, const std::filesystem::path& database,
            const std::function<void(const Inputs&)>& open) {
    InputOptions options;
    options.views = named_views(parsed, database);
    options.arguments = parsed.words;
    options.ref = parsed.text("ref");
    options.url_maps = parsed.texts("map-url");
    return find_with_progress(std::move(options), open);
}

void load_inputs(const std::filesystem::path& file, const ParsedOptions& parsed) {
    constexpr const char* left = "interrupted; nothing of it was loaded";
    const IngestOptions options = read_options(parsed);
    const unsigned jobs = read_jobs(parsed);
    std::unique_ptr<Source> source;
    const auto open_all_but_pages = [&](const Inputs& found) {
        if (found.kind != Shape::page) {
            refuse_options(parsed, {"partial"}, "is for pages: other inputs say all of a snapshot");
            source = open_graphs(found, options.tag, shown(parsed.words));
        }
    };
    const Inputs inputs =
        interruptible(left, [&] { return find(parsed, file, open_all_but_pages); });
    run_and_print(file, name_of_one(inputs), [&](auto& database, auto& line, const auto& progress) {
        const Watch watch(database, line);
        return interruptible(left, [&] {
            if (!source) {
                source = open_source(inputs.pages, jobs, inputs.standard_input);
            }
            return ingest(database, *source, options, progress);
        });
    });
}

}  // namespace

CommandHelp ingest_help() {
    CommandHelp help{ingest_usage, {}, any_number};
    po::options_description& options = help.options;
    options.add_options()("taken-at", once("TIME"),
                          "the moment of the snapshot, in UTC: 2025-03-30 or 2025-03-30T06:00:00Z; "
                          "default: now. A dated tag is always taken at its date")(
        "tag", once("NAME", Offer::tags),
        "the name of the snapshot. Needed for an index, a lock file and an install database; pages "
        "and the refs of a manifest have their own")(
        "if-changed", "make no snapshot if the one before has the same content")(
        "partial", "packages without a page keep their last state")(
        "keep-going",
        "load the good pages, indexes and spec files, and record the bad ones as findings")(
        "replace", "replace an existing snapshot that has other content")(
        "ref", once("GLOB"), "load only these refs of a manifest")(
        "view", repeated("NAME", NameKind::stack)->composing(),
        "read the view NAME of a mirror's index, as a stack; may be repeated. Alone: the views "
        "that "
        "the series had. Without it, all views of a folder are read, and none of a URL")(
        "map-url", repeated("FROM=TO")->composing(),
        "addresses of a manifest that begin with FROM begin with TO instead: "
        "s3://bucket=https://mirror.example/bucket")(
        "jobs", po::value<unsigned>()->value_name("N"),
        "number of threads that read pages; default: one for each core")(
        "build-times", "load the build times of each PATH")(
        "history", once("REPO", Offer::folders),
        "load the history of a git repository, bare or not")(
        "rev", once("RANGE"),
        "with --history: load the first-parent history of this commit, branch or tag; default: "
        "HEAD. A..B: of B, without the commits of A")("path", once("DIR", Offer::folders),
                                                      "with --history: load only this folder, or, "
                                                      "with --tag, this file");
    return help;
}

ExitStatus run_ingest(const Invocation& invocation, const ParsedOptions& /*none*/) {
    const ParsedOptions parsed =
        parse_options(with_names_of_views(invocation.arguments), ingest_help());
    if (parsed.help) {
        return exit_done;
    }
    prepare_memory_for_ingest();
    if (parsed.has("history")) {
        run_history(invocation.database, parsed);
    } else if (parsed.has("build-times") || are_files_of_times(parsed.words)) {
        refuse_options(parsed, {"rev", "path"}, "is for --history only");
        run_ingest_times(invocation, parsed);
    } else if (are_package_repositories(parsed.words)) {
        refuse_options(parsed, {"rev", "path"}, "is for --history only");
        run_package_repositories(invocation, parsed, read_jobs(parsed));
    } else {
        suggest_keep_going(invocation, [&] { load_inputs(invocation.database, parsed); });
    }
    return exit_done;
}

}  // namespace cacheledger
