#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cacheledger {

/// What a reader of feeds shows of one event.
struct FeedEntry {
    std::string key;      ///< tells it from all others, and stays the same whenever it is written
    std::string title;    ///< one line
    std::string updated;  ///< "2025-03-30T06:00:00Z"
    std::vector<std::string> paragraphs;
    /// What it is about: {"package", "hdf5"}.
    std::set<std::pair<std::string, std::string>> categories;
};

/// A list of events, in any order.
struct Feed {
    std::string key;  ///< as of an entry
    std::string title;
    std::vector<FeedEntry> entries;
    std::string page{};  ///< a web page about them, seen from the feed; empty: none
};

inline constexpr std::string_view atom_format = "atom";

/// The text as content or attribute value of XML 1.0, on one line.
std::string xml_text(std::string_view text);

/// Writes the newest events of the feed, a hundred at most, from new to old, as Atom (RFC 4287).
/// The same events give the same text.
void write_atom(Feed feed, std::ostream& out);

}  // namespace cacheledger
