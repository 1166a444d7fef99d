#include "schema/specs/lists/list_header.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view beginning = "-- ";
constexpr std::string_view separator = " / ";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(spec_blanks);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(spec_blanks) + 1 - begin);
}

std::vector<DependencyQuery> compilers_of(std::string_view text) {
    if (text.empty() || text == "no compilers" || text == "no compiler") {
        return {};
    }
    const std::string_view mark = text.starts_with('%') ? "" : "%";
    return parse_spec(fmt::format("{}{}", mark, text)).dependencies;
}

}  // namespace

bool is_list_header(std::string_view line) {
    return line.starts_with(beginning);
}

ListHeader read_list_header(std::string_view line) {
    line.remove_prefix(beginning.size());
    line = trimmed(line.substr(0, line.find_last_not_of('-') + 1));
    const std::size_t slash = line.find(separator);
    const std::string arch(trimmed(line.substr(0, slash)));
    ListHeader header;
    if (arch == "root specs") {
        header.are_roots = true;
        return header;
    }
    if (arch != "no arch") {
        header.system = parse_spec("arch=" + arch);
    }
    if (slash != std::string_view::npos) {
        header.compilers = compilers_of(trimmed(line.substr(slash + separator.size())));
    }
    for (DependencyQuery& compiler : header.compilers) {
        if (header.has_system()) {
            compiler.spec.version = compiler.spec.version.exact();
        }
    }
    return header;
}

}  // namespace cacheledger
