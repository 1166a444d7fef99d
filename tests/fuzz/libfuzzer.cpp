#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

// FUZZ_TARGET is the name of the one that this program is for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    cacheledger::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
