#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "ingest/ingest.hpp"
#include "reports/text_width.hpp"
#include "schema/database.hpp"
#include "schema/error.hpp"
#include "src/command.hpp"
#include "src/options.hpp"
#include "src/terminal.hpp"

namespace cacheledger {

namespace {

constexpr unsigned most_jobs = 256;

constexpr const char* usage =
    "cacheledger ingest PATH... [options]\n\n"
    "Loads the package pages that the paths hold: files, folders (searched for .md and .txt files\n"
    "that open with front matter), or - for standard input. Makes one snapshot for each tag among\n"
    "the pages, all or nothing. A snapshot that is there with the same content stays as it is.";

po::options_description describe_options() {
    po::options_description options("options");
    options.add_options()("taken-at", po::value<std::string>()->value_name("TIME"),
                          "when the pages were taken, UTC: 2025-03-30 or 2025-03-30T06:00:00Z; "
                          "default now. A dated tag's moment is its date")(
        "tag", po::value<std::string>()->value_name("NAME"),
        "the tag of the pages, whatever they say")("partial",
                                                   "packages that are not given are not gone")(
        "keep-going", "load the good pages, record the bad ones as findings")(
        "replace", "let a snapshot that is there with other content give way")(
        "jobs", po::value<unsigned>()->value_name("N"),
        "threads that read pages; default: one a core");
    return options;
}

IngestOptions read_options(const ParsedOptions& parsed) {
    IngestOptions options;
    options.paths = parsed.words;
    if (options.paths.empty()) {
        throw UsageError("ingest: expected a file, a folder or -; see cacheledger ingest --help");
    }
    if (const auto text = parsed.text("taken-at")) {
        options.taken_at = parse_moment(*text);
        if (!options.taken_at) {
            throw UsageError(fmt::format(
                "--taken-at '{}': expected a time like 2025-03-30 or 2025-03-30T06:00:00Z", *text));
        }
    }
    options.tag = parsed.text("tag");
    options.partial = parsed.has("partial");
    options.keep_going = parsed.has("keep-going");
    options.replace = parsed.has("replace");
    options.jobs = parsed.has("jobs") ? parsed.values["jobs"].as<unsigned>()
                                      : std::max(1U, std::thread::hardware_concurrency());
    if (options.jobs < 1 || options.jobs > most_jobs) {
        throw UsageError(fmt::format("--jobs: expected a number from 1 to {}", most_jobs));
    }
    return options;
}

std::string counted(std::size_t number, const char* one) {
    return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

void print(const IngestResult& result, double seconds) {
    for (const std::string& problem : result.bad_pages) {
        std::cerr << "cacheledger: not loaded: " << visible(problem) << "\n";
    }
    for (const std::string& folder : result.linked_folders) {
        std::cerr << visible(folder) << " is a symbolic link to a folder: not searched\n";
    }
    for (const std::string& name : result.unchanged) {
        std::cerr << name << " is in the ledger with the same content: nothing to do\n";
    }
    for (const std::string& name : result.replaced) {
        std::cerr << name << " was replaced\n";
    }
    std::cout << fmt::format("{}, {} ({} new), {} loaded ({} unchanged), {:.2f} seconds{}{}\n",
                             counted(result.pages, "page"), counted(result.specs, "spec"),
                             result.new_specs, counted(result.loaded.size(), "snapshot"),
                             result.unchanged.size(), seconds, result.loaded.empty() ? "" : ": ",
                             fmt::join(result.loaded, ", "));
    std::cout.flush();
}

// A database that is made for a run which then fails goes again: an empty one would hide the
// failure from the next command.
IngestResult ingest_into(const std::filesystem::path& file, const IngestOptions& options) {
    std::error_code ignored;
    const bool is_new = !std::filesystem::exists(file, ignored);
    try {
        SQLite::Database database = open_for_writing(file);
        ProgressLine progress;
        return ingest(database, options,
                      [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    } catch (...) {
        if (is_new) {
            std::filesystem::remove(file, ignored);
        }
        throw;
    }
}

}  // namespace

ExitStatus run_ingest(const Invocation& invocation) {
    const ParsedOptions parsed =
        parse_options(invocation.arguments, describe_options(), any_number, usage);
    if (parsed.help) {
        return exit_done;
    }
    const IngestOptions options = read_options(parsed);
    const auto start = std::chrono::steady_clock::now();
    const IngestResult result = ingest_into(invocation.database, options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    print(result, elapsed.count());
    return exit_done;
}

}  // namespace cacheledger
