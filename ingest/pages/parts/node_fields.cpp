#include "ingest/pages/parts/node_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/json/value_scan.hpp"
#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

/// Walks through the members of an object that is one text, without a look into their values.
class RawMembers {
  public:
    std::string_view key;    // what it stands for, without quotes; until the next member
    std::string_view value;  // not parsed yet
    std::size_t begin = 0;   // of key and value, in the object
    std::size_t end() const { return at_; }

    explicit RawMembers(std::string_view text) : text_(text) {
        if (next_character() != '{') {
            throw Problem("the node", "expected an object");
        }
        ++at_;
    }

    bool next() {
        if (next_character() == '}') {
            return false;
        }
        if (has_members_) {
            pass(',', "',' or '}'");
        }
        has_members_ = true;
        if (next_character() != '"') {
            refuse("a key");
        }
        begin = at_;
        key = json::text(pass_value("a key"), "a key", key_memory_);
        pass(':', "':'");
        value = pass_value("a value");
        return true;
    }

  private:
    // That behind blanks; NUL at the end.
    char next_character() {
        while (at_ < text_.size() && json::is_blank(text_[at_])) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    void pass(char character, std::string_view expected) {
        if (next_character() != character) {
            refuse(expected);
        }
        ++at_;
    }

    std::string_view pass_value(std::string_view expected) {
        next_character();
        json::ValueScan scan;
        scan.start();
        const char* const first = text_.data() + at_;
        const char* const behind = scan.go_on(first, text_.data() + text_.size());
        if (behind == first || !scan.has_ended()) {
            refuse(expected);
        }
        const std::string_view passed(first, static_cast<std::size_t>(behind - first));
        at_ += passed.size();
        return passed;
    }

    [[noreturn]] void refuse(std::string_view expected) const {
        throw Problem(fmt::format(
            "broken JSON at character {} of the value: expected {}, found {}", at_, expected,
            at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("its end")));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool has_members_ = false;
    std::string key_memory_;
};

}  // namespace

std::string_view NodeFields::operator[](NodeKey key) const {
    const std::string_view value = find(key);
    if (value.empty()) {
        throw Problem(fmt::format("expected a '{}'", name_of(key)));
    }
    return value;
}

NodeFields::NodeFields(std::string_view node, simdjson::dom::parser& parser) : text(node) {
    unwrap();
    RawMembers members(text);
    bool hash_is_first = false;
    for (std::size_t behind_last = 0; members.next(); behind_last = members.end()) {
        if (std::exchange(hash_is_first, false)) {
            hash_cut.end = members.begin;
        }
        if (members.key == "hash") {
            hash_is_first = behind_last == 0;
            hash_cut = {hash_is_first ? members.begin : behind_last, members.end()};
        }
        set(members.key, members.value, parser);
    }
}

// In form 1 a node has one member, whose key is the package.
void NodeFields::unwrap() {
    RawMembers members(text);
    if (!members.next() || !members.value.starts_with('{')) {
        return;
    }
    const std::string_view inner = members.value;
    outer_name = members.key;
    if (members.next()) {
        outer_name.clear();
    } else {
        text = inner;
    }
}

void NodeFields::set(std::string_view key, std::string_view value, simdjson::dom::parser& parser) {
    const auto* const known = std::find(keys_of_node.begin(), keys_of_node.end(), key);
    if (known == keys_of_node.end()) {
        unknown.push_back(shortened(key, longest_quote));
        json::parse(parser, value);
        return;
    }
    if (!values_[static_cast<std::size_t>(known - keys_of_node.begin())].empty()) {
        throw Problem(fmt::format("'{}' is given twice", key));
    }
    values_[static_cast<std::size_t>(known - keys_of_node.begin())] = value;
}

}  // namespace cacheledger
