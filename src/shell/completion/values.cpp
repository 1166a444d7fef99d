#include "src/shell/completion/values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "src/shell/completion/ledger_names.hpp"
#include "src/shell/help/topics.hpp"

namespace cacheledger {

namespace {

using Candidates = std::vector<Candidate>;

template <typename Names>
Candidates to_candidates(const Names& names) {
    Candidates all;
    for (const auto& name : names) {
        all.push_back({std::string(name), ""});
    }
    return all;
}

Candidates report_names(const Place& place) {
    Catalog catalog;
    for (const auto& folder : place.report_folders) {
        try {
            catalog.add_folder(folder);
        } catch (const UsageError&) {  // not there yet
            continue;
        }
    }
    Candidates all;
    for (const Report& report : catalog.reports()) {
        if (!is_in_the_long_list(report)) {
            all.push_back({report.name, report.title});
        }
    }
    return all;
}

Candidates parts_of_schema() {
    Candidates all;
    for (const SchemaPart& part : schema_parts()) {
        all.push_back({part.name, part.type});
    }
    return all;
}

using Provider = Completion (*)(const Place& place, std::string_view typed);

struct Named {
    std::string_view name;  ///< of the value in the help
    Provider values;
};

/// Files can stand there, too. They are offered if nothing is typed yet, or if no name fits.
Completion snapshots_or_files_at(const Place& place, std::string_view typed) {
    Completion found{snapshot_names(place.database, typed), Paths::none};
    const bool fits = std::ranges::any_of(
        found.candidates, [&](const Candidate& one) { return one.text.starts_with(typed); });
    found.paths = fits && !typed.empty() ? Paths::none : Paths::files;
    return found;
}

/// `forget SNAPSHOT` takes no file, most options do.
Completion snapshots_at(const Place& place, std::string_view typed) {
    return place.option.empty() ? Completion{snapshot_names(place.database, typed), Paths::none}
                                : snapshots_or_files_at(place, typed);
}

Completion spec_words_at(const Place& place, std::string_view /*typed*/) {
    return {spec_words(place.database, place.option), Paths::none};
}

constexpr std::array providers = {
    Named{"SNAPSHOT", snapshots_at},
    Named{"A", snapshots_or_files_at},
    Named{"B", snapshots_or_files_at},
    Named{"WANTED",
          [](const Place& place, std::string_view typed) {
              return Completion{snapshot_names(place.database, typed), Paths::files};
          }},
    Named{"KEEP",
          [](const Place& place, std::string_view typed) {
              Candidates all = {{"seen within 14 days", "builds that a snapshot has since then"},
                                {"newest 1", "builds of the newest snapshot"}};
              const Candidates snapshots = snapshot_names(place.database, typed);
              all.insert(all.end(), snapshots.begin(), snapshots.end());
              return Completion{all, Paths::files};
          }},
    Named{"SPEC",
          [](const Place& place, std::string_view typed) {
              return Completion{spec_beginnings(place.database, typed), Paths::none};
          }},
    Named{"SERIES",
          [](const Place& place, std::string_view) {
              return Completion{names_of_kind(place.database, NameKind::series), Paths::none};
          }},
    Named{"NAME[=AGE]",
          [](const Place& place, std::string_view) {
              return Completion{names_of_kind(place.database, NameKind::series), Paths::none};
          }},
    Named{"TARGET", spec_words_at},
    Named{"OS", spec_words_at},
    Named{"PLATFORM", spec_words_at},
    Named{"COMPILER", spec_words_at},
    Named{"VARIANT", spec_words_at},
    Named{"VIEW",
          [](const Place&, std::string_view) {
              return Completion{parts_of_schema(), Paths::none};
          }},
    Named{"TOPIC",
          [](const Place&, std::string_view) {
              return Completion{to_candidates(explained_names()), Paths::none};
          }},
    Named{"FILE",
          [](const Place&, std::string_view) {
              return Completion{{}, Paths::files};
          }},
    Named{"PATH",
          [](const Place&, std::string_view) {
              return Completion{{}, Paths::files};
          }},
    Named{"REPO",
          [](const Place&, std::string_view) {
              return Completion{{}, Paths::folders};
          }},
    Named{"OUT",
          [](const Place&, std::string_view) {
              return Completion{{}, Paths::folders};
          }},
    Named{"DIR",
          [](const Place&, std::string_view) {
              return Completion{{}, Paths::folders};
          }},
};

std::string capitals(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// What the name of the value says, else what the name of the option says.
Completion all_values(const Place& place, std::string_view typed) {
    const auto* const provider = std::ranges::find(providers, capitals(place.name), &Named::name);
    if (provider != providers.end()) {
        return provider->values(place, typed);
    }
    if (place.option.empty() && place.name == "NAME") {
        return {report_names(place), Paths::none};
    }
    if (place.option == "reason") {  // of drift/why-graph
        return {names_of_kind(place.database, NameKind::package), Paths::none};
    }
    // A view of an index is a stack.
    if (const auto kind = find_name_kind(place.option == "view" ? "stack" : place.option)) {
        return {names_of_kind(place.database, *kind), Paths::none};
    }
    return {place.option == "tag" ? tag_names(place.database) : Candidates(), Paths::none};
}

}  // namespace

Completion values_for(const Place& place, std::string_view typed) {
    Completion found = all_values(place, typed);
    std::erase_if(found.candidates,
                  [&](const Candidate& one) { return !one.text.starts_with(typed); });
    return found;
}

Completion values_for(const Choices& choices, std::string_view typed) {
    const auto comma = choices.is_list ? typed.rfind(',') : std::string_view::npos;
    const std::string before(typed.substr(0, comma == std::string_view::npos ? 0 : comma + 1));
    Completion found;
    for (const std::string& name : choices.names) {
        if ((before + name).starts_with(typed)) {
            found.candidates.push_back({before + name, ""});
        }
    }
    return found;
}

}  // namespace cacheledger
