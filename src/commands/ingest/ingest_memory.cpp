#include "src/commands/ingest/ingest_memory.hpp"

#include <sqlite3.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cacheledger {

void prepare_memory_for_ingest() {
#ifdef __GLIBC__
    // Else a list that grows gets other memory from the kernel each time, which clears it: 7 % of
    // the time of a first ingest of 65,000 nodes.
    constexpr int largest_of_heap = 32 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_of_heap);
    mallopt(M_TRIM_THRESHOLD, 8 * largest_of_heap);
    mallopt(M_TOP_PAD, largest_of_heap / 2);
#endif
    // SQLite would lock a mutex for its statistics at each allocation: 4 %.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

}  // namespace cacheledger
