#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/ledgers/graph_fixture.hpp"

/// Random snapshots of pages, indexes and lock files, which contradict and fill each other as real
/// ones do.
namespace cacheledger::random_sources {

using Hashes = std::set<std::string>;
using StackNames = std::set<std::string>;
using State = std::map<std::string, StackNames>;  // stacks by hash

/// The specs that there are. What is true of each follows from its number.
constexpr int most_specs = 10;

std::string package_of(const std::string& hash);
std::vector<std::string> children_of(const std::string& hash);

/// Pages of these print no compiler.
bool lacks_compiler(const std::string& hash);

/// How much a source says of a spec.
struct Said {
    bool node = false;
    bool virtuals = false;
    bool package_hash = false;
    bool compiler = false;

    void fill(const Said& other) {
        node = node || other.node;
        virtuals = virtuals || other.virtuals;
        package_hash = package_hash || other.package_hash;
        compiler = compiler || other.compiler;
    }
};

/// What one snapshot is made from.
struct Given {
    std::string kind = "index";
    int day = 1;
    std::map<std::string, Said> specs;  // by hash
    std::map<std::string, Hashes> labels;
    StackNames unread;
    std::vector<std::pair<std::string, std::string>> roots;
    State pages;

    std::string tag() const { return kind == "lock" ? "casper" : "develop"; }
    std::string moment() const { return fmt::format("2025-03-{:02}", day); }
    std::string name() const { return fmt::format("{}@{}T00:00:00Z", tag(), moment()); }
};

class RandomSources {
  public:
    explicit RandomSources(unsigned seed) : random_(seed) {}

    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
    bool maybe() { return below(2) == 0; }
    std::mt19937& random() { return random_; }

    Given any(int day);

  private:
    void add(Given& source, const std::string& hash);

    std::mt19937 random_;
};

/// Makes the snapshot. `replace`: it is there.
void load(TempLedger& ledger, const Given& source, bool replace);

}  // namespace cacheledger::random_sources
