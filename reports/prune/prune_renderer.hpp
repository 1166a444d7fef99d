#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "reports/prune/prune.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// What would be lost.
std::string sentence(const Prune& prune);

/// The same in one line that begins with the newest snapshots.
std::string headline(const Prune& prune);

/// For people: the headline, the remarks, and the tables, at most `most_rows` rows each.
void render_prune_text(const Prune& prune, const RenderOptions& options, std::size_t most_rows,
                       std::ostream& out);

/// {"keep": [...], "dependencies", "totals": [...], "stacks": [...], "packages": [...], "coverage":
/// [...], "broken": [...], "remarks": [...], "gates": [...] (if there are any), "lost": [...]}: the
/// rows of the tables.
void render_prune_json(const Prune& prune, const ResultTable& gates, const ResultTable& lost,
                       std::ostream& out);

/// The hashes of a table with a column `hash`, each once, one in each line.
void render_hashes(const ResultTable& table, std::ostream& out);

}  // namespace cacheledger
