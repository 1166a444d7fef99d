#include "ingest/rows/earlier/known_pages.hpp"

#include <utility>

namespace cacheledger {

namespace {

KnownPage page_of_row(const Digest& digest, std::int64_t page_id, std::string package,
                      std::optional<std::string> tag, std::size_t num_specs) {
    KnownPage page;
    page.digest = digest;
    page.page_id = page_id;
    page.package = std::move(package);
    page.tag = std::move(tag);
    page.num_specs = num_specs;
    return page;
}

}  // namespace

KnownPages::KnownPages(SQLite::Database& database)
    : packages_(rows<std::int64_t, std::string>(database, "SELECT package_id, name FROM package")
                    .to<decltype(packages_)>()) {
    pages_.reserve(only_value<std::size_t>(database, "SELECT count(*) FROM page"));
    for (auto&& [page_id, package_id, num_specs, digest, tag] :
         rows<std::int64_t, std::int64_t, std::size_t, Digest, std::optional<std::string>>(
             database, "SELECT page_id, package_id, num_specs, digest, tag FROM page")) {
        // Pages of one tag follow each other.
        if (tags_.empty() || tags_.back() != tag) {
            tags_.push_back(std::move(tag));
        }
        pages_.emplace(digest, Row{page_id, package_id, num_specs, tags_.size() - 1});
    }
}

std::optional<KnownPage> KnownPages::find(const Digest& digest) const {
    const auto found = pages_.find(digest);
    if (found == pages_.end()) {
        return std::nullopt;
    }
    const Row& row = found->second;
    return page_of_row(digest, row.page_id, packages_.at(row.package_id), tags_[row.tag],
                       row.num_specs);
}

PageLookup::PageLookup(SQLite::Database& database)
    : select_(database,
              "SELECT page_id, name, tag, num_specs "
              "FROM page JOIN package USING (package_id) WHERE digest = ?") {}

std::optional<KnownPage> PageLookup::find(const Digest& digest) {
    for (auto&& [page_id, package, tag, num_specs] : select_(digest)) {
        return page_of_row(digest, page_id, std::move(package), std::move(tag), num_specs);
    }
    return std::nullopt;
}

}  // namespace cacheledger
