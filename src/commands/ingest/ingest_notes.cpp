#include "src/commands/ingest/ingest_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/table/result_table.hpp"
#include "schema/errors/hint.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

namespace {

std::vector<std::string> ingest_notes(SQLite::Database& database, const NewFindings& findings,
                                      const std::vector<std::string>& loaded) {
    std::vector<std::string> notes = notes_on_empty_snapshots(database, loaded);
    std::int64_t all = 0;
    std::vector<std::string> kinds;
    for (const auto& [kind, number] : findings.counts()) {
        all += number;
        kinds.push_back(fmt::format("{} {}", grouped(number), kind));
    }
    if (all > 0) {
        const std::string report =
            loaded.size() == 1 ? command_hint({"report", "audit/findings", "--at", loaded[0]})
                               : command_hint({"report", "history/findings"});
        notes.push_back(fmt::format("{}: {}; see {}", counted(all, "new finding"),
                                    fmt::join(kinds, ", "), report));
    }
    return notes;
}

}  // namespace

void print_ingest_notes(SQLite::Database& database, const NewFindings& findings,
                        const std::vector<std::string>& loaded) {
    try {
        print_notes(ingest_notes(database, findings, loaded));
    } catch (const SQLite::Exception& error) {
        // The snapshots are loaded, so the run did not fail.
        print_notes({fmt::format("new findings can't be counted ({}); see {}", error.what(),
                                 command_hint({"report", "history/findings"}))});
    }
}

}  // namespace cacheledger
