#pragma once

#include <fmt/format.h>

#include <algorithm>
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
#include "ingest/graphs/nodes/node_parts.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

// How the members of a file are walked through, whatever its kind, and how the records of an index
// are cut out of it. For .cpp files only.

/// Passes the stream's next value, and counts its key as unknown. `place`: "database."
inline void skip_unknown(json::Stream& stream, std::string_view place, UnknownKeys& unknown) {
    ++unknown[fmt::format("{}{}", place, shortened(stream.key(), longest_quote))];
    stream.skip();
}

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
    bool next() {
        const bool has_more = stream_.next();
        if (has_more && !keys_.insert(stream_.key()).second) {
            throw Problem(fmt::format("'{}{}{}' is given twice", place_, place_.empty() ? "" : ".",
                                      shortened(stream_.key(), longest_quote)));
        }
        return has_more;
    }

  private:
    json::Stream& stream_;
    std::string place_;
    std::set<std::string> keys_;
};

/// The hash that is the key of the stream's next value. Throws Problem; `place`: "concrete_specs".
inline DagHash read_hash_key(const json::Stream& stream, std::string_view place) {
    const std::string& key = stream.key();
    if (!is_dag_hash(key)) {
        throw Problem(fmt::format("{}: expected keys of 32 characters of a-z and 2-7, found '{}'",
                                  place, shortened(key, longest_quote)));
    }
    return dag_hash(key);
}

// Takes indexes and install databases apart, without reading their nodes. For .cpp files only.

inline constexpr std::string_view records_place = "database.installs";

/// Digests the text of a record's node, and finds it in what is known; `known` may be null.
inline void digest(FileRecord& record, std::string_view node, const KnownNodes* known) {
    record.sha1 = node_sha1(node);
    record.known_package = known != nullptr ? known->find(record.key, text_digest(record.sha1)) : 0;
}

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
    bool read(RawRecords& into) {
        into.records.clear();
        into.text.clear();
        into.ends.clear();
        const std::uint64_t begin = stream_.position();
        while (into.text.size() < usual_batch && stream_.position() - begin < most_of_file) {
            if (!stream_.next()) {
                return false;
            }
            read_record(into);
        }
        return true;
    }

    /// What it came across so far.
    bool has_records = false;
    bool has_in_buildcache = false, has_installed = false;  ///< whether any had such a key
    UnknownKeys unknown;

  private:
    // As much as a processor keeps close by, and what of a file has so much text that is not known.
    static constexpr std::size_t usual_batch = std::size_t{128} << 10;
    static constexpr std::size_t most_of_file = std::size_t{1} << 20;

    // Those behind the first three are not stored.
    static constexpr std::array<std::string_view, 9> known_keys = {
        "spec",     "in_buildcache",     "installed",      "ref_count", "path",
        "explicit", "installation_time", "deprecated_for", "origin"};

    void read_record(RawRecords& into) {
        FileRecord record;
        record.key = read_hash_key(stream_, records_place);
        place_.assign(records_place).append(1, '.').append(text_of(record.key));
        stream_.open('{', place_);
        given_ = {};
        while (stream_.next()) {
            json::at_place([&] { return place_; }, [&] { read_member(into, record); });
        }
        if (!given_.front()) {
            throw Problem(fmt::format("{}: expected a 'spec'", place_));
        }
        into.records.push_back(record);
        into.ends.push_back(into.text.size());
        has_records = true;
    }

    void read_member(RawRecords& into, FileRecord& record) {
        const std::string& name = stream_.key();
        const auto* const known = std::ranges::find(known_keys, name);
        if (known == known_keys.end()) {
            skip_unknown(stream_, "installs.", unknown);
            return;
        }
        if (bool& is_given = given_.at(static_cast<std::size_t>(known - known_keys.begin()));
            std::exchange(is_given, true)) {
            throw Problem(fmt::format("'{}' is given twice", name));
        }
        if (name == "spec") {
            const std::string_view node = stream_.value();
            digest(record, node, known_);
            into.text += record.known_package == 0 ? node : std::string_view();
        } else if (name == "in_buildcache") {
            has_in_buildcache = true;
            record.in_buildcache = read_bool(stream_.value(), name);
        } else if (name == "installed") {
            has_installed = true;
            record.installed = read_bool(stream_.value(), name);
        } else {
            has_installed = has_installed || name == "path";
            check(stream_.value());
        }
    }

    bool read_bool(std::string_view text, std::string_view key) {
        if (text == "true" || text == "false") {
            return text == "true";
        }
        const json::element value = json::parse(parser_, text);
        if (!value.is_null()) {
            json::refuse(key, "true or false", value);
        }
        return false;
    }

    // Whole numbers and plain texts, which nearly all are, need no parser. It takes fourteen times
    // the memory of a text.
    void check(std::string_view text) {
        const bool is_number =
            std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        if (!json::is_plain(text) && (!is_number || (text.size() > 1 && text.front() == '0'))) {
            json::parse(parser_, text);
        }
    }

    json::Stream& stream_;
    const KnownNodes* known_;
    simdjson::dom::parser parser_;
    std::string place_;                            // kept for its memory
    std::array<bool, known_keys.size()> given_{};  // which known keys the record has had
};

/// What a file can be, for messages.
struct ExpectedFile {
    std::string_view what = "an index, an install database or a lock file";
    std::string_view members =
        "an index or install database, with 'database', or a lock file, with "
        "'concrete_specs'";
};

/// Reads one file. Its members tell which kind it is; which comes first does not matter. For .cpp
/// files only.
///
/// This is what a record of an index passes through:
///
///     json::Stream   the bytes of the file, over a window: finds where the node's text ends
///     RecordCutter   in a thread of its own: digests the text, and copies it if it is not known
///     FileReader     asks the graph for it, then the ledger. If neither has it:
///     NodeReader     takes it apart, parses the parts and dependencies, computes the hash again
///
/// A record of 1,400 bytes that the newest state of its series has takes some 9,000 ns of processor
/// time (66,000 records, a ledger of 120 daily states, -O1):
///
///     1,100   reading its bytes and their SHA-256, by which a file is known to be that of before
///     1,050   the SHA-1 of the node, by which its text is known
///     1,300   finding where it and its members end, its key, its place in what is known
///     1,400   its place among the records of the file, in the graph and in the state
///     2,500   its rows of presence, spec and node: of those of a state, no index tells
///     1,400   its dependencies, of which the file may lack one although no record changed
///
/// Then GraphBuilder adds what all records of the file say. A lock file and the spec of a binary
/// are short: there FileReader does the work of RecordCutter.
///
/// `builder` has the nodes of the files before, whose texts are not parsed again. Throws Problem,
/// which says where and what was expected: "database.installs.KEY: arch.target: ...".
FileContent read_graph_file(json::Stream& stream, GraphBuilder& builder, NodeReader& nodes,
                            const ExpectedFile& expected = {});

}  // namespace cacheledger
