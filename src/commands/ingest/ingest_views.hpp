#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// The arguments of ingest as parse_options() takes them, where an option has no value or always
/// one: a --view without a name (at the end, before another option, before a URL) gets one that
/// stands for the views of the series.
std::vector<std::string> with_names_of_views(std::vector<std::string> arguments);

/// The views that --view names: for that name the stacks of the newest snapshot in the series of
/// --tag. nullopt without --view. Throws UsageError if there is no such snapshot, or if it has no
/// stacks.
std::optional<std::vector<std::string>> named_views(const ParsedOptions& parsed,
                                                    const std::filesystem::path& database);

}  // namespace cacheledger
