#include "reports/spec_hashes.hpp"

namespace cacheledger {

namespace {

/// Finding a hash takes about as long as reading this many in passing.
constexpr std::size_t hashes_for_one_search = 4;

}  // namespace

void SpecHashes::expect(std::size_t count) {
    const auto last = static_cast<std::size_t>(read_id(database_, "SELECT max(spec_id) FROM spec"));
    if (!places_.empty() || count * hashes_for_one_search <= last) {
        return;
    }
    constexpr std::size_t hash_size = 32;
    places_.resize(last + 1);
    texts_.reserve(last * hash_size);
    Reader reader(database_, "SELECT spec_id, hash FROM spec NOT INDEXED");
    while (reader.step()) {
        const std::string_view hash = reader.text(1);
        places_.at(static_cast<std::size_t>(reader.id(0))) = {texts_.size(), hash.size()};
        texts_ += hash;
    }
}

std::string SpecHashes::find(std::int64_t spec_id) {
    if (!places_.empty()) {
        const auto [offset, size] = places_.at(static_cast<std::size_t>(spec_id));
        return texts_.substr(offset, size);
    }
    hash_.start(spec_id);
    return hash_.step() ? std::string(hash_.text(0)) : std::string();
}

}  // namespace cacheledger
