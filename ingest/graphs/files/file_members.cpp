#include "ingest/graphs/files/file_members.hpp"

#include <fmt/format.h>

namespace cacheledger {

bool FileMembers::next() {
    const bool has_more = stream_.next();
    if (has_more && !keys_.insert(stream_.key()).second) {
        throw Problem(fmt::format("'{}{}{}' is given twice", place_, place_.empty() ? "" : ".",
                                  shortened(stream_.key(), longest_quote)));
    }
    return has_more;
}

void skip_unknown(json::Stream& stream, std::string_view place, UnknownKeys& unknown) {
    ++unknown[fmt::format("{}{}", place, shortened(stream.key(), longest_quote))];
    stream.skip();
}

DagHash read_key(const json::Stream& stream, std::string_view place) {
    const std::string& key = stream.key();
    if (!is_dag_hash(key)) {
        throw Problem(fmt::format("{}: expected keys of 32 characters of a-z and 2-7, found '{}'",
                                  place, shortened(key, longest_quote)));
    }
    return dag_hash(key);
}

}  // namespace cacheledger
