#pragma once

#include <fmt/format.h>

#include "ingest/bytes/problems/at_file.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/kinds/other_text.hpp"

namespace cacheledger {

/// Calls `read`, which reads the file as JSON and throws InputError if it can't. If git left the
/// mark of a conflict in the file, the error names its line instead.
template <typename Read>
auto at_json_file(const FoundFile& file, Read read) {
    try {
        return read();
    } catch (const InputError&) {
        const auto line =
            file.location().is_standard_input()
                ? std::nullopt
                : at_file(file.place(), [&] { return line_of_conflict(*file.bytes()); });
        if (line) {
            throw InputError(fmt::format("{}:{}: an unresolved merge conflict; resolve it first",
                                         file.place(), *line));
        }
        throw;
    }
}

}  // namespace cacheledger
