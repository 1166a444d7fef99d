#include "schema/specs/environments/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/asked_spec.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_expanded_specs = 100'000;
constexpr std::size_t most_exclusions = 1'000'000;

/// The entries of `exclude`. What can't be read excludes nothing.
class ExcludedSpecs {
  public:
    using LeaveOut = std::function<void(std::size_t, const std::string&)>;

    ExcludedSpecs(const YamlValue* list, LeaveOut leave_out) : leave_out_(std::move(leave_out)) {
        if (list == nullptr) {
            return;
        }
        if (!list->is_list()) {
            leave_out_(list->line,
                       fmt::format("exclude: expected a list, found {}", list->kind_name()));
        }
        for (const YamlValue& item : list->items) {
            try {
                specs_.push_back(joined_spec({item.text}).query);
            } catch (const SpecError& error) {
                leave_out_(item.line, fmt::format("exclude: {}", error.what()));
            }
        }
    }

    std::size_t size() const { return specs_.size(); }

    bool has(const ExpandedSpec& entry) const {
        if (specs_.empty()) {
            return false;
        }
        try {
            const SpecQuery query = joined_spec(entry.parts).query;
            for (const SpecQuery& spec : specs_) {
                const Answer is_excluded = satisfies(query, spec);
                if (is_excluded == Answer::yes) {
                    return true;
                }
                if (is_excluded == Answer::unknown) {
                    leave_out_(entry.line,
                               fmt::format("exclude: whether '{}' has '{}' is not known: it "
                                           "stays",
                                           query.text(), spec.text()));
                }
            }
        } catch (const std::invalid_argument&) {
            // Who asks for the spec itself says what is wrong with it.
        }
        return false;
    }

  private:
    LeaveOut leave_out_;
    std::vector<SpecQuery> specs_;
};

bool is_reference(const YamlValue& item) {
    return item.is_text() && item.text.starts_with('$');
}

}  // namespace

void ExpandedSpecs::count(std::size_t line, std::size_t more) {
    expanded_ += more;
    if (expanded_ > most_expanded_specs) {
        throw InputError(fmt::format("{}:{}: expected at most {} specs in all", name_, line,
                                     most_expanded_specs));
    }
}

/// The lists of all definitions with one name.
struct ExpandedSpecs::NamedParts {
    std::string name;
    std::vector<const YamlValue*> lists;
    std::vector<WishFinding> left_out;
};

// What is left out of a definition is left out of what is wanted only where the definition is used.
void ExpandedSpecs::leave_out(std::size_t line, const std::string& detail) {
    findings_.add(line, detail, defined_ == nullptr);
    if (defined_ != nullptr) {
        defined_->left_out.push_back({line, detail, true});
    }
}

// As Spack has it, a definition has the place of the first entry with its name, so that entries
// behind can use all of it.
std::vector<ExpandedSpecs::NamedParts> ExpandedSpecs::parts_by_name(const YamlValue& definitions) {
    std::vector<NamedParts> by_name;
    std::map<std::string, std::size_t> places;
    for (const YamlValue& item : definitions.items) {
        const auto entry = std::ranges::find_if(
            item.entries, [](const YamlEntry& one) { return one.key != "when"; });
        const std::size_t others = item.entries.size() - (item.find("when") != nullptr ? 1 : 0);
        if (others != 1) {
            findings_.add(item.line, "definitions: expected one name and its list: left out");
            continue;
        }
        const auto [place, is_new] = places.try_emplace(entry->key, by_name.size());
        if (is_new) {
            by_name.push_back({entry->key, {}, {}});
        }
        NamedParts& parts = by_name[place->second];
        std::string problem;
        if (!(entry->value.is_list() || entry->value.is_empty())) {
            problem = "definitions: expected one name and its list: left out";
        } else if (item.find("when") != nullptr) {
            problem = fmt::format(
                "definitions: 'when' of {} depends on the machine: its specs are "
                "left out",
                entry->key);
        } else {
            parts.lists.push_back(&entry->value);
            continue;
        }
        parts.left_out.push_back({item.line, std::move(problem)});
    }
    return by_name;
}

void ExpandedSpecs::define(const YamlValue& definitions) {
    if (!definitions.is_list()) {
        if (!definitions.is_empty()) {
            findings_.add(definitions.line, fmt::format("definitions: expected a list, found {}",
                                                        definitions.kind_name()));
        }
        return;
    }
    for (const NamedParts& parts : parts_by_name(definitions)) {
        Definition definition;
        defined_ = &definition;
        for (const WishFinding& finding : parts.left_out) {
            leave_out(finding.line, finding.detail);
        }
        for (const YamlValue* list : parts.lists) {
            for (const YamlValue& item : list->items) {
                expand_item(item, definition.specs);
            }
        }
        defined_ = nullptr;
        definitions_.emplace(parts.name, std::move(definition));
    }
}

std::vector<ExpandedSpec> ExpandedSpecs::expand(const YamlValue& list) {
    std::vector<ExpandedSpec> entries;
    for (const YamlValue& item : list.items) {
        expand_item(item, entries);
    }
    return entries;
}

void ExpandedSpecs::expand_item(const YamlValue& item, std::vector<ExpandedSpec>& entries) {
    if (is_reference(item)) {
        expand_reference(item, entries);
    } else if (item.is_mapping()) {
        expand_matrix(item, entries);
    } else if (item.is_text()) {
        count(item.line, 1);
        entries.push_back({{item.text}, item.line});
    } else {
        leave_out(item.line, fmt::format("specs: expected a spec, found {}{}", item.kind_name(),
                                         item.text.empty() ? "" : " (" + item.text + ")"));
    }
}

void ExpandedSpecs::expand_reference(const YamlValue& item, std::vector<ExpandedSpec>& entries) {
    std::string_view name = std::string_view(item.text).substr(1);
    std::string sigil;
    if (name.starts_with('^') || name.starts_with('%')) {
        sigil = name.substr(0, 1);
        name.remove_prefix(1);
    }
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) {
        leave_out(item.line, fmt::format("specs: '{}' is not defined above: left out", item.text));
        return;
    }
    for (const WishFinding& finding : found->second.left_out) {
        leave_out(finding.line, finding.detail);
    }
    count(item.line, found->second.specs.size() + found->second.left_out.size());
    for (ExpandedSpec entry : found->second.specs) {
        entry.parts.front().insert(0, sigil);
        entries.push_back(std::move(entry));
    }
}

bool ExpandedSpecs::is_matrix(const YamlValue& item) {
    for (const YamlEntry& entry : item.entries) {
        if (entry.key != "matrix" && entry.key != "exclude") {
            leave_out(
                entry.line,
                fmt::format("specs: expected matrix or exclude, found '{}': the entry is left "
                            "out",
                            entry.key));
            return false;
        }
    }
    const YamlValue* const matrix = item.find("matrix");
    if (matrix == nullptr || !matrix->is_list()) {
        leave_out(
            item.line,
            fmt::format("specs: expected a matrix that is a list, found {}: the entry is left "
                        "out",
                        matrix == nullptr ? "none" : matrix->kind_name()));
        return false;
    }
    return true;
}

std::vector<std::vector<std::string>> ExpandedSpecs::rows_of(const YamlValue& matrix) {
    std::vector<std::vector<std::string>> rows;
    for (const YamlValue& row : matrix.items) {
        if (!row.is_list()) {
            leave_out(row.line, fmt::format("matrix: expected a list, found {}: the matrix is left "
                                            "out",
                                            row.kind_name()));
            return {};
        }
        std::vector<std::string>& parts = rows.emplace_back();
        for (const ExpandedSpec& entry : expand(row)) {
            // Of a matrix within a row, each combination is one text.
            parts.push_back(joined_text(entry.parts));
        }
    }
    return rows;
}

void ExpandedSpecs::expand_matrix(const YamlValue& item, std::vector<ExpandedSpec>& entries) {
    if (!is_matrix(item)) {
        return;
    }
    const YamlValue& matrix = *item.find("matrix");
    const auto rows = rows_of(matrix);
    std::size_t size = rows.empty() ? 0 : 1;
    for (const auto& row : rows) {
        size *= row.size();
        count(item.line, std::max(size, row.size()));
    }
    const ExcludedSpecs excluded(
        item.find("exclude"),
        [&](std::size_t line, const std::string& detail) { leave_out(line, detail); });
    exclusions_ += size * excluded.size();
    if (exclusions_ > most_exclusions) {
        throw InputError(
            fmt::format("{}:{}: expected at most {} combinations of matrices times entries of "
                        "'exclude' in all",
                        name_, item.line, most_exclusions));
    }
    for (std::size_t number = 0; number < size; ++number) {
        ExpandedSpec entry{std::vector<std::string>(rows.size()), item.line};
        std::size_t rest = number;  // the last row changes first
        for (std::size_t i = rows.size(); i-- > 0; rest /= rows[i].size()) {
            entry.parts[i] = rows[i][rest % rows[i].size()];
        }
        if (!excluded.has(entry)) {
            entries.push_back(std::move(entry));
        }
    }
}

}  // namespace cacheledger
