#pragma once

#include <functional>

#include "ingest/sources/inputs/inputs.hpp"

namespace cacheledger {

/// What find_inputs() finds (ingest/sources/inputs/inputs.hpp), with a progress line for what comes
/// from the web, also while `open` opens it. Lines for the user go to standard error. Throws what
/// these throw, and Interrupted.
Inputs find_with_progress(InputOptions options, const std::function<void(const Inputs&)>& open);

/// What the progress line counts, in the singular: "page" or "file".
const char* name_of_one(const Inputs& inputs);

/// How many threads read pages if the user does not say: one for each core.
unsigned usual_jobs();

}  // namespace cacheledger
