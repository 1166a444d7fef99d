#include "schema/ledger/names/snapshot.hpp"

#include <SQLiteCpp/Database.h>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

SQLite::Database& ledger() {
    static SQLite::Database database = [] {
        SQLite::Database made(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        migrate(made);
        made.exec(R"(
            INSERT INTO series (series_id, name) VALUES (1, 'develop'), (2, 'develop-*');
            INSERT INTO snapshot (series_id, taken_at, tag, name, source, observes_all) VALUES
                (1, 1743206400, 'develop', 'develop@2025-03-29T00:00:00Z', '', 1),
                (1, 1743292800, 'develop', 'develop@2025-03-30T00:00:00Z', '', 1),
                (1, 1743314400, 'develop', 'develop@2025-03-30T06:00:00Z', '', 1),
                (2, 1743292800, 'develop-2025-03-30', 'develop-2025-03-30', '', 1);)");
        return made;
    }();
    return database;
}

}  // namespace

void snapshot(std::string_view text) {
    try {
        const Snapshot found = find_snapshot(ledger(), text);
        require(find_snapshot(ledger(), found.name).id == found.id, "a name finds its snapshot");
        require(!text.empty(), "nothing is no name");
    } catch (const UsageError&) {
    }
}

}  // namespace cacheledger::fuzz
