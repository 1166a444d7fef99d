#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/environments/wish_list.hpp"

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

    /// With the whole text; the first is said.
    void add_at_end(const std::string& problem) { of_whole_ = of_whole_.value_or(problem); }

    /// What can't be read beside so many specs, and is left out. Throws InputError with the first
    /// problems, and how many more there are, if something is wrong with the whole text, or if they
    /// are as many as the specs or more: it is no list then.
    std::vector<WishFinding> take(std::size_t specs);

  private:
    std::string name_;
    std::string_view text_;
    std::size_t line_ = 0;
    std::vector<WishFinding> problems_;
    std::optional<std::string> of_whole_;
    std::size_t more_ = 0;
};

}  // namespace cacheledger
