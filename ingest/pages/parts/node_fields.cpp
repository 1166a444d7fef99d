#include "ingest/pages/parts/node_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

namespace {

// All elements of a list, or the value itself.
template <typename Take>
void for_each_value(const json::element& value, const Take& take) {
    if (simdjson::dom::array list; value.get(list) == simdjson::SUCCESS) {
        for (const json::element item : list) {
            take(item);
        }
    } else {
        take(value);
    }
}

std::string value_text(const json::element& value, std::string_view where) {
    if (value.is_bool()) {
        return value.get_bool().value_unsafe() ? "true" : "false";
    }
    if (value.is_int64()) {
        return fmt::format("{}", value.get_int64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "true, false, a text, or a list of them", value);
    }
    return std::string(json::text(value, where));
}

std::string with_quotes(std::string_view flag) {
    if (flag.find(' ') == std::string_view::npos) {
        return std::string(flag);
    }
    const char quote = flag.find('\'') == std::string_view::npos ? '\'' : '"';
    return fmt::format("{}{}{}", quote, flag, quote);
}

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

void check_package_name(std::string_view name) {
    if (name.empty()) {
        throw Problem("expected a 'name'");
    }
    if (!is_package_name(name)) {
        throw Problem(fmt::format("name: expected the name of a package, like py-numpy, found '{}'",
                                  shortened(name, longest_quote)));
    }
}

DagHash read_dag_hash(std::string_view text, std::string_view where) {
    if (!is_dag_hash(text)) {
        throw Problem(where, fmt::format("expected 32 characters of a-z and 2-7, found '{}'",
                                         shortened(text, longest_quote)));
    }
    return dag_hash(text);
}

std::string version_text(const json::element& value, std::string_view where) {
    if (value.is_uint64()) {  // any whole number that is not negative
        return fmt::format("{}", value.get_uint64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "a text or a whole number", value);
    }
    const std::string_view text = json::text(value, where);
    if (text.empty()) {
        json::refuse(where, "a version", value);
    }
    return std::string(text);
}

Compiler compiler_of(const json::Members& compiler) {
    const std::string_view name = compiler.text("name");
    if (name.empty() || name.find_first_of("@/") != std::string_view::npos) {
        json::refuse(compiler.place("name"), "a name without '@' and '/'", compiler["name"]);
    }
    return make_compiler(name, version_text(compiler["version"], compiler.place("version")));
}

std::vector<Variant> variants_of(const json::Members& parameters) {
    std::vector<Variant> variants;
    for (const auto& [name, value] : parameters) {
        if (is_compiler_flag(name)) {
            continue;
        }
        const std::string where = parameters.place(name);
        Variant variant;
        variant.name = name;
        for_each_value(value, [&](const json::element& item) {
            variant.values.push_back(value_text(item, where));
        });
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::string flags_of(const json::Members& parameters) {
    std::string flags;
    for (const auto& [name, value] : parameters) {
        if (!is_compiler_flag(name)) {
            continue;
        }
        std::string list;
        for_each_value(value, [&, where = parameters.place(name)](const json::element& item) {
            list +=
                fmt::format("{}{}", list.empty() ? "" : " ", with_quotes(json::text(item, where)));
        });
        if (!list.empty()) {
            flags += fmt::format("{}{}={}", flags.empty() ? "" : " ", name, list);
        }
    }
    return flags;
}

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
    const auto* const known = std::ranges::find(keys_of_node, key);
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
