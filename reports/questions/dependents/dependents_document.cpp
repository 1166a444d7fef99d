#include <fmt/format.h>

#include "reports/questions/dependents/dependents.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

bool is_nothing_known(const DependentSpecs& found) {
    return !found.is_known && found.unknown > 0;
}

// Where no dependencies are known, "0 builds need it" would be an answer to another question.
std::string headline(const DependentSpecs& found, const std::string& title) {
    if (is_nothing_known(found)) {
        return fmt::format(
            "{}: nothing is known of what needs it: no source lists the dependencies of the {} "
            "there.",
            title, counted(found.unknown, "build"));
    }
    return fmt::format("{}: {} it directly, {} in all, of {}", title,
                       counted(found.direct, "build needs", "builds need"), grouped(found.all),
                       counted(static_cast<std::int64_t>(found.packages.rows.size()), "package"));
}

std::vector<std::string> remarks_on_dependents(const DependentSpecs& found) {
    std::vector<std::string> said;
    if (!found.absence.empty()) {
        said.push_back(found.absence);
    }
    if (found.undecided > 0) {
        said.push_back(fmt::format("{} match {}; what needs them is left out.",
                                   counted(found.undecided, "more build may", "more builds may"),
                                   found.spec));
    }
    if (found.unknown > 0) {
        said.push_back(fmt::format("The dependencies of {} of {} are not known: {} need it, too.",
                                   counted(found.unknown, "spec"), found.snapshot,
                                   words_for(found.unknown, "it may", "they may")));
    }
    return said;
}

}  // namespace

Document document_of(const DependentSpecs& found) {
    const auto packages = static_cast<std::int64_t>(found.packages.rows.size());
    Document document;
    document.title = fmt::format("{} at {}", found.spec, found.snapshot);
    document.notes = remarks_on_dependents(found);
    document.lines = lines_of(headline(found, document.title), document.notes);
    if (is_nothing_known(found)) {
        document.lines.pop_back();  // of the unknown ones: the headline says it
    }
    document.parts = [&found] {
        return std::vector<DocumentPart>{{"By stack", found.stacks},
                                         {"By package", found.packages}};
    };
    document.rows = [&found] { return found.dependents; };
    document.fields = [&found, packages] {
        return std::vector<DocumentField>{
            {"spec", found.spec},           {"snapshot", found.snapshot},
            {"direct", found.direct},       {"all", found.all},
            {"packages", packages},         {"unknown", found.unknown},
            {"undecided", found.undecided}, {"present", found.present},
            {"stacks", found.stacks},       {"dependents", found.dependents}};
    };
    return document;
}

}  // namespace cacheledger
