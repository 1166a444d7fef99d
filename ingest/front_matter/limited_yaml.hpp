#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cacheledger {

/// The YAML of a front matter beside its JSON and its lists of specs: a few lines. yaml-cpp
/// recurses on nesting and reads 9 MB/s, so that it must not see much of either. These limits leave
/// room for what a person may write; a page has one bracket (categories).
///
///  - most_yaml bytes in all;
///  - most_brackets '[' or '{' in all, wherever they stand, so that flow style nests no deeper;
///  - most_indicators of "-?:" and blanks at the beginning of a line, so that block style nests no
///    deeper;
///  - no carriage return within a line, where yaml-cpp would see the beginning of another;
///  - one document: what stands behind its end would not be read.
///
/// Anchors and aliases need no limit: yaml-cpp refers to what it has, and nothing is expanded.
class LimitedYaml {
  public:
    static constexpr std::size_t most_yaml = 1 << 20;
    static constexpr std::size_t most_brackets = 32;
    static constexpr std::size_t most_indicators = 16;
    /// Nothing that is nested deeper gets through: a bracket can open a list and a pair in it, and
    /// a column a mapping and a list.
    static constexpr std::size_t most_nesting = 2 * most_brackets + 2 * (most_indicators + 1);

    /// Takes a line, without its end. Lines taken out of the YAML are to be given as blank ones, so
    /// that line numbers hold. Throws Problem.
    void add(std::string_view line, int number);

    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::size_t brackets_ = 0;
};

}  // namespace cacheledger
