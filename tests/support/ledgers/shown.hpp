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

/// The document in a format that only some commands have.
inline std::string shown(const Document& document, const char* format) {
    std::ostringstream out;
    write_document(document, format, out);
    return out.str();
}

}  // namespace cacheledger
