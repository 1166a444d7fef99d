#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace spec_property_test {

using namespace cacheledger;

namespace {

using Version = std::vector<int>;
using Values = std::set<std::string>;

/// A spec, simpler than the ledger has it.
struct Spec {
    Version version;
    std::string target;
    std::optional<Version> compiler;  // of gcc
    std::map<std::string, Values> variants;
};

/// A list of ranges; the first and the last version of one may be missing, and the first is exact
/// with '='.
struct Range {
    std::optional<Version> from, to;
    bool is_exact = false;
};

struct Asked {
    std::string name;
    Values values;
    bool is_exact = false, is_any = false;
};

struct Query {
    std::vector<Range> version, compiler;
    std::string target;
    std::vector<Asked> variants;
};

bool begins_with(const Version& version, const Version& beginning) {
    return version.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), version.begin());
}

bool is_in(const Version& version, const Range& range) {
    if (range.is_exact) {
        return version == *range.from;
    }
    return (!range.from || version >= *range.from) &&
           (!range.to || version <= *range.to || begins_with(version, *range.to));
}

bool is_in(const Version& version, const std::vector<Range>& ranges) {
    return ranges.empty() || std::any_of(ranges.begin(), ranges.end(),
                                         [&](const Range& range) { return is_in(version, range); });
}

bool has(const Spec& spec, const Asked& asked) {
    const auto found = spec.variants.find(asked.name);
    if (found == spec.variants.end()) {
        return false;
    }
    return asked.is_any ||
           (asked.is_exact ? found->second == asked.values
                           : std::includes(found->second.begin(), found->second.end(),
                                           asked.values.begin(), asked.values.end()));
}

Answer expected(const Query& query, const Spec& spec) {
    const bool holds = is_in(spec.version, query.version) &&
                       (query.target.empty() || query.target == spec.target) &&
                       std::all_of(query.variants.begin(), query.variants.end(),
                                   [&](const Asked& asked) { return has(spec, asked); });
    if (!holds) {
        return Answer::no;
    }
    if (query.compiler.empty()) {
        return Answer::yes;
    }
    return spec.compiler ? answer(is_in(*spec.compiler, query.compiler)) : Answer::unknown;
}

std::string text(const Version& version) {
    return fmt::format("{}", fmt::join(version, "."));
}

std::string boolean_sign(const Values& values) {
    return values == Values{"true"} ? "+" : values == Values{"false"} ? "~" : "";
}

SpecWords words(const Spec& spec) {
    std::vector<Variant> variants;
    for (const auto& [name, values] : spec.variants) {
        variants.push_back({name, {values.begin(), values.end()}});
    }
    SpecWords words;
    words.package = "hdf5";
    words.version = text(spec.version);
    words.target = spec.target;
    if (spec.compiler) {
        words.compiler = "gcc@" + text(*spec.compiler);
    }
    words.variants = make_variants(variants).text;
    return words;
}

/// Random specs and queries, out of few words so that they meet.
class Words {
  public:
    explicit Words(unsigned seed) : random_(seed) {}

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
    bool often() { return below(4) != 0; }

    Version version() {
        Version version;
        for (int i = below(3); i >= 0; --i) {
            version.push_back(std::vector{0, 1, 2, 9, 10, 11}[static_cast<std::size_t>(below(6))]);
        }
        return version;
    }

    std::string target() {
        return std::vector{"zen2", "zen3", "x86_64"}[static_cast<std::size_t>(below(3))];
    }

    Values values(bool is_boolean) {
        if (is_boolean) {
            return {below(2) == 0 ? "true" : "false"};
        }
        Values values;
        while (values.empty()) {
            for (const auto* const value : {"a", "b", "c"}) {
                if (below(2) == 0) {
                    values.insert(value);
                }
            }
        }
        return values;
    }

    Spec spec() {
        Spec spec{version(), target(), {}, {}};
        if (often()) {
            spec.compiler = version();
        }
        for (const auto* const name : {"mpi", "shared", "api"}) {
            if (often()) {
                spec.variants[name] = values(std::string(name) != "api");
            }
        }
        return spec;
    }

    std::vector<Range> ranges() {
        std::vector<Range> ranges;
        for (int i = below(3); i >= 0; --i) {
            Range range{version(), {}, below(4) == 0};
            range.to = range.from;
            if (!range.is_exact && below(2) == 0) {
                range.to = version();
                if (*range.to < *range.from && !begins_with(*range.from, *range.to)) {
                    std::swap(range.from, range.to);
                }
                (below(2) == 0 ? range.from : range.to).reset();
            }
            ranges.push_back(range);
        }
        return ranges;
    }

    Query query() {
        Query query;
        if (often()) {
            query.version = ranges();
        }
        if (below(2) == 0) {
            query.compiler = ranges();
        }
        if (below(4) == 0) {
            query.target = target();
        }
        for (const auto* const name : {"mpi", "api"}) {
            if (below(3) == 0) {
                const bool is_boolean = std::string(name) != "api";
                query.variants.push_back(
                    {name, values(is_boolean), !is_boolean && below(2) == 0, below(5) == 0});
            }
        }
        return query;
    }

    // One of the ways to write it.
    std::string typed(const Query& query) {
        std::vector<std::string> options;
        if (!query.target.empty()) {
            options.push_back((below(2) == 0 ? " target=" : " arch=") + query.target);
        }
        for (const Asked& asked : query.variants) {
            options.push_back(typed(asked));
        }
        if (!query.version.empty()) {
            options.push_back((below(2) == 0 ? "@" : " @ ") + typed(query.version));
        }
        std::shuffle(options.begin(), options.end(), random_);
        if (!query.compiler.empty()) {
            options.push_back(" % gcc @" + typed(query.compiler));
        }
        return fmt::format("hdf5{}", fmt::join(options, ""));
    }

  private:
    std::string typed(const std::vector<Range>& ranges) {
        std::vector<std::string> all;
        for (const Range& range : ranges) {
            const std::string from = range.from ? text(*range.from) : "";
            all.push_back(range.is_exact ? "=" + from
                          : range.from == range.to
                              ? from
                              : from + ":" + (range.to ? text(*range.to) : ""));
        }
        return fmt::format("{}", fmt::join(all, below(2) == 0 ? "," : " , "));
    }

    std::string typed(const Asked& asked) {
        const std::string sign = boolean_sign(asked.values);
        if (asked.is_any) {
            return fmt::format(" {}=* ", asked.name);
        }
        if (!sign.empty() && below(2) == 0) {
            return fmt::format(" {}{}", sign, asked.name);
        }
        std::vector<std::string> values(asked.values.begin(), asked.values.end());
        std::shuffle(values.begin(), values.end(), random_);
        const std::string quote = below(2) == 0 ? "'" : "";
        return fmt::format(" {}{}={}{}{} ", asked.name, asked.is_exact ? ":" : "", quote,
                           fmt::join(values, ","), quote);
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("Random queries match random specs as a simple model says") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    Words random(seed);
    std::map<Answer, int> answers;
    for (int i = 0; i < 300; ++i) {
        const Query query = random.query();
        const std::string typed = random.typed(query);
        INFO(typed);
        const SpecQuery parsed = parse_spec(typed);
        CHECK(parse_spec(parsed.text()) == parsed);
        for (int k = 0; k < 20; ++k) {
            const Spec spec = random.spec();
            const SpecWords said = words(spec);
            INFO(said.version.value() << ' ' << said.compiler.value_or("none") << ' '
                                      << said.target.value() << ' ' << said.variants.value());
            const Answer found = matches(parsed, said);
            CHECK(found == expected(query, spec));
            ++answers[found];
        }
    }
    CHECK(answers.size() == 3);
}

}  // namespace spec_property_test
