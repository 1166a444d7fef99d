#include "src/command_line.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "reports/table/text_width.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/nearest.hpp"
#include "schema/sqlite/describe.hpp"
#include "src/commands/command.hpp"
#include "src/output/pager.hpp"
#include "src/stopping/interruption.hpp"

namespace cacheledger {

namespace {

void print_help(std::ostream& out) {
    out << "usage: cacheledger [--db FILE] [--no-pager] COMMAND ...\n\n"
           "A ledger of a Spack binary build cache: what is built, and what changed.\n\n"
           "commands:\n";
    for (const Command& command : commands()) {
        out << fmt::format("  {:<20}{}\n", fmt::format("{} {}", command.name, command.synopsis),
                           command.summary);
    }
    out << "\noptions:\n"
           "  --db FILE           the database; default $CACHELEDGER_DB, else cacheledger.db\n"
           "  --no-pager          on a terminal: no $CACHELEDGER_PAGER, $PAGER or less for the "
           "rows\n"
           "  --help              this help; 'cacheledger COMMAND --help' for one command\n"
           "  --version           the program's version\n\n"
           "snapshots are named develop@2025-03-30T06:00:00Z (may be cut: develop@2025-03-30),\n"
           "'develop@{1 week ago}' (the one in force then), develop (the newest of a tag), "
           "develop~1\n"
           "(the one before), develop-2025-03-30, 'develop-*' (the newest dated tag), latest\n\n"
           "exit codes: 0 done; 1 the answer is no (diff --exit-code, coverage --fail-under, "
           "specs,\n"
           "history, check);\n"
           "2 wrong usage; 3 bad input, nothing loaded; 4 the database can't be used\n";
}

std::string default_database() {
    const char* const variable = std::getenv("CACHELEDGER_DB");
    return variable != nullptr && *variable != '\0' ? variable : "cacheledger.db";
}

// Removes --db and its value from the arguments, at any position before "--". Returns the value, or
// the default.
std::string take_database(std::vector<std::string>& arguments) {
    std::string database = default_database();
    for (auto argument = arguments.begin(); argument != arguments.end() && *argument != "--";) {
        if (*argument == "--db") {
            if (argument + 1 == arguments.end()) {
                throw UsageError("--db: expected a file; see --help");
            }
            database = *(argument + 1);
            argument = arguments.erase(argument, argument + 2);
        } else if (argument->starts_with("--db=")) {
            database = argument->substr(std::string_view("--db=").size());
            argument = arguments.erase(argument);
        } else {
            ++argument;
        }
    }
    return database;
}

// Removes --no-pager from the arguments before the command and acts on it.
void take_no_pager(std::vector<std::string>& arguments) {
    while (!arguments.empty() && arguments.front() == "--no-pager") {
        arguments.erase(arguments.begin());
        forbid_pager();
    }
}

ExitStatus run(std::vector<std::string> arguments) {
    Invocation invocation;
    invocation.database = take_database(arguments);
    if (invocation.database.empty()) {
        throw UsageError("--db: expected the name of a file; see --help");
    }
    take_no_pager(arguments);
    if (arguments.empty()) {
        throw UsageError("expected a command; see cacheledger --help");
    }
    const std::string name = arguments.front();
    if (name == "--help" || name == "-h" || name == "help") {
        print_help(std::cout);
        return exit_done;
    }
    if (name == "--version") {
        std::cout << "cacheledger " << CACHELEDGER_VERSION << "\n";
        return exit_done;
    }
    const auto known = std::find_if(commands().begin(), commands().end(),
                                    [&](const Command& command) { return command.name == name; });
    if (known == commands().end()) {
        std::vector<std::string> names;
        for (const Command& command : commands()) {
            names.emplace_back(command.name);
        }
        refuse_unknown("command", name, names, "see cacheledger --help");
    }
    invocation.arguments.assign(arguments.begin() + 1, arguments.end());
    try {
        return interruptible([&] { return known->run(invocation); });
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, invocation.database));
    }
}

// Prints the problem as one line, even if the input put control characters into it.
ExitStatus fail(ExitStatus status, const std::string& problem) {
    std::cerr << "cacheledger: " << visible(problem) << "\n";
    return status;
}

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

ExitStatus run_command_line(const std::vector<std::string>& arguments) {
    catch_signals();
    const ExitStatus status = run_and_explain(arguments);
    end_if_interrupted();
    return status;
}

}  // namespace cacheledger
