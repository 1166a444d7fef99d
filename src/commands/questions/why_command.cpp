#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/engine/catalog/absent_package.hpp"
#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "reports/questions/why/why.hpp"
#include "schema/errors/error.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* why_usage =
    "cacheledger why [A] [B] [options]\n"
    "       cacheledger why HASH HASH [options]\n\n"
    "Why specs were rebuilt from snapshot A to snapshot B although they look as before: which\n"
    "package at the bottom changed, and how many specs each such reason explains. Needs the\n"
    "dependencies that indexes, lock files and install databases give. A and B can be such files, "
    "too:\n"
    "'why old.lock spack.lock'. With two hashes (or their beginnings after a '/'), why the second "
    "spec\n"
    "is not the first. 'why A' is from A~1 to A, 'why' the newest change of the newest series "
    "with two\n"
    "snapshots.";

po::options_description why_options() {
    po::options_description options("options");
    options.add_options()(
        "package", po::value<std::string>()->value_name("PACKAGE"),
        "explain only specs of packages that match, such as 'py-*', or a spec: 'hdf5@1.14 +mpi'")(
        "stack", po::value<std::string>()->value_name("GLOB"),
        "explain only specs that were added within the stacks that match");
    add_look_filter_options(options);
    options.add_options()("all", "show every reason, however many");
    add_output_options(options);
    return options;
}

LookFilter read_builds(const ParsedOptions& parsed) {
    const auto package = parsed.text("package");
    return LookFilter(read_filter_words(
        parsed, package ? std::vector<std::string>{*package} : std::vector<std::string>()));
}

}  // namespace

CommandHelp why_help() {
    return {why_usage, why_options(), 2};
}

ExitStatus run_why(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, why_help());
    if (parsed.help) {
        return exit_done;
    }
    const auto& words = parsed.words;
    const auto hashes = std::ranges::count_if(words, names_a_hash);
    if (hashes == 1) {
        throw UsageError(words.size() == 1
                             ? "why: expected two hashes, or snapshots; see cacheledger why --help"
                             : "why: expected two snapshots or two hashes, not one of each");
    }
    const LookFilter builds = read_builds(parsed);
    if (hashes == 2 && (parsed.has("stack") || !builds.builds().empty())) {
        throw UsageError("why: --package, --stack and the other filters are for snapshots only");
    }
    const Output output(parsed, invocation.database);
    AskedLedger ledger(invocation.database, invocation.ledger,
                       {hashes == 2 ? std::vector<std::string>() : words});
    SQLite::Database& database = ledger.database();
    if (hashes == 2) {
        ledger.need_graph();
        output.write(document_of(
            explain_specs(database, find_hash(database, words[0]), find_hash(database, words[1]))));
        return exit_done;
    }
    const auto stack = parsed.text("stack");
    auto notes = ledger.notes();
    std::ranges::move(check_filters(database, builds, stack), std::back_inserter(notes));
    const SnapshotPair pair = choose_pair(database, ledger.names(words), notes);
    ledger.need_pair(pair);
    std::ranges::move(notes_on_absent_packages(ledger.ask_names(), {pair.from.name, pair.to.name},
                                               builds.packages()),
                      std::back_inserter(notes));
    const AskedLooks looks(database, builds);
    std::ranges::move(looks.notes(), std::back_inserter(notes));
    output.write(document_of(explain_snapshots(
        database, Catalog(), pair.from.name, pair.to.name,
        {{"package", builds.package_pattern()}, {"stack", stack ? Value(*stack) : Value()}})));
    print_notes(notes);
    return exit_done;
}

}  // namespace cacheledger
