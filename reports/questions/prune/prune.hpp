#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/build_times/build_times.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/prune, compiled in.
extern const std::span<const EmbeddedText> prune_texts;

/// What a cache would lose if only some specs were kept. Each table has the rows of the .sql file
/// of its name.
struct Prune {
    std::vector<SeenSeries> series;
    ResultTable keeps{{"keep", "kept", "unmatched", "undecided"}, {}};  ///< what was asked to keep
    ResultTable drops{{"drop", "dropped", "undecided"}, {}};            ///< what was not to be kept
    std::int64_t dependencies = 0;  ///< specs that are kept only because others need them
    ResultTable totals, stacks, packages, broken;
    /// How much of what others want is there, before and after.
    ResultTable coverage{{"wanted", "specs", "before", "after", "percent_before", "percent_after",
                          "specs_all", "before_all", "after_all"},
                         {}};
    /// The same, of the newest lock file of each series of the ledger that would lack more.
    ResultTable environments = coverage;
    /// What it takes to build again what is lost; nullopt if the ledger has no build times.
    std::optional<BuildCost> cost{};
    std::vector<std::string> remarks;  ///< sentences for people
    /// What was not read of what is kept or wanted, in sentences: no gate passes then.
    std::vector<std::string> not_read;

    /// A number of `totals`, such as total("specs", "lost"); 0 if it is not known.
    std::int64_t total(const std::string& what, const std::string& column) const;
};

/// Asks about the specs that are kept in `seen`, with those that they need if `with_dependencies`,
/// but none that are dropped. Leaves the temporary tables pruned_spec and broken_spec
/// (reports/questions/prune/pruned_specs.sql) in the connection.
Prune ask_prune(SQLite::Database& database, SeenSpecs& seen, bool with_dependencies);

/// Finds Prune::environments, those that lose most first.
void add_environments(SQLite::Database& database, SeenSpecs& seen, Prune& prune);

/// The specs that are kept, or lost: the rows of reports/questions/prune/specs.sql. After
/// ask_prune().
ResultTable pruned_rows(SQLite::Database& database, bool kept);

/// The names of what a prune must not do, for read_gates(). "specs-N%": how much of the specs may
/// be lost.
std::vector<std::string> prune_gate_names();

/// `least`: the percentage of --fail-under, of what is needed to link and to run, for each row of
/// Prune::coverage.
std::vector<Gate> judge(const Prune& prune, const std::vector<AskedGate>& gates,
                        std::optional<double> least);

/// The newest snapshot of each series, at most three by name, for messages.
std::string newest_names(const std::vector<SeenSeries>& series);

/// A row of Prune::coverage.
std::vector<Value> cover_before_and_after(SeenSpecs& seen, const WantedGraph& wanted);
std::vector<Value> cover_before_and_after(SeenSpecs& seen, const std::string& name,
                                          const SpecList& wanted);

/// The document, without gates. Both must live as long. JSON: {"dependencies", "series": [...],
/// "keep": [...], "drop": [...], "environments": [...], "totals": [...], "stacks": [...],
/// "packages": [...], "coverage": [...], "broken":
/// [...], "remarks": [...], "lost": [...]}: the rows of the tables; with Prune::cost also the
/// fields of fields_of_cost().
Document document_of(SQLite::Database& database, const Prune& prune);

/// One of the tables alone, with all columns: "lost", "kept", "broken", "stacks", "packages",
/// "coverage" or "environments". No format has a place for the notes.
Document document_of_list(SQLite::Database& database, const Prune& prune, const std::string& list);

}  // namespace cacheledger
