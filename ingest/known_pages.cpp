#include "ingest/known_pages.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>

namespace cacheledger {

KnownPages::KnownPages(SQLite::Database& database) {
    SQLite::Statement query(database,
                            "SELECT digest, page_id, package_id, name, tag, num_specs "
                            "FROM page JOIN package USING (package_id)");
    while (query.executeStep()) {
        Digest digest{};
        const SQLite::Column blob = query.getColumn(0);
        std::memcpy(digest.data(), blob.getBlob(),
                    std::min(digest.size(), static_cast<std::size_t>(blob.getBytes())));
        Entry entry;
        entry.page_id = query.getColumn(1).getInt64();
        entry.package_id = query.getColumn(2).getInt64();
        entry.package = query.getColumn(3).getString();
        if (!query.isColumnNull(4)) {
            entry.tag = query.getColumn(4).getString();
        }
        entry.num_specs = static_cast<std::size_t>(query.getColumn(5).getInt64());
        entries_.emplace(digest, std::move(entry));
    }
}

const KnownPages::Entry* KnownPages::find(const Digest& digest) const {
    const auto found = entries_.find(digest);
    return found == entries_.end() ? nullptr : &found->second;
}

}  // namespace cacheledger
