#include "ingest/page_reader.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ingest/digest.hpp"
#include "ingest/front_matter.hpp"
#include "ingest/page_place.hpp"
#include "ingest/problem.hpp"
#include "ingest/spec_name_check.hpp"
#include "schema/tag.hpp"

namespace cacheledger {

namespace {

// Throws std::invalid_argument("LINE: problem").
template <typename Read>
void at_line(int line, Read read) {
    try {
        read();
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("{}: {}", line, error.what()));
    }
}

// A problem quotes what the page says, which can be megabytes.
constexpr std::size_t longest_problem = 400;

std::string package_of(const FrontMatter& front) {
    if (!front.title || front.title->empty()) {
        throw std::invalid_argument(" expected a 'title', the name of the package");
    }
    if (front.title->find('\0') != std::string::npos) {
        throw std::invalid_argument(" expected a title without NUL characters");
    }
    return *front.title;
}

}  // namespace

std::variant<NoPage, Page, BadPage> PageReader::read(const std::string& path, std::string_view text,
                                                     const Digest& digest,
                                                     const ReadBeside& read_beside) {
    FrontMatter front;
    try {
        if (!simdjson::validate_utf8(text.data(), text.size())) {
            throw std::invalid_argument(" expected UTF-8 text");
        }
        if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
            const auto lines =
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
            throw std::invalid_argument(
                fmt::format("{}: expected text without NUL characters", lines + 1));
        }
        front = read_front_matter(text);
        if (!front.is_page) {
            return NoPage{};
        }
        Page page;
        page.path = path;
        page.digest = digest;
        page.package = package_of(front);
        page.tag = front.tag;
        for (PageFinding& finding : front.findings) {
            note(page, finding.kind, std::move(finding.detail));
        }
        if (const auto problem = tag_problem(front.tag.value_or(std::string(untagged)))) {
            throw std::invalid_argument(fmt::format(" {}: '{}'", *problem, *front.tag));
        }
        // Where a page has both, spec_details say more: the stacks.
        if (front.spec_details) {
            at_line(front.spec_details->line,
                    [&] { spec_details_.read(front.spec_details->text, page); });
            check_lists(front, page);
        } else if (front.spec_files) {
            auto files = spec_files_.read(front, read_beside, page);
            files.push_back({std::string(file_name(path)), digest});
            page.digest = tree_id(std::move(files));
        } else {
            throw std::invalid_argument(" expected 'spec_details' or 'spec_files'");
        }
        if (front.meta) {
            at_line(front.meta->line, [&] { meta_.check(front.meta->text, page); });
        } else {
            note(page, "meta-missing", "the page has no 'meta'");
        }
        if (!front.tag && !front.before_tags) {
            throw std::invalid_argument(" expected 'categories: [package, TAG]'");
        }
        if (page.more_findings > 0) {
            page.findings.push_back(
                {"more-findings", fmt::format("{} more, not kept", page.more_findings)});
        }
        return page;
    } catch (const std::invalid_argument& error) {
        BadPage bad;
        bad.file = path;
        bad.path = path;
        bad.problem = fmt::format("{}:{}", path, shortened(error.what(), longest_problem));
        bad.package = front.title;
        bad.tag = front.before_tags ? std::string(untagged) : front.tag;
        if (bad.tag && tag_problem(*bad.tag)) {
            bad.tag.reset();
        }
        return bad;
    }
}

}  // namespace cacheledger
