#include "schema/text/keyed_hash.hpp"

#include <random>

namespace cacheledger {

const KeyedHash::Key& KeyedHash::key_of_process() {
    static const Key key = [] {
        std::random_device random;  // of the operating system, 32 bits at a time
        const auto word = [&] {
            const std::uint64_t high = random();
            return high << 32U | random();
        };
        return Key{word(), word(), word()};
    }();
    return key;
}

}  // namespace cacheledger
