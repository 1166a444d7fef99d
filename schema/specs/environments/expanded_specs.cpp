#include "schema/specs/environments/expanded_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/specs/matching/satisfies.hpp"
#include "schema/specs/queries/joined_spec.hpp"
#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_expanded_specs = 100'000;

/// The entries of `exclude`. What can't be read excludes nothing.
class ExcludedSpecs {
  public:
    ExcludedSpecs(const YamlValue* list, WishFindings& findings) : findings_(findings) {
        if (list == nullptr) {
            return;
        }
        if (!list->is_list()) {
            findings.add(list->line,
                         fmt::format("exclude: expected a list, found {}", list->kind_name()));
        }
        for (const YamlValue& item : list->items) {
            try {
                specs_.push_back(parse_spec(item.text));
            } catch (const SpecError& error) {
                findings.add(item.line, fmt::format("exclude: {}", error.what()));
            }
        }
    }

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
                    findings_.add(entry.line,
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
    WishFindings& findings_;
    std::vector<SpecQuery> specs_;
};

bool is_reference(const YamlValue& item) {
    return item.is_text() && item.text.starts_with('$');
}

// Whether a mapping has only these keys, and the first of them.
bool has_keys(const YamlValue& mapping, std::initializer_list<std::string_view> keys,
              WishFindings& findings) {
    for (const YamlEntry& entry : mapping.entries) {
        if (std::ranges::find(keys, entry.key) == keys.end()) {
            findings.add(entry.line,
                         fmt::format("specs: expected {}, found '{}': the entry is left out",
                                     fmt::join(keys, " or "), entry.key));
            return false;
        }
    }
    return mapping.find(*keys.begin()) != nullptr;
}

}  // namespace

void ExpandedSpecs::count(std::size_t line, std::size_t more) {
    expanded_ += more;
    if (expanded_ > most_expanded_specs) {
        throw InputError(fmt::format("{}:{}: expected at most {} specs in all", name_, line,
                                     most_expanded_specs));
    }
}

void ExpandedSpecs::define(const YamlValue& definitions) {
    if (!definitions.is_list()) {
        if (!definitions.is_empty()) {
            findings_.add(definitions.line, fmt::format("definitions: expected a list, found {}",
                                                        definitions.kind_name()));
        }
        return;
    }
    // As Spack has it, a definition has the place of the first entry with its name, so that entries
    // behind can use all of it.
    std::vector<std::pair<std::string_view, std::vector<const YamlValue*>>> by_name;
    for (const YamlValue& item : definitions.items) {
        const auto entry = std::ranges::find_if(
            item.entries, [](const YamlEntry& one) { return one.key != "when"; });
        const std::size_t others = item.entries.size() - (item.find("when") != nullptr ? 1 : 0);
        if (others != 1 || !(entry->value.is_list() || entry->value.is_empty())) {
            findings_.add(item.line, "definitions: expected one name and its list: left out");
            continue;
        }
        const auto known = std::ranges::find(by_name, std::string_view(entry->key),
                                             [](const auto& one) { return one.first; });
        auto& parts =
            known != by_name.end() ? known->second : by_name.emplace_back(entry->key, 0).second;
        if (item.find("when") == nullptr) {
            parts.push_back(&entry->value);
            continue;
        }
        findings_.add(item.line, fmt::format("definitions: 'when' of {} depends on the machine: "
                                             "its specs are left out",
                                             entry->key));
    }
    for (const auto& [name, parts] : by_name) {
        std::vector<ExpandedSpec> entries;
        for (const YamlValue* part : parts) {
            for (const YamlValue& item : part->items) {
                expand_item(item, entries);
            }
        }
        definitions_.emplace(name, std::move(entries));
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
        findings_.add(item.line, fmt::format("specs: expected a spec, found {}{}", item.kind_name(),
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
        findings_.add(item.line,
                      fmt::format("specs: '{}' is not defined above: left out", item.text));
        return;
    }
    count(item.line, found->second.size());
    for (ExpandedSpec entry : found->second) {
        entry.parts.front().insert(0, sigil);
        entries.push_back(std::move(entry));
    }
}

std::vector<std::vector<std::string>> ExpandedSpecs::rows_of(const YamlValue& matrix) {
    std::vector<std::vector<std::string>> rows;
    for (const YamlValue& row : matrix.items) {
        if (!row.is_list()) {
            findings_.add(row.line, fmt::format("matrix: expected a list, found {}: the matrix is "
                                                "left out",
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
    if (!has_keys(item, {"matrix", "exclude"}, findings_)) {
        return;
    }
    const YamlValue& matrix = *item.find("matrix");
    const auto rows = rows_of(matrix);
    std::size_t size = rows.empty() ? 0 : 1;
    for (const auto& row : rows) {
        size *= row.size();
        count(item.line, std::max(size, row.size()));
    }
    const ExcludedSpecs excluded(item.find("exclude"), findings_);
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
