#pragma once

namespace cacheledger {

/// Tells the C library and SQLite how a process uses memory that only loads: much of it, and until
/// its end. Call it before the first connection: limits of SQLite's memory mean nothing afterwards.
void prepare_memory_for_ingest();

}  // namespace cacheledger
