#include "ingest/bytes/json/json.hpp"

#include <algorithm>
#include <new>

#include "ingest/bytes/json/walk.hpp"
#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger::json {

namespace {

// simdjson does not say where a text breaks. nlohmann's parser does; it is used only then.
std::string position_of_break(std::string_view text) {
    const std::size_t position = Walk().run(text);
    return position == 0 ? "" : fmt::format(" at character {} of the value", position);
}

}  // namespace

std::string message_of(simdjson::error_code error) {
    const std::string message = simdjson::error_message(error);
    const std::size_t end = message.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return end != 0 && message.compare(std::min(end, message.size()), 2, ": ") == 0
               ? message.substr(end + 2)
               : message;
}

simdjson::error_code try_parse(simdjson::dom::parser& parser, std::string_view text,
                               element& value) {
    return simdjson::validate_utf8(text.data(), text.size())
               ? parser.parse(text.data(), text.size()).get(value)
               : simdjson::UTF8_ERROR;
}

element parse(simdjson::dom::parser& parser, std::string_view text) {
    element value;
    const simdjson::error_code error = try_parse(parser, text, value);
    if (error == simdjson::DEPTH_ERROR) {
        throw Problem("broken JSON: nested more than 1,024 deep");
    }
    if (error == simdjson::MEMALLOC) {
        throw std::bad_alloc();
    }
    if (error != simdjson::SUCCESS) {
        throw Problem(fmt::format("broken JSON{}: {}", position_of_break(text), message_of(error)));
    }
    return value;
}

std::string_view kind_of(const element& value) {
    switch (value.type()) {
        case simdjson::dom::element_type::ARRAY:
            return "a list";
        case simdjson::dom::element_type::OBJECT:
            return "an object";
        case simdjson::dom::element_type::STRING:
            return "a text";
        case simdjson::dom::element_type::BOOL:
            return "true or false";
        case simdjson::dom::element_type::NULL_VALUE:
            return "null";
        default:
            return "a number";
    }
}

void refuse(std::string_view where, std::string_view expected, const element& found) {
    std::string what(kind_of(found));
    if (found.is_string()) {
        what = fmt::format("'{}'", shortened(found.get_string().value_unsafe(), longest_quote));
    }
    throw Problem(where, fmt::format("expected {}, found {}", expected, what));
}

std::string_view text(const element& value, std::string_view where) {
    const auto text = as<std::string_view>(value, where, "a text");
    if (text.find('\0') != std::string_view::npos) {
        throw Problem(where, "expected a text without NUL characters");
    }
    return text;
}

bool is_plain(std::string_view written) {
    return written.size() >= 2 && written.front() == '"' && written.back() == '"' &&
           std::all_of(written.begin() + 1, written.end() - 1,
                       [](char c) { return c >= ' ' && c < '\x7f' && c != '\\' && c != '"'; });
}

std::string_view text(std::string_view written, std::string_view where, std::string& memory) {
    if (is_plain(written)) {
        return written.substr(1, written.size() - 2);
    }
    simdjson::dom::parser parser;
    return memory.assign(text(parse(parser, written), where));
}

void texts(const element& value, std::string_view where, std::vector<std::string_view>& into) {
    const auto list = as<array>(value, where, "a list of texts");
    if (list.size() > most_texts) {
        throw Problem(where, fmt::format("expected at most {} texts in a list", most_texts));
    }
    into.clear();
    for (const element item : list) {
        into.push_back(text(item, where));
    }
}

Members::Members(const element& value, std::string_view where, std::string_view what)
    : where_(where) {
    for (const auto [key, member] : as<object>(value, where.empty() ? what : where, "an object")) {
        if (!members_.emplace(key, member).second) {
            throw Problem(fmt::format("'{}' is given twice", place(key)));
        }
    }
}

const element& Members::operator[](std::string_view key) const {
    const element* const found = find(key);
    if (found == nullptr) {
        throw Problem(fmt::format("expected a '{}'", place(key)));
    }
    return *found;
}

}  // namespace cacheledger::json
