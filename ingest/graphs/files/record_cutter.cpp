#include "ingest/graphs/files/record_cutter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "ingest/graphs/nodes/node_hash.hpp"

namespace cacheledger {

namespace {

// As much as a processor keeps close by, and what of a file has so much text that is not known.
constexpr std::size_t usual_batch = std::size_t{128} << 10, most_of_file = std::size_t{1} << 20;

// Those behind the first three are not stored.
constexpr std::array<std::string_view, 9> known_keys = {
    "spec",     "in_buildcache",     "installed",      "ref_count", "path",
    "explicit", "installation_time", "deprecated_for", "origin"};

}  // namespace

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

void digest(FileRecord& record, std::string_view node, const KnownNodes* known) {
    record.sha1 = node_sha1(node);
    record.known_package = known != nullptr ? known->find(record.key, text_digest(record.sha1)) : 0;
}

bool RecordCutter::read(RawRecords& into) {
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

void RecordCutter::read_record(RawRecords& into) {
    FileRecord record;
    record.key = read_key(stream_, records_place);
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

void RecordCutter::read_member(RawRecords& into, FileRecord& record) {
    const std::string& name = stream_.key();
    const auto* const known = std::find(known_keys.begin(), known_keys.end(), name);
    if (known == known_keys.end()) {
        skip_unknown(stream_, "installs.", unknown);
        return;
    }
    static_assert(std::tuple_size_v<decltype(given_)> == known_keys.size());
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

bool RecordCutter::read_bool(std::string_view text, std::string_view key) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    const json::element value = json::parse(parser_, text);
    if (!value.is_null()) {
        json::refuse(key, "true or false", value);
    }
    return false;
}

// Whole numbers and plain texts, which nearly all are, need no parser. It takes fourteen times the
// memory of a text.
void RecordCutter::check(std::string_view text) {
    const bool is_number =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!json::is_plain(text) && (!is_number || (text.size() > 1 && text.front() == '0'))) {
        json::parse(parser_, text);
    }
}

}  // namespace cacheledger
