#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/ledgers/temp_ledger.hpp"

/// What the reports of drift/ should say of two snapshots, found by comparing each spec of one with
/// all of the other, one after the other, as docs/design.md, "Kinds of change", tells it.
namespace cacheledger::drift_model {

/// A spec, spelled in the canonical way.
struct Spec {
    PrintedSpec printed;
    std::string package;
    std::string variants;    ///< all in one text, as the ledger has it
    bool has_stacks = true;  ///< false: it is not known in which it is

    bool has_compiler() const { return printed.compiler != "none"; }
    /// Its package, version and system, by the first `fields` of the three.
    std::string place(int fields) const;
    /// Whether it is in a stack of this name, or in one that fits the pattern.
    bool is_in(const std::string& stack) const;
};

struct Snapshot {
    std::map<std::string, Spec> specs;  ///< by hash
    std::set<std::string> observed;     ///< packages that its series had observed by then
};

/// Rows as texts, columns separated by '|', sorted, by the name of the report without drift/.
using Rows = std::map<std::string, std::vector<std::string>>;

/// Whether a spec is listed and counted. The causes are those of the whole comparison.
using Choice = std::function<bool(const Spec&)>;

/// `package`: a pattern. `stack`: a name or a pattern, or nothing for the whole cache.
Rows drift(
    const Snapshot& from, const Snapshot& to, const std::string& package,
    const std::optional<std::string>& stack,
    const Choice& choice = [](const Spec& /*spec*/) { return true; });

}  // namespace cacheledger::drift_model
