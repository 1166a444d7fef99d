#include "ingest/pages/front_matter/yaml_front_matter.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <set>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/limited_yaml.hpp"

namespace cacheledger {

namespace {

std::string scalar(const YAML::Node& node, std::string_view key, int line) {
    if (!node.IsScalar()) {
        refuse_line(line, fmt::format("expected '{}' to be a text", key));
    }
    return node.as<std::string>();
}

void note_odd(FrontMatter& page, FindingKind kind, std::string text, std::string place = "") {
    page.findings.push_back({kind, std::move(place), std::move(text)});
}

// Reads `categories: [package, TAG]`. Only a page of a package has `package` there.
void read_categories(const YAML::Node& categories, int line, FrontMatter& page) {
    if (!categories.IsSequence()) {
        refuse_line(line, "expected 'categories' to be a list: [package, TAG]");
    }
    if (categories.size() == 0) {
        return;
    }
    const std::string first = scalar(categories[0], "categories", line);
    if (first != "package") {
        note_odd(page, "category-mismatch",
                 fmt::format("categories begins with '{}', that of a package page with 'package'",
                             shortened(first, longest_quote)));
        return;
    }
    page.is_page = true;
    if (categories.size() > 1) {
        page.tag = scalar(categories[1], "categories", line);
    }
    for (std::size_t i = 2; i < categories.size(); ++i) {
        const YAML::Node more = categories[i];
        const std::string text =
            more.IsScalar() ? shortened(more.as<std::string>(), longest_quote) : "...";
        note_odd(page, "category-mismatch",
                 fmt::format("'{}', behind the tag, is not stored", text),
                 fmt::format("categories[{}]", i));
    }
}

// Returns whether the key has the value that pages of packages have. If not, that is a finding.
bool has_value(std::string_view expected, FindingKind otherwise, const std::string& key,
               const YAML::Node& value, int line, FrontMatter& page) {
    const std::string text = scalar(value, key, line);
    if (text == expected) {
        page.is_page = true;
        return true;
    }
    note_odd(page, otherwise,
             fmt::format("{} is '{}', that of a package page is '{}'", key,
                         shortened(text, longest_quote), expected));
    return false;
}

// Checks a list that names specs. If the list has a line for each, `page` has these lines already.
void check_list(const std::string& key, const YAML::Node& value, int line, FrontMatter& page) {
    page.is_page = true;
    if (value.IsNull()) {
        return;
    }
    const std::string expected =
        fmt::format("expected '{}' to be a list with a line '- ...' a spec", key);
    if (!page.spec_details) {
        refuse_line(line, expected);
    }
    note_odd(page, "unknown-field", fmt::format("{}; it is not read", expected));
}

void read_key(const std::string& key, const YAML::Node& value, int line, FrontMatter& page) {
    if (key == "title") {
        page.title = scalar(value, key, line);
    } else if (key == "categories") {
        read_categories(value, line, page);
    } else if (key == "category") {
        page.before_tags = has_value("package", "category-mismatch", key, value, line, page);
    } else if (key == "layout") {
        has_value("cache", "layout-mismatch", key, value, line, page);
    } else if (key == "spec_files" || key == "spec_names") {
        check_list(key, value, line, page);
    } else if (key == "meta" || key == "spec_details") {
        const bool is_there = key == "meta" ? page.meta.has_value() : page.spec_details.has_value();
        refuse_line(line, is_there ? fmt::format("'{}' is given twice", key)
                                   : fmt::format("expected a line that begins with '{}:'", key));
    } else {
        note_odd(page, "unknown-field",
                 fmt::format("'{}' is not known and not stored", shortened(key, longest_quote)));
    }
}

}  // namespace

void read_yaml_front_matter(const std::string& yaml, FrontMatter& page) {
    refuse_open_quotes(yaml);
    try {
        // Not LoadAll(): version 0.7 never ends on a text that begins with a comma.
        const YAML::Node root = YAML::Load(yaml);
        if (!root.IsDefined() || root.IsNull()) {
            return;
        }
        if (!root.IsMap()) {
            refuse_line(2, "expected lines of the form 'key: value'");
        }
        std::set<std::string> seen;
        for (const auto& entry : root) {
            const int line = entry.first.Mark().line + 1;
            const std::string key = scalar(entry.first, "key", line);
            if (!seen.insert(key).second) {
                refuse_line(line, fmt::format("'{}' is given twice", key));
            }
            read_key(key, entry.second, line, page);
        }
    } catch (const YAML::Exception& error) {
        refuse_line(error.mark.line + 1, fmt::format("broken YAML: {}", error.msg));
    }
}

}  // namespace cacheledger
