#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

/// How the members of a file are walked through, whatever its kind.
namespace cacheledger {

/// Passes the stream's next value, and counts its key as unknown. `place`: "database."
void skip_unknown(json::Stream& stream, std::string_view place, UnknownKeys& unknown);

/// The members of the object that comes next, each of them once.
class FileMembers {
  public:
    /// `what` and `place` are how messages call the object and its members: "a database",
    /// "database"; the place of the file is empty. Goes into the object.
    FileMembers(json::Stream& stream, std::string_view what, std::string place)
        : stream_(stream), place_(std::move(place)) {
        stream_.open('{', what);
    }

    /// Whether there is one more, whose value comes next; if not, leaves the object. Throws Problem
    /// where its key comes a second time.
    bool next();

  private:
    json::Stream& stream_;
    std::string place_;
    std::set<std::string> keys_;
};

/// The hash that is the key of the stream's next value. Throws Problem; `place`: "concrete_specs".
DagHash read_key(const json::Stream& stream, std::string_view place);

}  // namespace cacheledger
