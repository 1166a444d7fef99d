#include "ingest/yaml_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cacheledger {

namespace {

// Whether a double quote stays open at the end of the line. No page has such a line, and yaml-cpp
// (0.7) takes a text whose quote is never closed as if it were, with all that follows in it.
bool leaves_quote_open(std::string_view line) {
    // A quote within plain text (5" disk) is none.
    const std::string_view before = line.substr(0, line.find('"'));
    const std::size_t last = before.find_last_not_of(" \t");
    if (last != std::string_view::npos &&
        std::string_view(":-[{,").find(before[last]) == std::string_view::npos) {
        return false;
    }
    bool open = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && open) {
            ++i;
        } else if (line[i] == '"') {
            open = !open;
        }
    }
    return open;
}

}  // namespace

void YamlRest::add(std::string_view line, int number) {
    const auto refuse = [&](const char* why) {
        throw std::invalid_argument(fmt::format("{}: {}", number, why));
    };
    if (line.find('\0') != std::string_view::npos) {
        // At the beginning yaml-cpp takes one for another encoding, and reads nothing.
        refuse("a NUL character");
    }
    brackets_ += static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return c == '[' || c == '{'; }));
    if (brackets_ > most_brackets ||
        std::min(line.find_first_not_of("-?: \t"), line.size()) > most_indicators) {
        refuse("nested too deeply for the front matter of a page");
    }
    if (line.find('\r') != std::string_view::npos) {
        refuse("expected lines that end with a line feed, found a carriage return alone");
    }
    if (line.starts_with("---") || line.starts_with("...")) {
        refuse("expected one YAML document, here it ends");
    }
    if (leaves_quote_open(line)) {
        refuse("broken YAML: a quote is not closed on its line");
    }
    if (text_.size() + line.size() > most_yaml) {
        refuse("the front matter beside meta and spec_details is longer than 1 MiB");
    }
    text_ += line;
    text_ += '\n';
}

}  // namespace cacheledger
