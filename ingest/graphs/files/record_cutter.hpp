#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/merge/graph_builder.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/digest.hpp"

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

// Takes indexes and install databases apart, without reading their nodes. For .cpp files only.

inline constexpr std::string_view records_place = "database.installs";

/// Digests the text of a record's node, and finds it in what is known; `known` may be null.
void digest(FileRecord& record, std::string_view node, const KnownNodes* known);

/// Some records in the order of the file.
struct RawRecords {
    std::vector<FileRecord> records;
    std::string text;               ///< of the nodes that are not known, one behind the other
    std::vector<std::size_t> ends;  ///< of each record, where its node ends there

    std::string_view node(std::size_t record) const {
        const std::size_t begin = record == 0 ? 0 : ends[record - 1];
        return std::string_view(text).substr(begin, ends[record] - begin);
    }
};

/// Takes the records of `database.installs` apart and digests their nodes. It uses nothing that
/// the reading of nodes uses, so that both can go on at the same time.
class RecordCutter {
  public:
    /// The stream is in the object of records. `known` may be null. Both must outlive this.
    RecordCutter(json::Stream& stream, const KnownNodes* known) : stream_(stream), known_(known) {}

    /// Replaces the content of `into` by the next records. False if they were the last ones.
    /// Throws Problem; `into` has the records before.
    bool read(RawRecords& into);

    /// What it came across so far.
    bool has_records = false;
    bool has_in_buildcache = false, has_installed = false;  ///< whether any had such a key
    UnknownKeys unknown;

  private:
    void read_record(RawRecords& into);
    void read_member(RawRecords& into, FileRecord& record);
    bool read_bool(std::string_view text, std::string_view key);
    void check(std::string_view text);

    json::Stream& stream_;
    const KnownNodes* known_;
    simdjson::dom::parser parser_;
    std::string place_;            // kept for its memory
    std::array<bool, 9> given_{};  // which known keys the record has had
};

}  // namespace cacheledger
