#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/coverage/cached_builds.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// The columns of wishes_of_stack.sql.
enum WishColumn : std::uint8_t {
    spec_column,
    group_column,
    wish_package_column,
    conditions_column,
    has_stack_column,
    met_column,
    preferred_column,
    path_column,
    has_stacks_column,
};

constexpr std::int64_t surely_met = 2;

[[noreturn]] void refuse_stack_without_list(SQLite::Database& database, const Snapshot& snapshot,
                                            const std::string& stack) {
    const auto names =
        all_values<std::string>(database, "SELECT DISTINCT stack FROM wish_list ORDER BY stack");
    if (names.empty()) {
        throw UsageError(fmt::format(
            "--stack {}: the ledger has no lists of stacks; load a package repository: {}", stack,
            command_hint({"ingest", "spack-packages.git"})));
    }
    if (std::ranges::find(names, stack) == names.end()) {
        refuse_unknown("list of the stack", stack, names,
                       fmt::format("the lists: {}", command_hint({"report", "coverage/wishes"})));
    }
    const auto [first, last] =
        rows<Moment, std::optional<Moment>>(database, text_named(wish_texts, "list_times"), stack)
            .only();
    throw UsageError(
        first > snapshot.taken_at
            ? fmt::format("--stack {}: no list is known at {}: the first is of {}", stack,
                          snapshot.name, format_moment(first))
            : fmt::format(
                  "--stack {}: no list wanted anything at {}{}", stack, snapshot.name,
                  last ? fmt::format(": the last one ended at {}", format_moment(*last)) : ""));
}

std::vector<std::vector<Value>> wishes_of(SQLite::Database& database, const Snapshot& snapshot,
                                          const std::string& stack) {
    auto rows = run_query(database, "wishes", text_named(wish_texts, "wishes_of_stack"),
                          {{"at", snapshot.name}, {"stack", stack}})
                    .rows;
    if (rows.empty()) {
        refuse_stack_without_list(database, snapshot, stack);
    }
    if (integer(rows.front()[has_stacks_column]) == 0) {
        throw UsageError(fmt::format(
            "--stack {}: {} has no builds in any stack; --at names another", stack, snapshot.name));
    }
    return rows;
}

CoverageCount count_of(const std::vector<std::vector<Value>>& wishes) {
    CoverageCount count;
    count.specs = std::ssize(wishes);
    count.covered = std::ranges::count_if(
        wishes, [](const auto& wish) { return integer(wish[met_column]) == surely_met; });
    return count;
}

/// Finds the builds that come nearest to wishes that no build meets.
class NearestOfWishes {
  public:
    NearestOfWishes(SQLite::Database& database, const Snapshot& snapshot, std::string stack)
        : database_(database),
          snapshot_id_(snapshot.id),
          stack_(std::move(stack)),
          builds_(database, snapshot.id),
          stacks_(database, R"(
            SELECT g.named_stacks
            FROM present_specs p
            JOIN stack_set g USING (stack_set_id)
            WHERE p.snapshot_id = ? AND p.package = ? AND p.spec_id = ?)") {}

    /// The values of the columns nearest, stacks and differs.
    std::vector<Value> find(const std::string& spec, const std::vector<WishCondition>& conditions) {
        const WantedSpec wanted{
            .text = spec, .query = parse_spec(spec), .is_wish = true, .conditions = conditions};
        const auto near = nearest_specs(database_, snapshot_id_, builds_.nearest_query(wanted), 1);
        if (near.empty()) {
            return {Value(), Value(), Value()};
        }
        const NearSpec& nearest = near.front();
        const auto stacks = stacks_(snapshot_id_, nearest.spec.package, nearest.spec_id)
                                .first()
                                .value_or(std::nullopt);
        return {nearest.difference.hash, or_null(stacks),
                nearest.difference.words.empty()
                    ? fmt::format("not built for {}", stack_)
                    : fmt::format("{}", fmt::join(nearest.difference.words, "; "))};
    }

  private:
    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    std::string stack_;
    WantedBuilds builds_;
    Select<std::optional<std::string>> stacks_;
};

// What is odd about the list itself.
void add_remarks_on_lists(SQLite::Database& database, StackCoverage& found,
                          const std::vector<std::vector<Value>>& wishes) {
    auto& remarks = found.coverage.remarks;
    if (integer(wishes.front()[has_stack_column]) == 0) {
        remarks.push_back(fmt::format("{} has no build in a stack {}.", found.coverage.snapshot,
                                      found.coverage.wanted));
    }
    const auto left_out =
        only_value<std::int64_t>(database, text_named(wish_texts, "list_findings"),
                                 found.coverage.wanted, found.coverage.snapshot);
    if (left_out > 0) {
        remarks.push_back(fmt::format("{} about the list, which may want more: {}",
                                      counted(left_out, "finding"),
                                      command_hint({"sql",
                                                    "SELECT path, detail FROM findings "
                                                    "WHERE kind = 'wish-list'"})));
    }
    std::set<std::string> paths;
    for (const auto& wish : wishes) {
        paths.insert(to_text(wish[path_column]));
    }
    if (paths.size() > 1) {
        remarks.push_back(fmt::format("{} lists have wishes of the stack: {}.", paths.size(),
                                      fmt::join(paths, ", ")));
    }
}

void add_remarks(StackCoverage& found) {
    auto& remarks = found.coverage.remarks;
    if (found.as_far_as_known > 0) {
        remarks.push_back(fmt::format(
            "{} met as far as known, and not counted as there: no source says enough of {}.",
            counted(found.as_far_as_known, "more wish is", "more wishes are"),
            words_for(found.as_far_as_known, "its builds", "their builds")));
    }
    if (const auto others = found.coverage.runtime.covered - found.preferred; others > 0) {
        remarks.push_back(fmt::format(
            "{} there only with builds that are not, or may not be, as the list prefers.",
            counted(others, "wish is", "wishes are")));
    }
}

// What people are shown: without groups and requirements where there are none.
ResultTable for_people(ResultTable table) {
    for (auto& row : table.rows) {
        for (Value& value : row) {
            if (!is_null(value) && to_text(value).empty()) {
                value = Value();
            }
        }
    }
    for (const char* const column : {"spec_group", "requires"}) {
        leave_out_empty(table, {column});
    }
    return table;
}

ResultTable shown_missing_wishes(const Coverage& coverage) {
    ResultTable shown = coverage.missing;
    const std::size_t nearest = column_of(shown, "nearest");
    const std::size_t differs = column_of(shown, "differs");
    for (auto& row : shown.rows) {
        if (is_null(row[nearest])) {
            row[differs] = "no build";
        }
        row[nearest] = short_hash(row[nearest]);
    }
    return for_people(
        columns_of(shown, {"spec", "spec_group", "requires", "nearest", "stacks", "differs"}));
}

std::vector<DocumentField> fields_of_stack(const StackCoverage& found) {
    const Coverage& coverage = found.coverage;
    std::vector<DocumentField> fields = {{"stack", coverage.wanted},
                                         {"wanted", coverage.runtime.specs},
                                         {"there", coverage.runtime.covered},
                                         {"as_far_as_known", found.as_far_as_known},
                                         {"percent", coverage.runtime.percent()},
                                         {"snapshot", coverage.snapshot},
                                         {"preferred", found.preferred}};
    if (const auto& earlier = coverage.earlier) {
        fields.push_back({"since", earlier->snapshot});
        fields.push_back({"percent_since", earlier->runtime.percent()});
        fields.push_back({"there_since", earlier->runtime.covered});
    }
    fields.push_back({"remarks", remarks_table(coverage.remarks)});
    fields.push_back({"undecided", coverage.undecided});
    fields.push_back({"missing", coverage.missing});
    return fields;
}

}  // namespace

CoverageCount count_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack) {
    return count_of(wishes_of(database, snapshot, stack));
}

StackCoverage cover_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack) {
    const auto wishes = wishes_of(database, snapshot, stack);
    StackCoverage found;
    Coverage& coverage = found.coverage;
    coverage.wanted = stack;
    coverage.snapshot = snapshot.name;
    coverage.runtime = count_of(wishes);
    coverage.missing.columns = {"package", "spec",   "spec_group", "requires",
                                "nearest", "stacks", "differs"};
    coverage.undecided.columns = {"spec", "spec_group", "requires"};
    NearestOfWishes nearest(database, snapshot, stack);
    FormerSpecs former(database, snapshot.id);
    for (const auto& wish : wishes) {
        const std::int64_t met = integer(wish[met_column]);
        if (met == surely_met) {
            found.preferred += integer(wish[preferred_column]);
            continue;
        }
        const auto conditions = parse_conditions(to_text(wish[conditions_column]));
        const std::string requirements = words_of_requirements(conditions);
        if (met > 0) {
            coverage.undecided.rows.push_back(
                {wish[spec_column], wish[group_column], requirements});
            continue;
        }
        const std::string spec = to_text(wish[spec_column]);
        former.ask(spec, parse_spec(spec), fmt::format("'{}'", spec));
        std::vector<Value> row = {wish[wish_package_column], wish[spec_column], wish[group_column],
                                  requirements};
        for (Value& value : nearest.find(spec, conditions)) {
            row.push_back(std::move(value));
        }
        coverage.missing.rows.push_back(std::move(row));
    }
    found.as_far_as_known = std::ssize(coverage.undecided.rows);
    coverage.remarks = remarks_on_mirrors(database, snapshot);
    add_remarks_on_lists(database, found, wishes);
    add_remarks(found);
    if (auto remark = former.remark()) {
        coverage.remarks.push_back(*std::move(remark));
    }
    return found;
}

Document document_of(const StackCoverage& found, const CoverageConditions& conditions) {
    const Coverage& coverage = found.coverage;
    Document document = headed_document(coverage, false);
    document.gates = gates_of(coverage, conditions);
    document.parts = [&coverage] {
        return std::vector<DocumentPart>{{"Missing", shown_missing_wishes(coverage)},
                                         {"Not known", for_people(coverage.undecided)}};
    };
    document.all_parts = [&coverage] {
        std::vector<DocumentPart> parts = {{"Missing", shown_missing_wishes(coverage)},
                                           {"Not known", for_people(coverage.undecided)}};
        std::erase_if(parts, [](const DocumentPart& part) { return part.table.rows.empty(); });
        return parts;
    };
    document.rows = [&coverage] { return coverage.missing; };
    document.fields = [&found] { return fields_of_stack(found); };
    return document;
}

}  // namespace cacheledger
