#include "ingest/page_item.hpp"

#include <fmt/format.h>

#include <utility>

#include "ingest/front_matter.hpp"

namespace cacheledger {

namespace {

// By its own looks, damaged or not.
bool looks_like_page(std::string_view text) {
    const auto has_line = [&](std::string_view start) {
        return text.starts_with(start.substr(1)) || text.find(start) != std::string_view::npos;
    };
    return opens_with_front_matter(text) || has_line("\nspec_details:") ||
           has_line("\nspec_files:");
}

}  // namespace

PageItem unreadable_page(const std::string& name, const std::string& path,
                         const std::string& problem) {
    BadPage bad;
    bad.file = name;
    bad.path = path;
    bad.problem = fmt::format("{}:{}", name, problem);
    return {name, std::move(bad), {}};
}

PageItem read_page_text(PageReader& reader, const PageText& source) {
    PageItem item{source.name, NoPage{}, {}};
    if (!source.must_be_page && !looks_like_page(source.text)) {
        return item;
    }
    item.result = reader.read(source.name, source.text, source.digest, source.read_beside);
    if (source.must_be_page && std::holds_alternative<NoPage>(item.result)) {
        return unreadable_page(source.name, source.path,
                               " expected a package page, with 'spec_details'");
    }
    if (auto* const page = std::get_if<Page>(&item.result)) {
        page->path = source.path;
    } else if (auto* const bad = std::get_if<BadPage>(&item.result)) {
        bad->path = source.path;
    }
    return item;
}

}  // namespace cacheledger
