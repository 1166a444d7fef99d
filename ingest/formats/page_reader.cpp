#include "ingest/formats/page_reader.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "ingest/basics/digest.hpp"
#include "ingest/basics/problem.hpp"
#include "ingest/formats/spec_name_check.hpp"
#include "ingest/front_matter/front_matter.hpp"
#include "schema/names/tag.hpp"

namespace cacheledger {

namespace {

// What is wrong with the JSON on a line is wrong with the line.
template <typename Read>
void at_line(int line, Read read) {
    try {
        read();
    } catch (const std::invalid_argument& error) {
        throw Problem(error.what(), line);
    }
}

// By its own looks, damaged or not.
bool looks_like_page(std::string_view text) {
    const auto has_line = [&](std::string_view start) {
        return text.starts_with(start.substr(1)) || text.find(start) != std::string_view::npos;
    };
    return opens_with_front_matter(text) || has_line("\nspec_details:") ||
           has_line("\nspec_files:");
}

// A problem quotes what the page says, which can be megabytes.
constexpr std::size_t longest_problem = 400;

std::string package_of(const FrontMatter& front) {
    if (!front.title || front.title->empty()) {
        throw Problem("expected a 'title', the name of the package");
    }
    if (front.title->find('\0') != std::string::npos) {
        throw Problem("expected a title without NUL characters");
    }
    return *front.title;
}

}  // namespace

PageReader::Content PageReader::read(const PageText& text) {
    if (!text.must_be_page && !looks_like_page(text.text)) {
        return NoPage{};
    }
    Content content = read(text.name, text.text, text.digest, text.read_beside);
    if (text.must_be_page && std::holds_alternative<NoPage>(content)) {
        BadPage bad;
        bad.problem = Problem("expected a package page, with 'spec_details'").message(text.name);
        return bad;
    }
    return content;
}

PageReader::Content PageReader::read(const std::string& name, std::string_view text,
                                     const Digest& digest, const ReadBeside& read_beside) {
    FrontMatter front;
    try {
        if (!simdjson::validate_utf8(text.data(), text.size())) {
            throw Problem("expected UTF-8 text");
        }
        if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
            const auto lines =
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
            throw Problem("expected text without NUL characters", static_cast<int>(lines) + 1);
        }
        front = read_front_matter(text);
        if (!front.is_page) {
            return NoPage{};
        }
        Page page;
        page.digest = digest;
        page.package = package_of(front);
        page.tag = front.tag;
        for (PageFinding& finding : front.findings) {
            note(page, finding.kind, std::move(finding.detail));
        }
        if (const auto problem = tag_problem(front.tag.value_or(std::string(untagged)))) {
            throw Problem(fmt::format("{}: '{}'", *problem, *front.tag));
        }
        // Where a page has both, spec_details say more: the stacks.
        if (front.spec_details) {
            at_line(front.spec_details->line,
                    [&] { spec_details_.read(front.spec_details->text, page); });
            check_lists(front, page);
        } else if (front.spec_files) {
            auto files = spec_files_.read(front, read_beside, page);
            files.push_back({std::filesystem::path(name).filename().string(), digest});
            page.digest = tree_id(std::move(files));
        } else {
            throw Problem("expected 'spec_details' or 'spec_files'");
        }
        if (front.meta) {
            at_line(front.meta->line, [&] { meta_.check(front.meta->text, page); });
        } else {
            note(page, "meta-missing", "the page has no 'meta'");
        }
        if (!front.tag && !front.before_tags) {
            throw Problem("expected 'categories: [package, TAG]'");
        }
        if (page.more_findings > 0) {
            page.findings.push_back(
                {"more-findings", fmt::format("{} more, not kept", page.more_findings)});
        }
        return page;
    } catch (const Problem& problem) {
        const Problem quoted(shortened(problem.what(), longest_problem), problem.line());
        BadPage bad;
        bad.problem = quoted.message(name);
        bad.package = front.title;
        bad.tag = front.before_tags ? std::string(untagged) : front.tag;
        if (bad.tag && tag_problem(*bad.tag)) {
            bad.tag.reset();
        }
        return bad;
    }
}

}  // namespace cacheledger
