#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/json/stream.hpp"
#include "ingest/graphs/graph/known_nodes.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/digest.hpp"

/// Takes indexes and install databases apart, without reading their nodes. For .cpp files only.
namespace cacheledger {

inline constexpr std::string_view records_place = "database.installs";

/// A record of an index or an install database.
struct RawRecord {
    DagHash key{};
    std::size_t begin = 0, end = 0;   ///< its node, in RawRecords::text, unless it is known
    Digest sha1{};                    ///< node_sha1() of the node
    std::uint32_t known_package = 0;  ///< where KnownNodes finds it with this text
    bool in_buildcache = false, installed = false;

    /// Digests the node, and finds it in what is known; `known` may be null.
    void digest(std::string_view node, const KnownNodes* known);
};

/// Some records in the order of the file.
struct RawRecords {
    std::vector<RawRecord> records;
    std::string text;

    std::string_view node(const RawRecord& record) const {
        return std::string_view(text).substr(record.begin, record.end - record.begin);
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
    void read_member(RawRecords& into, RawRecord& record);
    bool read_bool(std::string_view text, std::string_view key);
    void check(std::string_view text);

    json::Stream& stream_;
    const KnownNodes* known_;
    simdjson::dom::parser parser_;
    std::string place_;            // kept for its memory
    std::array<bool, 9> given_{};  // which known keys the record has had
};

}  // namespace cacheledger
