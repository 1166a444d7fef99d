#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// What the words of a line can be, by how they begin.
namespace cacheledger {

bool is_blank(char c);

/// What stands before the first blank.
std::string_view first_word(std::string_view text);

/// How many blanks these are. A tab stands for several, as between columns.
std::size_t width_of(std::string_view blanks);

/// "abc2345": the beginning of a hash, as long as Spack prints it. A package may have such a name.
bool is_short_hash(std::string_view word);

/// Whether a digit stands in the word, and not only as its last character as in "libxml2".
bool has_digit_within(std::string_view word);

/// "-------", which stands for the hash of a spec without one.
bool is_dashes(std::string_view word);

/// The length of a mark at the beginning, such as "[+]", "[ ]" or "-"; 0 if there is none. "- "
/// begins the items of a YAML list, too.
std::size_t mark_length(std::string_view text);

/// The length of "[bl  ]", the types of a dependency; 0 if there is none.
std::size_t types_length(std::string_view text);

/// Whether it begins with a word that is not the key of "key=value".
bool begins_with_name(std::string_view text);

/// Whether it begins with a name and a version.
bool begins_with_version(std::string_view text);

/// Whether somebody typed the line in a shell: "user@host:~$ spack find -l", or only a prompt. The
/// line begins and ends with no blank.
bool is_command(std::string_view line);

/// Whether it begins with "/opt/zlib". "/usr" may be a path, or the beginning of a hash: it is a
/// path if no hash can stand there, or the installer says something of it: "/usr (external ...)".
bool is_path(std::string_view text, bool is_no_hash);

/// Whether a spec that ends with this character goes on behind blanks: "hdf5 %  gcc".
bool expects_more(char c);

/// The length of a YAML value in quotes at the beginning; 0 if there is none.
std::size_t yaml_quoted_length(std::string_view text);

/// Such a value without its quotes.
std::string without_yaml_quotes(std::string_view quoted);

}  // namespace cacheledger
