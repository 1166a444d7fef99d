#include "ingest/nodes/node_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/json/json.hpp"
#include "ingest/json/raw_members.hpp"
#include "ingest/page/problem.hpp"

namespace cacheledger {

std::string_view NodeFields::operator[](NodeKey key) const {
    const std::string_view value = find(key);
    if (value.empty()) {
        throw std::invalid_argument(
            fmt::format("expected a '{}'", keys_of_node[static_cast<std::size_t>(key)]));
    }
    return value;
}

struct NodeFieldsReader::State {
    simdjson::dom::parser parser;
    json::Texts texts;
    NodeFields fields;

    // In form 1 a node has one member, whose key is the package.
    void unwrap(std::string_view text) {
        fields.text = text;
        json::RawMembers members(texts);
        members.start(text, "the node");
        json::RawMember only;
        if (!members.next(only) || !only.value.starts_with('{')) {
            return;
        }
        fields.outer_name = only.key;
        const std::string_view inner = only.value;
        if (members.next(only)) {
            fields.outer_name.clear();
        } else {
            fields.text = inner;
        }
    }

    void set(const json::RawMember& member) {
        const auto* const key = std::find(keys_of_node.begin(), keys_of_node.end(), member.key);
        if (key == keys_of_node.end()) {
            fields.unknown.push_back(shortened(member.key, longest_quote));
            json::parse(parser, member.value);
            return;
        }
        std::string_view& value =
            fields.values_[static_cast<std::size_t>(key - keys_of_node.begin())];
        if (!value.empty()) {
            throw std::invalid_argument(fmt::format("'{}' is given twice", *key));
        }
        value = member.value;
    }

    void read_members(bool names_only) {
        json::RawMembers members(texts);
        members.start(fields.text, "the node");
        std::size_t behind_last = 0;
        bool hash_is_first = false;
        for (json::RawMember member; members.next(member); behind_last = member.end) {
            if (hash_is_first) {
                fields.hash_cut.end = member.begin;
                hash_is_first = false;
            }
            if (member.key == "hash") {
                hash_is_first = behind_last == 0;
                fields.hash_cut = {hash_is_first ? member.begin : behind_last, member.end};
            }
            set(member);
            if (names_only && fields.has(NodeKey::name) && fields.has(NodeKey::version)) {
                return;
            }
        }
    }

    const NodeFields& read(std::string_view text, bool names_only) {
        fields = {};
        unwrap(text);
        read_members(names_only);
        return fields;
    }
};

NodeFieldsReader::NodeFieldsReader() : state_(std::make_unique<State>()) {}
NodeFieldsReader::~NodeFieldsReader() = default;

const NodeFields& NodeFieldsReader::read(std::string_view text) {
    return state_->read(text, false);
}

const NodeFields& NodeFieldsReader::read_name(std::string_view text) {
    return state_->read(text, true);
}

}  // namespace cacheledger
