#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/server/connection.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/options/versions/versions.hpp"
#include "src/shell/help/help.hpp"
#include "src/terminal/output/pager.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

std::string default_database() {
    const char* const variable = std::getenv("CACHELEDGER_DB");
    return variable != nullptr && *variable != '\0' ? variable : "cacheledger.db";
}

// Removes the option and its value from the arguments, at any position before "--". Returns the
// value; of several, the last. `expected`: what the value is, for the message.
std::optional<std::string> take_option(std::vector<std::string>& arguments,
                                       const std::string& option, std::string_view expected) {
    std::optional<std::string> value;
    for (auto argument = arguments.begin(); argument != arguments.end() && *argument != "--";) {
        if (*argument == option) {
            if (argument + 1 == arguments.end()) {
                throw UsageError(
                    fmt::format("{}: expected {}; see cacheledger --help", option, expected));
            }
            value = *(argument + 1);
            argument = arguments.erase(argument, argument + 2);
        } else if (argument->starts_with(option + "=")) {
            value = argument->substr(option.size() + 1);
            argument = arguments.erase(argument);
        } else {
            ++argument;
        }
    }
    return value;
}

// Takes --db, and --ledger if that is the URL of a server. (Of `publish`, --ledger is an option of
// its own, beside a file.)
void take_database(std::vector<std::string>& arguments, Invocation& invocation) {
    const auto database = take_option(arguments, "--db", "a file");
    invocation.database = database.value_or(default_database());
    if (invocation.database.empty()) {
        throw UsageError("--db: expected the name of a file; see cacheledger --help");
    }
    const bool is_url = is_postgresql_url(invocation.database.string());
    const auto ledger =
        is_url ? take_option(arguments, "--ledger", "the name of a ledger") : std::nullopt;
    invocation.ledger = ledger.value_or("");
    std::vector<std::string> words;
    if (database) {
        words = {"--db", is_url ? without_password(*database) : *database};
    }
    if (ledger) {
        words.insert(words.end(), {"--ledger", *ledger});
    }
    hint_at_database(std::move(words));
}

// Removes --no-pager from the arguments before the command and acts on it.
void take_no_pager(std::vector<std::string>& arguments) {
    while (!arguments.empty() && arguments.front() == "--no-pager") {
        arguments.erase(arguments.begin());
        forbid_pager();
    }
}

[[noreturn]] void refuse_unknown_option(const std::string& option) {
    const std::size_t name = option.find_first_not_of('-');
    const std::string_view here = here_instead_of_option(
        name == std::string::npos ? "" : std::string_view(option).substr(name));
    if (!here.empty()) {
        throw UsageError(fmt::format("no option '{}'; {}; see cacheledger --help", option, here));
    }
    std::vector<std::string> names;
    const auto options = program_options();
    for (const auto& one : options.options()) {
        names.push_back("--" + one->long_name());
    }
    const auto near = nearest_names(option, names);
    throw UsageError(
        near.empty()
            ? fmt::format("expected a command before {}; see cacheledger --help", option)
            : fmt::format("no option '{}'; did you mean {}?", option, fmt::join(near, ", ")));
}

[[noreturn]] void refuse_unknown_command(const std::string& name) {
    if (name.starts_with('-')) {
        refuse_unknown_option(name);
    }
    if (program_options().find_nothrow(name, false) != nullptr) {
        throw UsageError(fmt::format("no command '{0}'; did you mean the option --{0}?", name));
    }
    if (const std::string other = here_instead_of(name); !other.empty()) {
        throw UsageError(fmt::format("no command '{}'; {}", name, other));
    }
    std::vector<std::string> names;
    std::ranges::transform(commands, std::back_inserter(names), &Command::name);
    const Catalog catalog;
    const bool is_report = catalog.find_or_null(name) != nullptr;
    const auto near = nearest_names(name, catalog.offered_names());
    if (is_report || (!near.empty() && nearest_names(name, names).empty())) {
        throw UsageError(fmt::format("no command '{}'; did you mean the report: {}", name,
                                     command_hint({"report", is_report ? name : near.front()})));
    }
    refuse_unknown("command", name, names, "see cacheledger --help");
}

// Refuses a command that can't work on a published ledger.
void refuse_published(const Command& command, const Invocation& invocation) {
    const auto& arguments = invocation.arguments;
    if (!is_postgresql_url(invocation.database.string()) || !command.needs_file ||
        std::ranges::count(arguments, "--help") > 0) {
        return;
    }
    throw UsageError(fmt::format(
        "{} works on the file of a ledger, not on what was published of it; 'cacheledger pull' "
        "makes a file of that",
        command.name));
}

/// What the error of SQLite says of the ledger that was asked.
std::string describe_asked(const SQLite::Exception& error, const std::string& database) {
    if (is_postgresql_url(database)) {
        return fmt::format("{}: its copy can't be read ({}); delete the folder {} and ask again",
                           without_password(database), error.what(), folder_of_copies().string());
    }
    return describe(error, database);
}

ExitStatus parse_and_run(const Command& command, const Invocation& invocation) {
    const auto& arguments = invocation.arguments;
    const ParsedOptions parsed = command.parsing == Parsing::plain
                                     ? parse_options(arguments, command.help())
                                 : command.parsing == Parsing::spec
                                     ? parse_spec_arguments(command.name, arguments, command.help())
                                     : ParsedOptions();
    return parsed.help ? exit_done : command.run(invocation, parsed);
}

ExitStatus run_command(const Command& command, const Invocation& invocation) {
    refuse_published(command, invocation);
    try {
        return interruptible([&] { return parse_and_run(command, invocation); });
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe_asked(error, invocation.database.string()));
    }
}

ExitStatus run(std::vector<std::string> arguments) {
    Invocation invocation;
    take_database(arguments, invocation);
    take_no_pager(arguments);
    if (arguments.empty()) {
        std::cerr << front_page(help_width()) << "\n";
        throw UsageError("expected a command");
    }
    const std::string name = arguments.front();
    if (name == "--help" || name == "-h") {
        print_help(front_page(help_width()));
        return exit_done;
    }
    if (name == "--version") {
        std::cout << all_versions();
        return exit_done;
    }
    invocation.arguments.assign(arguments.begin() + 1, arguments.end());
    if (name == completion_command) {
        return run_complete(invocation);
    }
    const Command* const known = find_command(name);
    if (known == nullptr) {
        refuse_unknown_command(name);
    }
    return run_command(*known, invocation);
}

// Prints the problem as one line, even if the input put control characters into it.
ExitStatus fail(ExitStatus status, const std::string& problem) {
    std::cerr << "cacheledger: " << visible(problem) << "\n";
    return status;
}

/// Runs the program. This is the one place where errors become lines on standard error.
ExitStatus run_and_explain(const std::vector<std::string>& arguments) {
    try {
        return run(arguments);
    } catch (const Interrupted& error) {
        return fail(exit_usage, error.what());
    } catch (const UsageError& error) {
        return fail(exit_usage, error.what());
    } catch (const InputError& error) {
        for (const std::string& problem : error.problems()) {
            fail(exit_input, problem);
        }
        return exit_input;
    } catch (const DatabaseError& error) {
        return fail(exit_database, error.what());
    } catch (const std::bad_alloc&) {
        return fail(exit_input, "not enough memory");
    } catch (const std::exception& error) {
        return fail(exit_database, fmt::format("unexpected: {}", error.what()));
    }
}

}  // namespace

}  // namespace cacheledger

int main(int argc, char** argv) {
    cacheledger::catch_signals();
    const auto status = cacheledger::run_and_explain({argv + 1, argv + argc});
    cacheledger::end_if_interrupted();
    return status;
}
