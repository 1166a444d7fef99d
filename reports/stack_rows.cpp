#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "reports/chosen_specs.hpp"
#include "reports/diff_rows.hpp"
#include "reports/reader.hpp"

// The rows about specs that joined or left stacks.
namespace cacheledger {

namespace {

struct StackChange {
    bool joined = false;
    const MovedSpec* spec = nullptr;
    std::int64_t version_id = 0;
    std::string hash;
    std::int64_t stack_id = 0;
};

/// The stacks of each set, without root; in order.
class StackSets {
  public:
    explicit StackSets(const SQLite::Database& database)
        : members_(database,
                   "SELECT m.stack_id FROM stack_set_member m JOIN stack t USING (stack_id) "
                   "WHERE m.stack_set_id = ?1 AND NOT t.is_root ORDER BY m.stack_id") {}

    const std::vector<std::int64_t>& of(std::int64_t stack_set_id) {
        const auto [known, is_new] = sets_.try_emplace(stack_set_id);
        if (is_new) {
            members_.start(stack_set_id);
            while (members_.step()) {
                known->second.push_back(members_.id(0));
            }
        }
        return known->second;
    }

  private:
    Reader members_;
    std::map<std::int64_t, std::vector<std::int64_t>> sets_;
};

/// Those of `stacks` that `others` hasn't.
std::vector<std::int64_t> missing(const std::vector<std::int64_t>& stacks,
                                  const std::vector<std::int64_t>& others) {
    std::vector<std::int64_t> missing;
    std::set_difference(stacks.begin(), stacks.end(), others.begin(), others.end(),
                        std::back_inserter(missing));
    return missing;
}

std::vector<StackChange> find_changes(const DiffSource& source) {
    std::vector<StackChange> changes;
    StackSets sets(source.database);
    source.drift.hashes().expect(source.drift.moved().size());
    for (const MovedSpec& spec : source.drift.moved()) {
        if (!source.filter.has_package(spec.package_id)) {
            continue;
        }
        const auto& before = sets.of(spec.stack_set_ids[0]);
        const auto& after = sets.of(spec.stack_set_ids[1]);
        for (const bool joined : {true, false}) {
            for (const auto stack_id : joined ? missing(after, before) : missing(before, after)) {
                if (source.filter.has_stack(stack_id)) {
                    changes.push_back({joined, &spec,
                                       source.drift.looks().find(spec.look_id).version_id,
                                       source.drift.hashes().find(spec.spec_id), stack_id});
                }
            }
        }
    }
    return changes;
}

}  // namespace

ResultTable stack_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "hash", "stack"}, {}};
    const Names stacks(source.database, "SELECT stack_id, name FROM stack ORDER BY name");
    const LookNames& names = source.names;
    auto changes = find_changes(source);
    for_each_group(
        changes,
        [&](const StackChange& change) {  // "stack-joined" sorts before "stack-left"
            return std::tuple(!change.joined, names.packages.rank(change.spec->package_id),
                              names.versions.rank(change.version_id), change.hash,
                              stacks.rank(change.stack_id));
        },
        [&](std::span<const StackChange> same) {
            for (const StackChange& change : same) {
                table.rows.push_back({change.joined ? "stack-joined" : "stack-left",
                                      names.packages.value(change.spec->package_id),
                                      names.versions.value(change.version_id), change.hash,
                                      stacks.value(change.stack_id)});
            }
        });
    return table;
}

}  // namespace cacheledger
