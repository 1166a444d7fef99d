#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/questions/why/reason_phrase.hpp"
#include "reports/questions/why/why.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

std::string headline_of_why(const Why& why) {
    const std::string pair = fmt::format("{} -> {}: ", why.from, why.to);
    if (why.is_of_specs && why.from == why.to) {
        return pair + "both are the same spec";
    }
    if (why.is_of_specs && why.pushed > 0) {
        return pair + "the second is a dependency of the first, and nothing is new";
    }
    std::vector<std::string> parts;
    if (why.reasons.rows.empty()) {  // else the next line begins with it
        parts.push_back(count_explained(why));
    }
    if (why.pushed > 0) {
        parts.push_back(fmt::format("{} pushed (known before as {})", grouped(why.pushed),
                                    words_for(why.pushed, "a dependency", "dependencies")));
    }
    return parts.empty() ? fmt::format("{} -> {}", why.from, why.to)
                         : pair + fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> lines_of_why(const Why& why) {
    std::vector<std::string> lines = {headline_of_why(why)};
    if (auto summary = summary_of(why)) {
        lines.push_back(*std::move(summary));
    }
    if (why.cost && why.rebuilt > 0) {
        lines.push_back(fmt::format("Build time of {}: {}.",
                                    words_for(why.rebuilt, "this build", "these builds"),
                                    text_of(*why.cost)));
    }
    for (std::string& remark : remarks(why)) {
        const bool is_in_headline = why.rebuilt == 0 && remark == unexplained(why);
        if (!is_in_headline) {
            lines.push_back(std::move(remark));
        }
    }
    return lines;
}

// The reasons as people are shown them. On a screen without hashes, which are too long for it.
DocumentPart part_of_reasons(const Why& why, bool with_hashes) {
    ResultTable shown = why.reasons;
    for (auto& row : shown.rows) {
        row[column_of(shown, "change")] = reason_words(row);
    }
    std::vector<std::string> columns = {"package", "specs", "packages", "change"};
    if (with_hashes) {
        columns.emplace_back("hash");
    }
    return {"Reasons, and how many builds (specs) of how many packages each explains",
            columns_of(shown, columns)};
}

// In which builds two specs differ.
DocumentPart part_apart(const Why& why) {
    return {"What differs, the nearest first (depth 0: the build, 1: what it depends on)",
            columns_of(why.apart, {"depth", "package", "change"})};
}

// Without `commits` nothing is said of them.
std::vector<DocumentPart> parts_of_why(const Why& why) {
    if (why.is_of_specs) {
        return {part_of_reasons(why, false), part_apart(why)};
    }
    if (!why.commits) {
        return {part_of_reasons(why, false)};
    }
    std::vector<DocumentPart> parts = {part_of_reasons(why, false)};
    if (DocumentPart commits = part_of_commits(*why.commits); !commits.lines.empty()) {
        parts.insert(parts.begin(), std::move(commits));
    }
    return parts;
}

DocumentField field_of_reasons(const Why& why) {
    if (!why.commits) {
        return {"reasons", why.reasons};
    }
    return {"reasons", reasons_with_commits(why.reasons, *why.commits)};
}

}  // namespace

Document document_of(const Why& why) {
    Document document;
    document.title = fmt::format("{} -> {}", why.from, why.to);
    document.lines = lines_of_why(why);
    document.notes = remarks(why);
    document.parts = [&why] { return parts_of_why(why); };
    document.rows = [&why] { return why.reasons; };
    document.all_parts = [&why] {
        std::vector<DocumentPart> parts = {part_of_reasons(why, true)};
        if (why.is_of_specs) {
            parts.push_back(part_apart(why));
        }
        return parts;
    };
    document.has_page = false;
    document.fields = [&why, said = document.notes] {
        std::vector<DocumentField> fields = {
            {"from", why.from},     {"to", why.to},           {"rebuilt", why.rebuilt},
            {"pushed", why.pushed}, {"unknown", why.unknown}, {"remarks", remarks_table(said)},
            field_of_reasons(why)};
        if (why.cost) {
            const auto cost = fields_of_cost(*why.cost);
            fields.insert(fields.end() - 2, cost.begin(), cost.end());  // before the remarks
        }
        if (why.is_of_specs) {
            fields.push_back({"dependencies", why.apart});
        }
        return fields;
    };
    return document;
}

}  // namespace cacheledger
