#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/bytes/streams/bytes.hpp"

namespace cacheledger {

/// What a text is that is called .json or .lock and is no JSON, by its beginning, and what to do:
/// "a pointer of Git LFS; 'git lfs pull' fetches the file". Of a text that is not known, its first
/// words.
std::string what_instead_of_json(std::string_view head);

/// The line in which git left the mark of a conflict ("<<<<<<< HEAD"), counted from 1. Reads the
/// bytes, plain or gzip, to their end or to that line. Throws Problem if they can't be read.
std::optional<int> line_of_conflict(Bytes& bytes);

}  // namespace cacheledger
