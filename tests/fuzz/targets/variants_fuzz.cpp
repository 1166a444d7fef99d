#include "schema/specs/spelling/variants.hpp"

#include <simdjson.h>

#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

// A variant a line.
void variants(std::string_view text) {
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        return;  // no page gets so far
    }
    std::vector<std::string_view> printed;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        printed.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    VariantSet set;
    try {
        set = parse_variants(printed);
    } catch (const std::invalid_argument&) {
        return;
    }
    require(make_variants(set.variants).text == set.text, "values print as their set");
    std::vector<std::string> canonical;
    for (const Variant& variant : set.variants) {
        canonical.push_back(make_variants({variant}).text);
    }
    const VariantSet again = parse_variants({canonical.rbegin(), canonical.rend()});
    require(again.text == set.text, "the canonical spelling reads as itself, in any order");
    for (std::size_t i = 0; i < set.variants.size(); ++i) {
        require(again.variants[i].name == set.variants[i].name &&
                    again.variants[i].values == set.variants[i].values,
                "the canonical spelling has the same values");
    }
}

}  // namespace cacheledger::fuzz
