#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "reports/questions/dependents/dependents.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/filters/spec_arguments.hpp"
#include "src/options/usage/choice.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* dependents_usage =
    "cacheledger dependents SPEC [options]\n"
    "\n"
    "  cacheledger dependents zlib\n"
    "  cacheledger dependents zlib --deptype link,run\n"
    "  cacheledger dependents zlib --format json\n"
    "\n"
    "Lists the builds of a snapshot that need the builds that match SPEC, directly and in all, by "
    "stack\n"
    "and by package: they break if it is removed. SPEC is a hash, the beginning of one after a "
    "'/', or\n"
    "any Spack spec, such as 'hdf5@1.14: +mpi %gcc@13'.";

po::options_description dependents_options() {
    po::options_description options("options");
    options.add_options()("at", po::value<std::string>()->value_name("SNAPSHOT"),
                          "the snapshot, or a file that 'ingest' reads; default latest")(
        "deptype", choice("TYPES", texts_of(deptype_names), true),
        "only dependencies of these types (build, link, run, test); default build,link,run");
    add_row_options(options);
    add_output_options(options);
    return options;
}

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

}  // namespace

CommandHelp dependents_help() {
    return {dependents_usage, dependents_options(), any_number};
}

ExitStatus run_dependents(const Invocation& invocation) {
    const ParsedOptions parsed =
        parse_spec_arguments("dependents", invocation.arguments, dependents_help());
    if (parsed.help) {
        return exit_done;
    }
    if (parsed.words.empty()) {
        throw UsageError("dependents: expected a spec; see cacheledger dependents --help");
    }
    const std::string deptypes = parsed.text("deptype").value_or("build,link,run");
    check_deptypes(deptypes);
    const Output output(parsed, invocation.database, {}, read_row_options(parsed));
    AskedLedger ledger(invocation.database, invocation.ledger, typed_at(parsed));
    SQLite::Database& database = ledger.database();
    auto notes = ledger.notes();
    const std::string at = choose_snapshot(database, ledger.name(parsed.text("at")), notes).name;
    const DependentSpecs found =
        find_dependents(database, Catalog(), at, parsed.joined_words(), deptypes);
    output.write(document_of(found));
    print_notes(notes);
    return exit_done;
}

}  // namespace cacheledger
