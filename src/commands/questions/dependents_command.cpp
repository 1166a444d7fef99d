#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* dependents_usage =
    "cacheledger dependents SPEC [options]\n"
    "       cacheledger dependents PACKAGE --rebuilds [options]\n"
    "       cacheledger dependents --commits A..B [options]\n"
    "\n"
    "  cacheledger dependents zlib\n"
    "  cacheledger dependents zlib --deptype link,run\n"
    "  cacheledger dependents zlib --format json\n"
    "  cacheledger dependents zlib --rebuilds\n"
    "  git diff main... | cacheledger dependents - --rebuilds --format github\n"
    "\n"
    "Lists the builds of a snapshot that need the builds that match SPEC, directly and in all, by "
    "stack\n"
    "and by package: they break if it is removed. SPEC is a hash, the beginning of one after a "
    "'/', or\n"
    "any Spack spec, such as 'hdf5@1.14: +mpi %gcc@13'.\n\n"
    "--rebuilds tells what a change of the recipe or version of PACKAGE would cost: the builds "
    "whose "
    "hashes\n"
    "change, in waves, and by stack; and how often such a change came, and what it cost. - reads a "
    "diff of\n"
    "a package repository from standard input, and --commits takes commits that 'ingest' loaded. "
    "Where\n"
    "only versions were added, builds may change: a new concretization decides. Files outside\n"
    "the packages are named, and not judged.";

constexpr std::array rebuilds_formats = {Format::github};

// Throws UsageError for a type that does not exist.
void check_deptypes(std::string_view types) {
    for (std::string_view rest = types;;) {
        const auto comma = rest.find(',');
        const auto type = rest.substr(0, comma);
        if (std::ranges::find(deptype_names, type) == deptype_names.end()) {
            throw UsageError(fmt::format(
                "--deptype '{}': {}", types,
                text_of_unknown("type", type, {deptype_names.begin(), deptype_names.end()},
                                "expected some of build, link, run, test, such as link,run")));
        }
        if (comma == std::string_view::npos) {
            return;
        }
        rest.remove_prefix(comma + 1);
    }
}

RecipeChange change_of(DiffedRecipe change) {
    return change == DiffedRecipe::version      ? RecipeChange::version
           : change == DiffedRecipe::other_file ? RecipeChange::other_file
                                                : RecipeChange::recipe;
}

/// Which recipes change, what says that, and what else the diff touches.
struct AskedChange {
    std::vector<ChangedRecipe> recipes;
    std::string rests_on;
    std::set<std::string> others{};
};

AskedChange read_change(SQLite::Database& database, const ParsedOptions& parsed) {
    constexpr std::size_t most_diff_bytes = 256U << 20U;
    constexpr std::string_view covered = "the dependencies that the hashes of its builds cover";
    if (const auto range = parsed.text("commits")) {
        return {recipes_of_commits(database, *range),
                fmt::format("Rests on the recipes that the commits of {} touched, as the ledger "
                            "has them, and on {}.",
                            *range, covered)};
    }
    if (parsed.joined_words() == "-") {
        RecipesOfDiff diff =
            recipes_of_diff(FoundFile::standard_input().text(most_diff_bytes), "standard input");
        AskedChange asked{
            {},
            fmt::format("Rests on the files that the diff touches, and on {}.", covered),
            std::move(diff.others)};
        for (const auto& [package, change] : diff.packages) {
            asked.recipes.push_back({package, change_of(change)});
        }
        return asked;
    }
    const SpecQuery query = read_asked_spec(parsed.joined_words());
    if (!query.package || query.text() != *query.package) {
        throw UsageError(fmt::format(
            "dependents: --rebuilds takes the name of a package, or - for a diff; found '{}'",
            parsed.joined_words()));
    }
    refuse_unknown_name(database, NameKind::package, *query.package);
    return {{{*query.package}}, fmt::format("Rests on {}.", covered)};
}

ExitStatus run_rebuilds(const Invocation& invocation, const ParsedOptions& parsed) {
    if (parsed.has("deptype")) {
        throw UsageError("dependents: --rebuilds takes no --deptype: hashes decide");
    }
    if (parsed.has("commits") && !parsed.words.empty()) {
        throw UsageError(fmt::format("dependents: --commits takes no '{}'", parsed.words.front()));
    }
    const Output output(parsed, invocation.database, rebuilds_formats, read_row_options(parsed));
    AskedLedger ledger(invocation.database, invocation.ledger, typed_at(parsed));
    SQLite::Database& database = ledger.database();
    auto notes = ledger.notes();
    const Snapshot snapshot = choose_snapshot(database, ledger.name(parsed.text("at")), notes);
    const AskedChange asked = read_change(database, parsed);
    Rebuilds found = find_rebuilds(database, snapshot, asked.recipes, asked.rests_on);
    for (const std::string& file : asked.others) {
        found.not_judged.rows.push_back({file});
    }
    output.write(document_of(found));
    print_notes(notes);
    return exit_done;
}

}  // namespace

CommandHelp dependents_help() {
    CommandHelp help{dependents_usage, {}, any_number};
    po::options_description& options = help.options;
    options.add_options()("at", once("SNAPSHOT", Offer::snapshots),
                          "the snapshot, or a file that 'ingest' reads; default latest")(
        "deptype", once("TYPES", Choices{texts_of(deptype_names), true}),
        "only dependencies of these types (build, link, run, test); default build,link,run");
    options.add_options()("rebuilds",
                          "which builds have a new hash if the recipe of PACKAGE changes")(
        "commits", once("A..B"),
        "the same for the recipes that the commits after A up to B touched");
    add_row_options(options);
    add_output_options(options, rebuilds_formats);
    return help;
}

ExitStatus run_dependents(const Invocation& invocation, const ParsedOptions& parsed) {
    if (parsed.has("commits") || (parsed.has("rebuilds") && !parsed.words.empty())) {
        return run_rebuilds(invocation, parsed);
    }
    if (parsed.words.empty()) {
        throw UsageError("dependents: expected a spec; see cacheledger dependents --help");
    }
    const std::string types = parsed.text("deptype").value_or("build,link,run");
    check_deptypes(types);
    const Output output(parsed, invocation.database, {}, read_row_options(parsed));
    AskedLedger ledger(invocation.database, invocation.ledger, typed_at(parsed));
    SQLite::Database& database = ledger.database();
    auto notes = ledger.notes();
    const std::string at = choose_snapshot(database, ledger.name(parsed.text("at")), notes).name;
    const DependentSpecs found =
        find_dependents(database, Catalog(), at, parsed.joined_words(), types);
    output.write(document_of(found));
    print_notes(notes);
    return exit_done;
}

}  // namespace cacheledger
