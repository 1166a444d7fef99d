#include "ingest/graph_files/file_members.hpp"

#include <fmt/format.h>

#include <set>

namespace cacheledger {

void read_members(json::Stream& stream, const ObjectNames& names, UnknownKeys& unknown,
                  const std::function<bool(const std::string& key)>& read) {
    std::set<std::string> keys;
    stream.open('{', names.what);
    while (stream.next()) {
        if (!keys.insert(stream.key()).second) {
            throw Problem(fmt::format("'{}{}{}' is given twice", names.place,
                                      names.place.empty() ? "" : ".",
                                      shortened(stream.key(), longest_quote)));
        }
        if (!read(stream.key())) {
            skip_unknown(stream, names.unknown, unknown);
        }
    }
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
