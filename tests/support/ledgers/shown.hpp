#pragma once

#include <sstream>
#include <string>

#include "reports/render/document/document.hpp"

namespace cacheledger {

/// The document as a pipe gets it.
inline std::string shown(const Document& document, Format format = Format::table,
                         const RenderOptions& options = {}) {
    std::ostringstream out;
    write_document(document, format, options, out);
    return out.str();
}

}  // namespace cacheledger
