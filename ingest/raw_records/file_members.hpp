#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "ingest/basics/problem.hpp"
#include "ingest/json/stream.hpp"
#include "ingest/node_reader/node_reader.hpp"
#include "schema/spelling/dag_hash.hpp"

/// How the members of a file are walked through, whatever its kind. For .cpp files only.
namespace cacheledger {

/// Runs `read`. What it throws about a value gets the place in front; what a stream throws says
/// itself where it is.
template <typename Read>
auto at_place(std::string_view place, const Read& read) {
    try {
        return read();
    } catch (const json::StreamProblem&) {
        throw;
    } catch (Problem& problem) {
        if (!place.empty()) {
            problem.enter(place);
        }
        throw;
    }
}

/// Passes the stream's next value, and counts its key as unknown. `place`: "database."
void skip_unknown(json::Stream& stream, std::string_view place, UnknownKeys& unknown);

/// The keys that an object has had.
class SeenKeys {
  public:
    explicit SeenKeys(std::string place) : place_(std::move(place)) {}

    /// Throws Problem where the key comes a second time.
    void operator()(const std::string& key) {
        if (!keys_.insert(key).second) {
            throw Problem(fmt::format("'{}{}{}' is given twice", place_, place_.empty() ? "" : ".",
                                      shortened(key, longest_quote)));
        }
    }

  private:
    std::string place_;
    std::set<std::string> keys_;
};

/// The hash that is the key of the stream's next value. Throws Problem; `place`: "concrete_specs".
DagHash read_key(const json::Stream& stream, std::string_view place);

}  // namespace cacheledger
