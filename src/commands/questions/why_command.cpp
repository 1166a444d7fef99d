#include <algorithm>
#include <iterator>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "reports/questions/why/why.hpp"
#include "schema/errors/error.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* why_usage =
    "cacheledger why [A] [B] [options]\n"
    "       cacheledger why HASH HASH [options]\n"
    "\n"
    "  cacheledger why\n"
    "  cacheledger why develop~1 develop --package 'py-*'\n"
    "  cacheledger why --format json\n"
    "\n"
    "Explains rebuilt builds: those that look the same in snapshots A and B, and have a new hash. "
    "Shows\n"
    "which dependency changed, and how many builds each such reason explains. Pages do not list\n"
    "dependencies, so this needs indexes, lock files or install databases. A and B can be such "
    "files,\n"
    "too: 'why old.lock spack.lock'. With two hashes, or their beginnings after a '/', explains "
    "how the\n"
    "second build differs from the first, and lists what differs, the nearest first. "
    "'why A' compares A with the snapshot before it.\n\n"
    "Where a package repository was ingested (ingest spack-packages.git), names the commits that "
    "touched\n"
    "the recipe of a reason between the two moments. They are what happened in that time, not "
    "proof.\n\n"
    "If the ledger has build times (ingest --build-times), says how long the builds took.";

LookFilter read_builds(const ParsedOptions& parsed) {
    const auto package = parsed.text("package");
    return LookFilter(read_filter_words(
        parsed, package ? std::vector<std::string>{*package} : std::vector<std::string>()));
}

}  // namespace

CommandHelp why_help() {
    CommandHelp help{why_usage, {}, 2};
    po::options_description& options = help.options;
    options.add_options()(
        "package", once("PACKAGE", NameKind::package),
        "explain only builds of packages that match, such as 'py-*', or a spec: 'hdf5@1.14 +mpi'")(
        "stack", once("GLOB", NameKind::stack),
        "explain only builds that were added within the stacks that match");
    add_look_filter_options(options);
    add_row_options(options);
    add_output_options(options);
    help.former.add_options()("commits",
                              "--commits has no effect: why names commits where it knows them, and "
                              "report drift/commits lists them");
    return help;
}

ExitStatus run_why(const Invocation& invocation, const ParsedOptions& parsed) {
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
    const Output output(parsed, invocation.database, {}, read_row_options(parsed));
    AskedLedger ledger(invocation.database, invocation.ledger,
                       {hashes == 2 ? std::vector<std::string>() : words});
    SQLite::Database& database = ledger.database();
    if (hashes == 2) {
        output.write(document_of(
            explain_specs(database, find_hash(database, words[0]), find_hash(database, words[1]))));
        return exit_done;
    }
    const auto stack = parsed.text("stack");
    auto notes = ledger.notes();
    std::ranges::move(check_filters(database, builds, stack), std::back_inserter(notes));
    const SnapshotPair pair = choose_pair(database, ledger.names(words), notes);
    std::ranges::move(notes_on_absent_packages(ask_names_of(ledger.database()),
                                               {pair.from.name, pair.to.name}, builds.packages()),
                      std::back_inserter(notes));
    const AskedLooks looks(database, builds);
    std::ranges::move(looks.notes(), std::back_inserter(notes));
    const Why why = explain_snapshots(
        database, Catalog(), pair.from.name, pair.to.name,
        {{"package", builds.package_pattern()}, {"stack", stack ? Value(*stack) : Value()}});
    output.write(document_of(why));
    print_notes(notes);
    return exit_done;
}

}  // namespace cacheledger
