#pragma once

#include <string>

// Catch2 2 (Debian 12) or 3 (newer): the tests use only what both have, and one name of 3 for what
// 2 calls Contains. In 3, Contains is of ranges.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& part) {
    return Contains(part);
}

}  // namespace Catch::Matchers
#endif

/// What the call throws, of this kind, as text; `none` where it throws nothing.
template <typename Error, typename Call>
std::string thrown(const Call& call, const char* none = "none") {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return none;
}
