#include "ingest/pages/front_matter/front_matter.hpp"

#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/limited_yaml.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

std::string written_out(const std::optional<FrontMatter::Raw>& raw) {
    return raw ? std::string(raw->text) : "(none)";
}

// Everything that is read, but line numbers, as one text.
std::string read(std::string_view text) {
    try {
        const FrontMatter front = read_front_matter(text);
        std::string all = fmt::format("title {}\ntag {}\npage {} before tags {}\n{}\n{}\n",
                                      front.title.value_or("(none)"), front.tag.value_or("(none)"),
                                      front.is_page, front.before_tags, written_out(front.meta),
                                      written_out(front.spec_details));
        for (const PageFinding& finding : front.findings) {
            all += fmt::format("{}: {}\n", finding.kind.word(), finding.detail());
        }
        if (front.spec_files) {
            try {
                for (const ListedSpec& spec : read_listed_specs(front)) {
                    all += fmt::format("{} {}\n", spec.file, spec.name.value_or("(none)"));
                }
            } catch (const Problem&) {
                all += "(bad list)";
            }
        }
        return all;
    } catch (const Problem&) {
        return "refused";
    }
}

std::string with_crlf(std::string_view text) {
    std::string changed;
    for (const char c : text) {
        changed += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return changed;
}

}  // namespace

void front_matter(std::string_view text) {
    const std::string all = read(text);
    require(opens_with_front_matter(text) || all == "refused", "front matter opens with a fence");
    if (!text.starts_with("---\n")) {
        return;
    }
    require(read(fmt::format("\xef\xbb\xbf{}", text)) == all, "a byte order mark means nothing");
    // With a comment the lines are not plain, and the YAML parser reads them.
    require(read(fmt::format("---\n# not plain\n{}", text.substr(4))) == all,
            "plain lines and the YAML parser read the same");
    if (text.find('\r') == std::string_view::npos) {
        require(read(with_crlf(text)) == all, "line ends mean nothing");
    }
}

}  // namespace cacheledger::fuzz
