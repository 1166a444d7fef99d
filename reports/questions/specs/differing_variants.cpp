#include "reports/questions/specs/differing_variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

using Words = std::vector<std::string>;

Words words_of(const Value& variants) {
    Words words;
    if (!is_null(variants)) {
        for (const Variant& variant : parse_variant_text(to_text(variants)).variants) {
            words.push_back(variant_text(variant.name, variant.values));
        }
    }
    return words;
}

}  // namespace

DividedVariants divide_variants(const std::vector<Value>& variants) {
    std::map<std::string, Words> known;  // builds have few variant sets in common
    for (const Value& one : variants) {
        known.try_emplace(to_text(one), words_of(one));
    }
    std::map<std::string, std::size_t> counts;
    for (const auto& [text, words] : known) {
        for (const std::string& word : words) {
            ++counts[word];
        }
    }
    DividedVariants divided;
    if (!known.empty()) {
        std::ranges::copy_if(known.begin()->second, std::back_inserter(divided.alike),
                             [&](const auto& word) { return counts[word] == known.size(); });
    }
    for (const Value& one : variants) {
        Words left;
        std::ranges::copy_if(known[to_text(one)], std::back_inserter(left),
                             [&](const auto& word) { return counts[word] < known.size(); });
        Value& differing = divided.differing.emplace_back();
        if (!left.empty()) {
            differing = fmt::format("{}", fmt::join(left, " "));
        }
    }
    return divided;
}

}  // namespace cacheledger
