#pragma once

#include "ingest/sources/inputs/inputs.hpp"

namespace cacheledger {

/// What find_inputs() finds (ingest/sources/inputs/inputs.hpp), with a progress line for what comes
/// from the web. Lines for the user go to standard error. Throws what find_inputs() throws, and
/// Interrupted.
Inputs find_with_progress(InputOptions options);

/// What the progress line counts, in the singular: "page" or "file".
const char* name_of_one(const Inputs& inputs);

/// How many threads read pages if the user does not say: one for each core.
unsigned usual_jobs();

}  // namespace cacheledger
