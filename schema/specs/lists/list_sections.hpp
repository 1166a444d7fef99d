#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/lists/list_line.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What a header of `spack find` says of the specs below it.
struct ListHeader {
    SpecQuery system;                        ///< its platform, os and target
    std::vector<DependencyQuery> compilers;  ///< exact where the system is known
    bool are_roots = false;                  ///< of an environment, as a user typed them

    bool has_system() const { return system.platform || system.os || system.target; }
    bool has_whole_system() const { return system.platform && system.os && system.target; }
};

/// What headers, headings and messages say of the lines below them.
class ListSections {
  public:
    /// Takes a line that has no spec. False for any other. Throws SpecError for a header that can't
    /// be read, and for an error that Spack printed.
    bool take(std::string_view line);

    /// Counts the specs of a line, when it has been read: as many roots as were announced are
    /// followed by what is installed.
    void pass_roots(std::size_t number);

    /// Below "Input spec": specs as they were typed, which come again as they were concretized.
    bool are_left_out() const { return are_left_out_; }
    bool are_roots() const { return are_roots_; }
    bool has_system() const { return header_ && header_->has_system(); }

    /// Whether it is a dependency of a line above: behind '^', or deeper below a header. Ask for
    /// each spec once, in their order.
    bool is_dependency(const ListItem& item, bool has_neighbours);

    /// Whether a spec that is no dependency exists, and was not typed by a user.
    bool are_concrete(const ListItem& item, bool has_neighbours) const;

    /// Adds what the header says. What a spec says itself counts more.
    void apply_header(SpecQuery& query) const;

  private:
    void take_message(std::string_view line);

    std::optional<ListHeader> header_;
    std::optional<std::size_t> root_indent_;  // below the header
    std::optional<std::size_t> roots_left_;   // nullopt: until the next message
    bool is_in_message_ = false;              // of several lines
    bool are_left_out_ = false;
    bool are_roots_ = false;
    bool are_included_ = false;  // roots of another environment
    bool are_concretized_ = false;
};

/// The length of the line up to a '#' that begins a word outside of quotes.
std::size_t length_without_comment(std::string_view line);

/// Whether each line with a spec begins with what may be a hash, and one surely does.
bool all_begin_with_hash(const std::vector<std::string>& lines);

/// The line without the escape sequences that colour it on a terminal, or set links and titles. One
/// that the line does not end stays.
std::string without_escapes(std::string_view line);

}  // namespace cacheledger
