#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"

/// The way from the command line to bytes: what the user names (files, folders, standard input,
/// URLs) is found out by its content. How the bytes are read is the business of others.
namespace cacheledger {

/// A file with specs, or a mirror without an index.
struct Input {
    std::optional<std::string> label;  ///< the stack that the user or a manifest gave it
    std::string place;                 ///< for messages and the ledger; no credentials, no query
    /// Its bytes, plain or gzip. Those of a manifest's label are fetched by this only, and must be
    /// an index. Throws InputError where they can't be had, or are not what was promised.
    std::function<FoundFile()> open;
    /// To be called where the bytes turn out to be damaged: a copy of them is not used again.
    std::function<void()> discard;
    /// The files of the mirror whose index it is, if that is on this machine and has any.
    std::optional<SpecFiles> mirror = std::nullopt;
    /// Whether it lists all that this mirror has.
    bool is_main_index = false;
    /// Of a view, whose label is its name: the place of the main index of its mirror; "" if there
    /// is none.
    std::optional<std::string> view_of = std::nullopt;
    /// Of a mirror without an index, which has no bytes of its own: open() throws.
    std::optional<SpecFiles> specs = std::nullopt;
};

/// Inputs that make one snapshot.
struct RefInputs {
    std::optional<std::string> ref;  ///< of a manifest
    std::vector<Input> inputs;
};

struct Inputs {
    Shape kind = Shape::page;  ///< page, index, install or lock
    /// The paths, where they are pages; otherwise empty.
    std::vector<std::string> pages;
    /// Reads the text of "-" among these.
    ReadText standard_input;
    /// Otherwise: one for each ref of a manifest that lists an index, else one.
    std::vector<RefInputs> refs;
};

struct InputOptions {
    std::vector<std::string> arguments;      ///< [STACK=]PATH
    std::optional<std::string> ref = {};     ///< GLOB: only these refs of a manifest
    std::vector<std::string> url_maps = {};  ///< FROM=TO
    /// The views that are read of the mirror that is the only argument, by their names. nullopt: of
    /// each folder all, of an URL, which can't be listed, none.
    std::optional<std::vector<std::string>> views = {};
    HttpOptions http = {};
    std::function<void(const std::string&)> say = {};  ///< takes lines for the user
};

/// Finds out what the arguments are. URLs are fetched for that, except those that a manifest names.
/// Throws UsageError for what is not understood, and InputError, in a line for each argument, where
/// something can't be read, is unknown, or can't be one snapshot with the others. The indexes of a
/// manifest and the views of a mirror are found when they are opened.
Inputs find_inputs(const InputOptions& options);

}  // namespace cacheledger
