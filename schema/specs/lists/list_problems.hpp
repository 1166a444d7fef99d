#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/constraints/spec_scanner.hpp"

namespace cacheledger {

/// What is wrong with the lines of a list, in one line each that quotes the line of the list.
class ListProblems {
  public:
    explicit ListProblems(std::string name) : name_(std::move(name)) {}

    /// Says which line is read. It must stay until the next.
    void next_line(std::string_view line) {
        ++line_;
        text_ = line;
    }
    std::size_t line() const { return line_; }

    /// At a byte of the line.
    void add(std::size_t at, const std::string& problem);

    /// In the spec that begins there.
    void add(std::size_t at, const SpecError& error);

    /// With the whole text.
    void add_at_end(const std::string& problem);

    /// Throws InputError if there are any, with the first of them and how many more there are.
    void throw_if_any() const;

  private:
    std::string name_;
    std::string_view text_;
    std::size_t line_ = 0;
    std::vector<std::string> problems_;
    std::size_t more_ = 0;
};

}  // namespace cacheledger
