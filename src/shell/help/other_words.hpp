#pragma once

#include <string>
#include <string_view>

namespace cacheledger {

/// Other programs have commands of other names. What to type here for `word`, as the end of a
/// message: "to list what is loaded: cacheledger snapshots". Empty for a word that is not known.
std::string here_instead_of(std::string_view word);

/// The topic of `cacheledger help` that explains `word`, such as "ci" for "gates"; empty for a word
/// that is not known.
std::string_view topic_about(std::string_view word);

}  // namespace cacheledger
