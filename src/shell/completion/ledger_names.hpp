#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/known_names.hpp"
#include "src/shell/completion/candidate.hpp"

/// Names in a ledger, for completions. Nothing waits for another process, is locked or written: the
/// file is read as it is, without its log, which is empty between runs. All give nothing if there
/// is no such ledger, or if it does not answer at once.
namespace cacheledger {

/// The names that a snapshot can be called by, which begin with `typed`.
std::vector<Candidate> snapshot_names(const std::filesystem::path& file, std::string_view typed);

std::vector<Candidate> tag_names(const std::filesystem::path& file);

/// Packages; behind "PACKAGE@" its versions; behind "/" hashes.
std::vector<Candidate> spec_beginnings(const std::filesystem::path& file, std::string_view typed);

/// The values of a word of specs: "target", "os", "platform", "compiler" or "variant".
std::vector<Candidate> spec_words(const std::filesystem::path& file, std::string_view word);

std::vector<Candidate> names_of_kind(const std::filesystem::path& file, NameKind kind);

}  // namespace cacheledger
