#include "ingest/front_matter/limited_yaml.hpp"

#include <algorithm>

#include "ingest/page/problem.hpp"

namespace cacheledger {

void LimitedYaml::add(std::string_view line, int number) {
    if (line.find('\0') != std::string_view::npos) {
        // At the beginning yaml-cpp takes one for another encoding, and reads nothing.
        refuse_line(number, "a NUL character");
    }
    brackets_ += static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return c == '[' || c == '{'; }));
    if (brackets_ > most_brackets ||
        std::min(line.find_first_not_of("-?: \t"), line.size()) > most_indicators) {
        refuse_line(number, "nested too deeply for the front matter of a page");
    }
    if (line.find('\r') != std::string_view::npos) {
        refuse_line(number,
                    "expected lines that end with a line feed, found a carriage return alone");
    }
    if (line.starts_with("---") || line.starts_with("...")) {
        refuse_line(number, "expected one YAML document, here it ends");
    }
    if (text_.size() + line.size() > most_yaml) {
        refuse_line(number, "the front matter beside meta and spec_details is longer than 1 MiB");
    }
    text_ += line;
    text_ += '\n';
}

}  // namespace cacheledger
