#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ingest/basics/problem.hpp"
#include "ingest/json/stream.hpp"
#include "ingest/node_reader/node_reader.hpp"
#include "schema/spelling/dag_hash.hpp"

/// How the members of a file are walked through, whatever its kind.
namespace cacheledger {

/// Runs `read`. What it throws about a value gets the place in front, which `make_place` gives;
/// what a stream throws says itself where it is.
template <typename MakePlace, typename Read>
void at_place(const MakePlace& make_place, const Read& read) {
    try {
        read();
    } catch (const json::StreamProblem&) {
        throw;
    } catch (Problem& problem) {
        problem.enter(make_place());
        throw;
    }
}

/// How messages call an object.
struct ObjectNames {
    std::string_view what;     ///< "a database"
    std::string place;         ///< of its members: "database"; nothing for the file
    std::string_view unknown;  ///< of members that are not known: "database."
};

/// Walks through the object that comes next. `read` gets the key of each member, whose value comes
/// next, and says whether it read that; else the key is counted as unknown. Throws Problem where a
/// key comes a second time.
void read_members(json::Stream& stream, const ObjectNames& names, UnknownKeys& unknown,
                  const std::function<bool(const std::string& key)>& read);

/// Passes the stream's next value, and counts its key as unknown. `place`: "database."
void skip_unknown(json::Stream& stream, std::string_view place, UnknownKeys& unknown);

/// The hash that is the key of the stream's next value. Throws Problem; `place`: "concrete_specs".
DagHash read_key(const json::Stream& stream, std::string_view place);

}  // namespace cacheledger
