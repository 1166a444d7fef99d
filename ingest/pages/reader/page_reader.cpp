#include "ingest/pages/reader/page_reader.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/front_matter.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

// Whether the text looks like a page, damaged or not.
bool looks_like_page(std::string_view text) {
    const auto has_line = [&](std::string_view start) {
        return text.starts_with(start.substr(1)) || text.find(start) != std::string_view::npos;
    };
    return opens_with_front_matter(text) || has_line("\nspec_details:") ||
           has_line("\nspec_files:");
}

// In bytes. A problem quotes the page, which can have megabytes.
constexpr std::size_t longest_problem = 400;

Problem shortened_problem(const Problem& problem) {
    Problem result = problem;
    const std::size_t before_text = problem.in_place().size() - problem.text.size();
    if (before_text < longest_problem) {
        result.text = shortened(problem.text, longest_problem - before_text);
    } else {
        result.place.clear();
        result.text = shortened(problem.in_place(), longest_problem);
    }
    return result;
}

void refuse_other_than_text(std::string_view text) {
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        throw Problem("expected UTF-8 text");
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        const auto lines =
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
        throw Problem("expected text without NUL characters", static_cast<int>(lines) + 1);
    }
}

std::string package_of(const FrontMatter& front) {
    if (!front.title || front.title->empty()) {
        throw Problem("expected a 'title', the name of the package");
    }
    if (front.title->find('\0') != std::string::npos) {
        throw Problem("expected a title without NUL characters");
    }
    return *front.title;
}

void refuse_bad_tag(const FrontMatter& front) {
    if (const auto problem = tag_problem(front.tag.value_or(std::string(untagged)))) {
        throw Problem(fmt::format("{}: '{}'", *problem, *front.tag));
    }
}

BadPage bad_page(const PageText& text, const FrontMatter& front, const Problem& problem) {
    BadPage bad{shortened_problem(problem)};
    bad.problem.file = text.name;
    bad.package = front.title;
    bad.tag = front.before_tags ? std::string(untagged) : front.tag;
    if (bad.tag && tag_problem(*bad.tag)) {
        bad.tag.reset();
    }
    return bad;
}

}  // namespace

Content PageReader::read(const PageText& text) {
    if (!text.must_be_page && !looks_like_page(text.text)) {
        return NoPage{};
    }
    FrontMatter front;
    try {
        refuse_other_than_text(text.text);
        front = read_front_matter(text.text);
        if (front.is_page) {
            return read_page(front, text);
        }
    } catch (const Problem& problem) {
        return bad_page(text, front, problem);
    }
    if (text.must_be_page) {
        return bad_page(text, {}, Problem("expected a package page, with 'spec_details'"));
    }
    return NoPage{};
}

Page PageReader::read_page(const FrontMatter& front, const PageText& text) {
    const std::string package = package_of(front);
    refuse_bad_tag(front);
    Findings findings;
    for (const PageFinding& finding : front.findings) {
        findings.add(finding);
    }
    Digest digest = text.digest;
    PageSpecs specs;
    // If a page has both, spec_details has more: the stacks.
    if (front.spec_details) {
        specs = at_line(front.spec_details->line,
                        [&] { return spec_details_.read(front.spec_details->text, package); });
        check_lists(front, package, specs);
    } else if (front.spec_files) {
        auto read = spec_files_.read(front, package, text.read_beside);
        read.files.push_back({std::filesystem::path(text.name).filename().string(), text.digest});
        digest = tree_id(std::move(read.files));
        specs = std::move(read.specs);
    } else {
        throw Problem("expected 'spec_details' or 'spec_files'");
    }
    findings.add(std::move(specs.findings));
    if (front.meta) {
        findings.add(at_line(front.meta->line,
                             [&] { return meta_.check(front.meta->text, specs.entries); }));
    } else {
        findings.add("meta-missing", "", "the page has no 'meta'");
    }
    if (!front.tag && !front.before_tags) {
        throw Problem("expected 'categories: [package, TAG]'");
    }
    const std::size_t num_specs = specs.entries.size();
    return {{digest, package, front.tag, num_specs},
            std::move(specs.entries),
            findings.all(),
            std::move(specs.values)};
}

}  // namespace cacheledger
