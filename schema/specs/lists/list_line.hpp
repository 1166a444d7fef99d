#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// One spec of a line, and what Spack prints around it. Empty: it is not there.
struct ListItem {
    std::string_view mark;  ///< "[+]", "-": whether the spec is installed
    std::string_view hash;  ///< the column before the spec: 7 or 32 characters
    std::string_view path;  ///< where it is installed
    std::string spec;
    std::size_t at = 0;             ///< where `spec` begins in the line, in bytes
    std::size_t indent = 0;         ///< blanks before it, behind its mark and hash
    bool is_dependency = false;     ///< '^' stands before it
    bool is_of_tree = false;        ///< as far behind its mark as in the trees of Spack
    std::size_t stray_dash = npos;  ///< where a '-' stands alone in `spec`, which is no option

    static constexpr std::size_t npos = std::string_view::npos;
};

/// What the lines around say of a line.
struct LineContext {
    bool all_have_hashes = false;  ///< each line of the list begins with what may be a hash
    bool is_below_system = false;  ///< below a header of `spack find`: specs show their versions
    bool are_roots = false;        ///< the specs are those that a user typed: none shows a hash
};

bool is_blank(char c);

/// How many blanks these are. A tab stands for several, as between columns.
std::size_t width_of(std::string_view blanks);

/// The length of a mark at the beginning, such as "[+]", "[ ]" or "-"; 0 if there is none. "- "
/// begins the items of a YAML list, too.
std::size_t mark_length(std::string_view text);

/// Whether somebody typed the line in a shell: "user@host:~$ spack find -l", or only a prompt. The
/// line begins and ends with no blank.
bool is_command(std::string_view line);

/// Takes apart one line of a list: [mark] [hash] [dependency types] [^]spec [path], and again
/// behind two blanks or more, or a tab. What an installer says of its progress behind that is left
/// out. The line must have no escape sequences and no comment.
std::vector<ListItem> cut_line(std::string_view line, const LineContext& context);

/// Whether the line begins with a column that may be one of hashes. `is_sure` becomes true where it
/// can hardly be the name of a package.
bool may_begin_with_hash(std::string_view line, bool& is_sure);

}  // namespace cacheledger
