#include "ingest/rows/earlier/snapshot_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

struct Kind {
    std::string_view word;
    std::string_view sources;
    int group = 0;  // a series is of one
};

constexpr std::array<Kind, 4> kinds = {{{"pages", "pages", 0},
                                        {"index", "indexes", 0},
                                        {"lock", "lock files", 1},
                                        {"install", "install databases", 2}}};

const Kind& find_kind(std::string_view word) {
    return *std::find_if(kinds.begin(), kinds.end(),
                         [&](const Kind& kind) { return kind.word == word; });
}

}  // namespace

std::string_view word_of(GraphKind kind) {
    switch (kind) {
        case GraphKind::lock:
            return "lock";
        case GraphKind::install:
            return "install";
        case GraphKind::index:
        case GraphKind::spec:  // never a snapshot
            break;
    }
    return "index";
}

std::string_view sources_of(std::string_view kind) {
    return find_kind(kind).sources;
}

void refuse_other_kinds(SQLite::Database& database, const std::string& tag, std::string_view kind) {
    // All snapshots of a series are of one group, so one of them is enough.
    const auto found = first_value<std::string>(
        database,
        "SELECT s.kind FROM series r JOIN snapshot s USING (series_id) WHERE r.name = ? LIMIT 1",
        series_of_tag(tag));
    if (found && find_kind(*found).group != find_kind(kind).group) {
        throw UsageError(
            fmt::format("the tag '{}' has snapshots of {}, which no snapshot of {} can follow; "
                        "give another one with --tag",
                        tag, sources_of(*found), sources_of(kind)));
    }
}

}  // namespace cacheledger
