#pragma once

#include <cstddef>
#include <string>

#include "tests/support/program/program.hpp"

/// What every test of bad input asks: a line that says what and where, and nothing loaded.
namespace program {

std::string many(std::size_t count, const std::string& text);

/// An entry with another value for a key, as JSON text.
Entry with(const std::string& key, const std::string& value);

/// Checks that the problem is said in one line of its own, which opens with the file. `number`: of
/// the line in it, 0 where none is named.
void check_line(const std::string& line, const std::string& path, int number,
                const std::string& reason);

/// A bench with a snapshot, and what must stay as it is when something bad comes.
struct LoadedBench : Workbench {
    std::string before;

    LoadedBench();

    /// Bad input: exit code 3, these lines and nothing else, nothing loaded.
    Words check_refused(const Words& paths) const;
    void check_refused(const Words& paths, const std::string& path,
                       const std::string& reason) const;
};

}  // namespace program
