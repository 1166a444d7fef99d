#pragma once

#include <cstddef>
#include <iosfwd>

#include "reports/render/renderer.hpp"
#include "reports/why/why.hpp"

namespace cacheledger {

/// For people: one line with the first reasons, then a table of at most `most_rows` reasons.
void render_why_text(const Why& why, const RenderOptions& options, std::size_t most_rows,
                     std::ostream& out);

/// The same with all reasons, in Markdown.
void render_why_markdown(const Why& why, std::ostream& out);

/// {"from", "to", "rebuilt", "pushed", "unknown", "remarks": [...], "reasons": [...]}.
void render_why_json(const Why& why, std::ostream& out);

}  // namespace cacheledger
