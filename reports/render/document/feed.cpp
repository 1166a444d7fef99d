#include "reports/render/document/feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ostream>

#include "reports/render/html/html_text.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_entries = 100;

// Of a feed without events. When that changed is not known, and the element must be there.
constexpr std::string_view never = "1970-01-01T00:00:00Z";

// A UUID of version 8 (RFC 9562, section 5.8), for which no host must be named.
std::string urn_of(const std::string& key) {
    std::string digits = sha256_of("cacheledger feed\n" + key);
    digits[12] = '8';
    digits[16] = '8';
    const std::string_view all = digits;
    return fmt::format("urn:uuid:{}-{}-{}-{}-{}", all.substr(0, 8), all.substr(8, 4),
                       all.substr(12, 4), all.substr(16, 4), all.substr(20, 12));
}

void write_entry(const FeedEntry& entry, std::ostream& out) {
    out << fmt::format("<entry>\n<title>{}</title>\n<id>{}</id>\n<updated>{}</updated>\n",
                       xml_text(entry.title), urn_of(entry.key), entry.updated);
    for (const auto& [scheme, term] : entry.categories) {
        out << fmt::format("<category scheme=\"urn:cacheledger:{}\" term=\"{}\"/>\n", scheme,
                           xml_text(term));
    }
    std::string html;
    for (const std::string& paragraph : entry.paragraphs) {
        html += fmt::format("<p>{}</p>", html_line(paragraph));
    }
    out << fmt::format("<content type=\"html\">{}</content>\n</entry>\n", xml_text(html));
}

}  // namespace

void write_atom(Feed feed, std::ostream& out) {
    std::ranges::stable_sort(feed.entries, std::ranges::greater(), &FeedEntry::updated);
    feed.entries.resize(std::min(feed.entries.size(), most_entries));
    out << fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>\n<id>{}</id>\n"
        "<updated>{}</updated>\n<author><name>cacheledger</name></author>\n",
        xml_text(feed.title), urn_of(feed.key),
        feed.entries.empty() ? never : feed.entries.front().updated);
    if (!feed.page.empty()) {
        out << fmt::format("<link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n",
                           xml_text(feed.page));
    }
    for (const FeedEntry& entry : feed.entries) {
        write_entry(entry, out);
    }
    out << "</feed>\n";
}

}  // namespace cacheledger
