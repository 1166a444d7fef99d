#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/bytes/streams/bytes.hpp"

namespace cacheledger {

/// What a text is, by its beginning.
enum class Shape : unsigned char {
    page,            ///< no JSON: a package page, or nothing that is known
    index,           ///< of a build cache
    install,         ///< an install database
    lock,            ///< spack.lock
    index_manifest,  ///< of a mirror of layout 3: names the index; may be signed
    layout,          ///< index.json of an OCI layout: names the manifest of the index
    refs,            ///< {REF: [{label, url}]}
    specs,           ///< what Spack prints of specs, or keeps beside a binary
    build_times,     ///< how long builds took (build_times.hpp), of which no snapshot is made
};

/// Whether a reader takes Shape::specs, which the ledger does not load.
enum class JsonOfSpecs : unsigned char { refused, taken };

/// What of JSON is an input, for messages.
inline constexpr std::string_view inputs_of_json =
    "a build-cache index, an install database, a lock file or a manifest of indexes";

/// "a build-cache index", ... for messages.
std::string_view name_of(Shape shape);

/// The shape of the text that begins with `head`, which is decompressed. Nothing where it must be
/// longer for that; never nothing where it `is_whole`. Throws Problem where it is broken, or no
/// input of the ledger; it says what it is instead.
std::optional<Shape> shape_of(std::string_view head, bool is_whole);

/// The same of bytes, plain or gzip. Reads as many as needed, mostly some thousand. Throws Problem
/// for gzip data that holds nothing, or gzip data again, and for build times, too.
Shape read_shape(Bytes& bytes, JsonOfSpecs specs = JsonOfSpecs::refused);

/// Whether bytes, plain or gzip, are build times. False where they can't be read.
bool are_build_times(Bytes& bytes);

/// What a text is that is called .json or .lock and is no JSON, by its beginning, and what to do:
/// "a pointer of Git LFS; 'git lfs pull' fetches the file". Of a text that is not known, its first
/// words.
std::string what_instead_of_json(std::string_view head);

/// The line in which git left the mark of a conflict ("<<<<<<< HEAD"), counted from 1. Reads the
/// bytes, plain or gzip, to their end or to that line. Throws Problem if they can't be read.
std::optional<int> line_of_conflict(Bytes& bytes);

}  // namespace cacheledger
