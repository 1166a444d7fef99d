#pragma once

#include <cstddef>
#include <string>

#include "reports/questions/events/event.hpp"

namespace cacheledger {

/// What happened, in words: "4.4.01 -> 4.2.01 (3 removed, 3 added), 2 rebuilt". `most`: how many
/// names of versions, stacks and so on are listed; of more, their number.
std::string event_words(const HistoryEvent& event, std::size_t most);

/// "+mpi -> ~mpi" for "mpi: true -> false"; other texts of drift/variants as they are.
std::string option_words(const std::string& option);

/// "4.4.01 -> 4.2.01", "-> 4.2.01" if nothing went, "4.4.01 ->" if nothing came, empty for neither.
std::string arrow(const BeforeAndAfter& both, std::size_t most);

}  // namespace cacheledger
