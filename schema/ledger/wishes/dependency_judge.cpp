#include "schema/ledger/wishes/dependency_judge.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "schema/ledger/wishes/wish_answers.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

constexpr auto needs_of_spec = R"(
    SELECT d.dependency_id, k.name, e.virtuals
    FROM dependency d
    CROSS JOIN edge_kind e USING (edge_kind_id)
    CROSS JOIN spec x ON x.spec_id = d.dependency_id
    CROSS JOIN look l USING (look_id)
    CROSS JOIN package k USING (package_id)
    WHERE d.spec_id = ? AND (e.is_link OR e.is_run))";

bool has_package(SQLite::Database& database, const std::string& name) {
    SQLite::Statement select(database, "SELECT 1 FROM package WHERE name = ?");
    rebind(select, name);
    return select.executeStep();
}

void add(DependencyJudge::Verdict& verdict, Answer answer, const std::string& name) {
    if (answer == Answer::no && verdict.answer != Answer::no) {
        verdict.violated = name;
    }
    verdict.answer = all_of(verdict.answer, answer);
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
      has_virtual_(std::ranges::any_of(
          *conditions_, [&](const auto& one) { return !has_package(database, one.first); })),
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
    rebind(node_, spec_id);
    if (!node_.executeStep()) {
        opened.verdict.answer = Answer::unknown;
        return opened;
    }
    rebind(edges_, spec_id);
    while (edges_.executeStep()) {
        judge_edge(opened.verdict);
        opened.needs.push_back(edges_.getColumn(0).getInt64());
    }
    return opened;
}

// The dependency itself, by its name and by what it is used for.
void DependencyJudge::judge_edge(Verdict& verdict) {
    const std::int64_t spec_id = edges_.getColumn(0).getInt64();
    const std::string package = edges_.getColumn(1).getString();
    const auto virtuals = optional_text(edges_, 2);
    add(verdict, answer_of(package, package, spec_id), package);
    if (!virtuals && has_virtual_) {
        add(verdict, Answer::unknown, {});
    }
    for (std::string_view rest = virtuals ? *virtuals : std::string_view(); !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string name(rest.substr(0, end));
        add(verdict, answer_of(name, package, spec_id), name);
        rest.remove_prefix(std::min(end + 1, rest.size()));
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

}  // namespace cacheledger
