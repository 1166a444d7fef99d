#include "schema/ledger/wishes/wanted_builds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

Wish wish_of(const WantedSpec& wanted) {
    return {.spec = wanted.text,
            .query = wanted.asked(),
            .group = {},
            .line = wanted.line,
            .conditions = wanted.conditions};
}

// A hash is one build, whatever is demanded of others.
bool has_rules_of_wishes(const WantedSpec& wanted) {
    return wanted.is_wish && wanted.query.package && wanted.query.hash.empty();
}

MatchingSpecs matching_of(const std::vector<MetBy>& met) {
    MatchingSpecs matching;
    for (const MetBy& one : met) {
        (one.is_sure ? matching.specs : matching.unknown).push_back(one.spec_id);
    }
    return matching;
}

constexpr auto needs_of_spec = R"(
    SELECT d.dependency_id, k.name, e.virtuals
    FROM dependency d
    CROSS JOIN edge_kind e USING (edge_kind_id)
    CROSS JOIN spec x ON x.spec_id = d.dependency_id
    CROSS JOIN look l USING (look_id)
    CROSS JOIN package k USING (package_id)
    WHERE d.spec_id = ? AND (e.is_link OR e.is_run))";

void add(DependencyJudge::Verdict& verdict, Answer answer, const std::string& name) {
    if (answer == Answer::no && verdict.answer != Answer::no) {
        verdict.violated = name;
    }
    verdict.answer = all_of(verdict.answer, answer);
}

class KnownExternals {
  public:
    explicit KnownExternals(SQLite::Database& database)
        : database_(database),
          external_(database,
                    "SELECT o.external FROM node CROSS JOIN recipe o USING (recipe_id) "
                    "WHERE spec_id = ?") {}

    bool contains(const WantedSpec& wanted);

  private:
    void read();
    std::optional<bool> are_external(const SpecQuery& query);

    SQLite::Database& database_;
    Select<bool> external_;
    std::set<std::string> known_;   // "gcc@12.2.0": that are needed
    std::set<std::string> unused_;  // and that nothing needs; also "gcc/<hash>" and "/<hash>"
    bool is_read_ = false;
};

bool KnownExternals::contains(const WantedSpec& wanted) {
    const SpecQuery& query = wanted.query;
    const std::string name = query.package.value_or("");
    if (!query.hash.empty()) {
        if (const auto are_all = are_external(wanted.asked())) {
            return *are_all;
        }
        read();
        const std::string text = name + "/" + query.hash;
        const auto unused = unused_.lower_bound(text);
        return unused != unused_.end() && unused->starts_with(text);
    }
    const std::string& version = query.version.text();
    if (wanted.is_wish || name.empty() || !version.starts_with('=')) {
        return false;
    }
    read();
    const std::string text = fmt::format("{}@{}", name, version.substr(1));
    SpecQuery known;
    known.package = query.package;
    known.version = query.version;
    known.platform = query.platform;
    known.os = query.os;
    known.target = query.target;
    // Asking the whole ledger for a package reads all its specs.
    const bool is_unused = unused_.contains(text);
    return (is_unused || known_.contains(text)) && are_external(known).value_or(is_unused);
}

void KnownExternals::read() {
    if (std::exchange(is_read_, true)) {
        return;
    }
    known_ = rows<std::string>(
                 database_,
                 "SELECT DISTINCT k.name || '@' || v.version "
                 "FROM node n CROSS JOIN recipe o USING (recipe_id) "
                 "CROSS JOIN spec x ON x.spec_id = n.spec_id CROSS JOIN look l USING (look_id) "
                 "CROSS JOIN package k USING (package_id) CROSS JOIN version v USING (version_id) "
                 "WHERE o.external = 1")
                 .to<std::set<std::string>>();
    for (const auto& [detail] : rows<std::string>(
             database_, "SELECT DISTINCT detail FROM finding WHERE kind = 'external-unused'")) {
        const std::size_t at = detail.find('@');
        const std::size_t slash = detail.find(" /", at);
        const std::string hash = detail.substr(slash + 1, 1 + 32);
        unused_.insert({detail.substr(0, slash), detail.substr(0, at) + hash, hash});
    }
}

// Whether all that match are; nullopt if the ledger has none, or only what nothing needs.
std::optional<bool> KnownExternals::are_external(const SpecQuery& query) {
    const std::vector<std::int64_t> specs = matching_specs(database_, query).specs;
    if (specs.empty()) {
        return std::nullopt;
    }
    return std::ranges::all_of(
        specs, [&](std::int64_t spec_id) { return external_(spec_id).first().value_or(false); });
}

}  // namespace

/// A spec of which some dependencies are still to be judged.
struct DependencyJudge::Open {
    std::int64_t spec_id = 0;
    Verdict verdict;
    std::vector<std::int64_t> needs;
};

DependencyJudge::DependencyJudge(SQLite::Database& database, SearchMemory& memory,
                                 std::shared_ptr<const DependencyConditions> conditions)
    : database_(database),
      memory_(memory),
      conditions_(std::move(conditions)),
      has_virtual_(std::ranges::any_of(*conditions_,
                                       [&](const auto& one) {
                                           return !first_value<bool>(
                                               database, "SELECT 1 FROM package WHERE name = ?",
                                               one.first);
                                       })),
      node_(database, "SELECT 1 FROM node WHERE spec_id = ?"),
      edges_(database, needs_of_spec) {}

// Dependencies can be many deep, so that this does not recurse.
const DependencyJudge::Verdict& DependencyJudge::judge(std::int64_t spec_id) {
    if (const auto found = known_.find(spec_id); found != known_.end()) {
        return found->second;
    }
    std::vector<Open> stack = {open(spec_id)};
    while (!stack.empty()) {
        Open& top = stack.back();
        if (top.needs.empty()) {
            known_[top.spec_id] = std::move(top.verdict);
            stack.pop_back();
            continue;
        }
        const auto found = known_.find(top.needs.back());
        if (found == known_.end()) {
            stack.push_back(open(top.needs.back()));
            continue;
        }
        top.needs.pop_back();
        add(top.verdict, found->second.answer, found->second.violated);
    }
    return known_.at(spec_id);
}

DependencyJudge::Open DependencyJudge::open(std::int64_t spec_id) {
    Open opened{spec_id, {}, {}};
    known_[spec_id].answer = Answer::unknown;  // a circle, which no DAG has, ends here
    if (!node_(spec_id).first()) {
        opened.verdict.answer = Answer::unknown;
        return opened;
    }
    for (const auto& [dependency, package, virtuals] : edges_(spec_id)) {
        judge_edge(opened.verdict, dependency, package, virtuals);
        opened.needs.push_back(dependency);
    }
    return opened;
}

// The dependency itself, by its name and by what it is used for.
void DependencyJudge::judge_edge(Verdict& verdict, std::int64_t spec_id, const std::string& package,
                                 const std::optional<std::string>& virtuals) {
    add(verdict, answer_of(package, package, spec_id), package);
    if (!virtuals && has_virtual_) {
        add(verdict, Answer::unknown, {});
    }
    for (const std::string_view word : split_at(',', virtuals ? *virtuals : std::string_view())) {
        const std::string name(word);
        add(verdict, answer_of(name, package, spec_id), name);
    }
}

Answer DependencyJudge::answer_of(const std::string& name, const std::string& package,
                                  std::int64_t spec_id) {
    const auto required = conditions_->find(name);
    if (required == conditions_->end()) {
        return Answer::yes;
    }
    const auto [specs, is_new] = of_specs_.try_emplace({name, package});
    if (is_new) {
        Wish wish;
        wish.query.package = package;
        wish.conditions = required->second;
        for (const MetBy& met :
             specs_that_meet(database_, wish, memory_.of_package(package), memory_)) {
            specs->second[met.spec_id] = met.is_sure ? Answer::yes : Answer::unknown;
        }
    }
    const auto found = specs->second.find(spec_id);
    return found == specs->second.end() ? Answer::no : found->second;
}

PackageWishes* WantedBuilds::of_package(const std::string& package) {
    const auto found = packages_.find(package);
    if (found != packages_.end()) {
        return &found->second;
    }
    auto specs = rows<std::int64_t, std::int64_t>(database_,
                                                  "SELECT spec_id, look_id FROM present_specs "
                                                  "WHERE snapshot_id = ? AND package = ?",
                                                  snapshot_id_, package)
                     .to<std::vector<SpecAndLook>>();
    return specs.empty()
               ? nullptr
               : &packages_.try_emplace(package, database_, package, std::move(specs), memory_)
                      .first->second;
}

MatchingSpecs WantedBuilds::find(const WantedSpec& wanted) {
    violated_.clear();
    if (!has_rules_of_wishes(wanted)) {
        return matching_specs(database_, snapshot_id_, wanted.asked());
    }
    PackageWishes* const of_same = of_package(wanted.query.package.value());
    if (of_same == nullptr) {
        return {};
    }
    std::vector<MetBy> met = of_same->that_meet(wish_of(wanted));
    if (wanted.of_dependencies != nullptr) {
        DependencyJudge& judge =
            judges_.try_emplace(wanted.of_dependencies, database_, memory_, wanted.of_dependencies)
                .first->second;
        std::erase_if(met, [&](MetBy& one) {
            const DependencyJudge::Verdict& verdict = judge.judge(one.spec_id);
            one.is_sure = one.is_sure && verdict.answer == Answer::yes;
            if (verdict.answer == Answer::no) {
                violated_.insert(verdict.violated);
            }
            return verdict.answer == Answer::no;
        });
    }
    return matching_of(met);
}

SpecQuery WantedBuilds::nearest_query(const WantedSpec& wanted) {
    SpecQuery all = wanted.query;
    for (const WishCondition& condition : wanted.conditions) {
        if (!is_plain(condition)) {
            continue;
        }
        for (const SpecQuery& spec : condition.specs) {
            PackageWishes* const of_same = of_package(wanted.query.package.value());
            if (condition.is_of_all && (of_same == nullptr || !of_same->can_apply_to_any(spec))) {
                continue;
            }
            try {
                SpecQuery more = all;
                constrain(more, spec);
                all = std::move(more);
            } catch (const std::invalid_argument&) {
                // No build can be both: the spec itself says more of what is wanted.
            }
        }
    }
    return all;
}

MatchingSpecs wanted_among(SQLite::Database& database, const WantedSpec& wanted,
                           const std::vector<SpecAndLook>& specs, SearchMemory& memory) {
    return !has_rules_of_wishes(wanted)
               ? matching_specs(database, wanted.asked(), specs, &memory)
               : matching_of(specs_that_meet(database, wish_of(wanted), specs, memory));
}

void leave_out_externals(SQLite::Database& database, SpecList& list) {
    KnownExternals known(database);
    list.external += static_cast<std::int64_t>(std::erase_if(
        list.specs, [&](const WantedSpec& wanted) { return known.contains(wanted); }));
}

}  // namespace cacheledger
