#include "schema/spelling/spec_name.hpp"

#include <algorithm>

namespace cacheledger {

namespace {

// Takes what stands before any of the characters off `rest`.
std::string_view take_until(std::string_view& rest, std::string_view any_of) {
    const std::size_t end = std::min(rest.find_first_of(any_of), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end);
    return taken;
}

}  // namespace

SpecName parse_spec_name(std::string_view printed) {
    constexpr std::string_view arch = " arch=";
    SpecName name;
    name.text = printed.substr(0, printed.find(" ^"));
    std::string_view rest = name.text;
    name.package = take_until(rest, "@%+~ ");
    if (rest.starts_with('@')) {
        rest.remove_prefix(rest.starts_with("@=") ? 2 : 1);
        name.version = take_until(rest, "%+~ ");
    }
    if (rest.starts_with('%')) {
        rest.remove_prefix(1);
        name.compiler = take_until(rest, "+~ ");
    }
    if (const std::size_t begin = rest.rfind(arch); begin != std::string_view::npos) {
        rest.remove_prefix(begin + arch.size());
        name.arch = take_until(rest, " ");
    }
    return name;
}

}  // namespace cacheledger
