#include "schema/libraries/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "schema/errors/error.hpp"

namespace cacheledger {

void* Library::find(const char* function) const {
    // A second dlopen() gives the same handle.
    void* const handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    void* const found = handle == nullptr ? nullptr : dlsym(handle, function);
    if (found == nullptr) {
        throw UsageError(fmt::format("{}; install it: {}", dlerror(), purpose));
    }
    return found;
}

}  // namespace cacheledger
