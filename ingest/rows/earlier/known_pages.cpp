#include "ingest/rows/earlier/known_pages.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// The columns of `row` are page_id, name, tag, num_specs.
KnownPage read_page(SQLite::Statement& row, const Digest& digest) {
    KnownPage page;
    page.digest = digest;
    page.page_id = row.getColumn(0).getInt64();
    page.package = row.getColumn(1).getString();
    if (!row.isColumnNull(2)) {
        page.tag = row.getColumn(2).getString();
    }
    page.num_specs = static_cast<std::size_t>(row.getColumn(3).getInt64());
    return page;
}

}  // namespace

KnownPages::KnownPages(SQLite::Database& database) {
    SQLite::Statement packages(database, "SELECT package_id, name FROM package");
    while (packages.executeStep()) {
        packages_.emplace(packages.getColumn(0).getInt64(), packages.getColumn(1).getString());
    }
    pages_.reserve(
        static_cast<std::size_t>(database.execAndGet("SELECT count(*) FROM page").getInt64()));
    SQLite::Statement query(database,
                            "SELECT page_id, package_id, num_specs, digest, tag FROM page");
    while (query.executeStep()) {
        // Pages of one tag follow each other.
        if (auto tag = optional_text(query, 4); tags_.empty() || tags_.back() != tag) {
            tags_.push_back(std::move(tag));
        }
        pages_.emplace(bytes_column<Digest>(query, 3),
                       Row{query.getColumn(0).getInt64(), query.getColumn(1).getInt64(),
                           query.getColumn(2).getInt64(), tags_.size() - 1});
    }
}

std::optional<KnownPage> KnownPages::find(const Digest& digest) const {
    const auto found = pages_.find(digest);
    if (found == pages_.end()) {
        return std::nullopt;
    }
    const Row& row = found->second;
    KnownPage page;
    page.digest = digest;
    page.page_id = row.page_id;
    page.package = packages_.at(row.package_id);
    page.tag = tags_[row.tag];
    page.num_specs = static_cast<std::size_t>(row.num_specs);
    return page;
}

PageLookup::PageLookup(SQLite::Database& database)
    : select_(database,
              "SELECT page_id, name, tag, num_specs "
              "FROM page JOIN package USING (package_id) WHERE digest = ?") {}

std::optional<KnownPage> PageLookup::find(const Digest& digest) {
    rebind(select_, digest);
    std::optional<KnownPage> page;
    if (select_.executeStep()) {
        page = read_page(select_, digest);
    }
    select_.reset();
    return page;
}

}  // namespace cacheledger
