#pragma once

#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

/// Calls `read`. A Problem that it throws becomes an InputError, which names this file.
template <typename Read>
auto at_file(const std::string& file, Read read) {
    try {
        return read();
    } catch (Problem& problem) {
        problem.file = file;
        throw InputError(problem.message());
    }
}

}  // namespace cacheledger
