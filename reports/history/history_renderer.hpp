#pragma once

#include <iosfwd>
#include <string>

#include "reports/history/spec_history.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// What is told of, and how many events there are.
std::string headline(const SpecHistory& history);

/// For people: a line for each event, from old to new, below its package and series.
void render_history_text(const SpecHistory& history, const RenderOptions& options,
                         std::ostream& out);

}  // namespace cacheledger
