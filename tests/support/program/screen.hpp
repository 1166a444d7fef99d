#pragma once

#include "tests/support/program/program.hpp"

namespace program {

/// Runs the program in the folder of the bench on a terminal of its own, which is `width` columns
/// wide. `out` is what the terminal got, with plain line ends. Without `environment` there is no
/// pager and no colour.
Run run_on_screen(const Workbench& bench, const Words& arguments, int width,
                  const std::map<std::string, std::string>& environment = {
                      {"CACHELEDGER_PAGER", ""}, {"NO_COLOR", "1"}});

/// Types the lines into an interactive shell on a terminal of its own, in the folder of the bench,
/// one after the other: each when the shell has printed `mark` for the one before. Returns all that
/// the terminal got.
std::string type_into_shell(const Workbench& bench, const Words& shell, const Words& lines,
                            const std::string& mark,
                            const std::map<std::string, std::string>& environment = {});

}  // namespace program
