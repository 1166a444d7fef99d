#include "ingest/known_pages.hpp"

#include "schema/statement.hpp"

namespace cacheledger {

namespace {

// Reads page_id, name, tag, num_specs.
KnownPages::Entry read_entry(SQLite::Statement& row) {
    KnownPages::Entry entry;
    entry.page_id = row.getColumn(0).getInt64();
    entry.package = row.getColumn(1).getString();
    if (!row.isColumnNull(2)) {
        entry.tag = row.getColumn(2).getString();
    }
    entry.num_specs = static_cast<std::size_t>(row.getColumn(3).getInt64());
    return entry;
}

}  // namespace

KnownPages::KnownPages(SQLite::Database& database) {
    SQLite::Statement query(database,
                            "SELECT page_id, name, tag, num_specs, digest "
                            "FROM page JOIN package USING (package_id)");
    while (query.executeStep()) {
        entries_.emplace(bytes_column<Digest>(query, 4), read_entry(query));
    }
}

const KnownPages::Entry* KnownPages::find(const Digest& digest) const {
    const auto found = entries_.find(digest);
    return found == entries_.end() ? nullptr : &found->second;
}

PageLookup::PageLookup(SQLite::Database& database)
    : select_(database,
              "SELECT page_id, name, tag, num_specs "
              "FROM page JOIN package USING (package_id) WHERE digest = ?") {}

std::optional<KnownPages::Entry> PageLookup::find(const Digest& digest) {
    rebind(select_, digest);
    std::optional<KnownPages::Entry> entry;
    if (select_.executeStep()) {
        entry = read_entry(select_);
    }
    select_.reset();
    return entry;
}

}  // namespace cacheledger
