#include "ingest/stored/known_pages.hpp"

#include "schema/sqlite/statement.hpp"

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
    SQLite::Statement query(database,
                            "SELECT page_id, name, tag, num_specs, digest "
                            "FROM page JOIN package USING (package_id)");
    while (query.executeStep()) {
        const auto digest = bytes_column<Digest>(query, 4);
        pages_.emplace(digest, read_page(query, digest));
    }
}

std::optional<KnownPage> KnownPages::find(const Digest& digest) const {
    const auto found = pages_.find(digest);
    return found == pages_.end() ? std::nullopt : std::optional(found->second);
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
