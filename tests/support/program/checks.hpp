#pragma once

#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

/// What tests of the program assert of a run. Where one fails, the message has all of the run.
namespace program {

/// The text has all of these parts.
inline void check_has(const std::string& text, const Words& parts) {
    INFO(text);
    for (const std::string& part : parts) {
        INFO(part);
        CHECK(contains(text, part));
    }
}

/// How a run should end.
struct Expected {
    int status = 0;
    Words out = {};  ///< parts of standard output
    std::optional<std::string> all_out = std::nullopt;
    Words err = {};  ///< parts of standard error
    std::optional<std::string> all_err = std::nullopt;
};

inline void check_run(const Run& run, const Expected& expected) {
    INFO(run);
    CHECK(run.status == expected.status);
    check_has(run.out, expected.out);
    check_has(run.err, expected.err);
    CHECK(expected.all_out.value_or(run.out) == run.out);
    CHECK(expected.all_err.value_or(run.err) == run.err);
}

/// Done, with nothing on standard error, and `part` on standard output.
inline void check_done(const Run& run, const std::string& part = "") {
    check_run(run, {.out = {part}, .all_err = ""});
}

/// The run, which must have ended with this exit code.
inline const Run& done(const Run& run, int status = 0) {
    INFO(run);
    REQUIRE(run.status == status);
    return run;
}

/// Refused: the exit code, nothing on standard output, one line on standard error that opens with
/// the program's name and holds `part`.
inline void check_refused(const Run& run, int status, const std::string& part) {
    INFO(run);
    CHECK(run.status == status);
    CHECK(run.out.empty());
    const Words errors = run.errors();
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].rfind("cacheledger: ", 0) == 0);
    CHECK(contains(errors[0], part));
}

/// What a user types, words without blanks, and a part of the line that refuses it as wrong usage.
inline void check_refused(const Workbench& bench,
                          const std::vector<std::pair<std::string, std::string>>& all) {
    for (const auto& [typed, part] : all) {
        std::istringstream words(typed);
        INFO(typed);
        check_refused(bench.run({std::istream_iterator<std::string>(words), {}}), 2, part);
    }
}

/// Wrong usage, of which standard error says just this.
inline void check_problem(const Run& run, const std::string& problem) {
    check_run(run, {.status = 2, .all_out = "", .all_err = "cacheledger: " + problem + "\n"});
}

}  // namespace program
