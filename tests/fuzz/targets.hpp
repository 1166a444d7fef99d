#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

/// What is fuzzed: functions that take any text, and say so by an exception where a property of the
/// code under test does not hold. libFuzzer calls one of them (libfuzzer.cpp); the corpus of each
/// is an ordinary test as well (corpus_test.cpp).
namespace cacheledger::fuzz {

/// A property that does not hold.
struct Find : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool holds, std::string_view property) {
    if (!holds) {
        throw Find(std::string(property));
    }
}

void commit(std::string_view text);
void compiler(std::string_view text);
void front_matter(std::string_view text);
void graph(std::string_view text);
void input(std::string_view text);
void moment(std::string_view text);
void page(std::string_view text);
void report(std::string_view text);
void snapshot(std::string_view text);
void spec_details(std::string_view text);
void spec(std::string_view text);
void spec_file(std::string_view text);
void spec_list(std::string_view text);
void tag(std::string_view text);
void url(std::string_view text);
void variants(std::string_view text);
void limited_yaml(std::string_view text);

struct Target {
    std::string_view name;  ///< of its folder in corpus/, too
    void (*run)(std::string_view text);
};

inline constexpr std::array<Target, 17> targets = {{{"commit", commit},
                                                    {"compiler", compiler},
                                                    {"front_matter", front_matter},
                                                    {"graph", graph},
                                                    {"input", input},
                                                    {"moment", moment},
                                                    {"page", page},
                                                    {"report", report},
                                                    {"snapshot", snapshot},
                                                    {"spec_details", spec_details},
                                                    {"spec", spec},
                                                    {"spec_file", spec_file},
                                                    {"spec_list", spec_list},
                                                    {"tag", tag},
                                                    {"url", url},
                                                    {"variants", variants},
                                                    {"limited_yaml", limited_yaml}}};

}  // namespace cacheledger::fuzz
