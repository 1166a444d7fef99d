#pragma once

#include <map>
#include <string>

#include "tests/support/program/program.hpp"

/// Sites that tests make with pages of a few bytes, so that npm is not needed.
namespace site_fixture {

/// Writes the files of the bundle to the folder `bundle`, unless they are there.
void write_bundle(const program::Workbench& bench);

/// What tells the program where they are.
std::map<std::string, std::string> environment(const program::Workbench& bench);

/// Runs the command site, with what else it takes.
program::Run make(const program::Workbench& bench, const program::Words& words);

/// Reads the site with a reader that is not the program's (tests/program/site/read_site.py), and
/// checks that nothing is wrong. `is_whole`: the site has all snapshots of the ledger.
void check(const program::Workbench& bench, const std::string& folder, bool is_whole = true);

/// The name of the file of data of this key: "data/about.0123456789abcdef.js".
std::string data_file(const program::Workbench& bench, const std::string& folder,
                      const std::string& key);

/// The bytes of each file below the folder, by its path there; nothing if there is no folder.
std::map<std::string, std::string> files(const program::Workbench& bench,
                                         const std::string& folder);

}  // namespace site_fixture
