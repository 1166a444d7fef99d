#include "ingest/bytes/streams/bytes.hpp"

#include <vector>

namespace cacheledger {

std::string read_text(Bytes& bytes, std::size_t most) {
    std::string text;
    std::vector<char> buffer(1U << 16U);
    while (text.size() < most) {
        const std::size_t count =
            bytes.read(buffer.data(), std::min(buffer.size(), most - text.size()));
        if (count == 0) {
            break;
        }
        text.append(buffer.data(), count);
    }
    return text;
}

}  // namespace cacheledger
