#include "ingest/pages/front_matter/front_matter.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
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

/// Reads the lines of a front matter without `meta`, `spec_details` and the lists of specs, which
/// `page` has already. `yaml`: these lines, and a blank one for each other line. A key that pages
/// do not have becomes a finding. Throws Problem with the line.
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

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view fence = "---";

std::string_view without_mark(std::string_view text) {
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool is_fence(std::string_view line) {
    return line.starts_with(fence) && trimmed(line.substr(fence.size())).empty();
}

// A line "key: value". The key may be in quotes. The YAML parser reads a key with escapes.
struct KeyLine {
    std::string_view key;
    std::string_view value;
};

std::optional<KeyLine> key_line(std::string_view line) {
    std::size_t colon = line.find(':');
    std::string_view key;
    if (line.starts_with('"') || line.starts_with('\'')) {
        const std::size_t end = std::min(line.find(line.front(), 1), line.size());
        key = line.substr(1, end - 1);
        colon = line.find_first_not_of(" \t", end + 1);
        if (colon != std::string_view::npos && line[colon] != ':') {
            return std::nullopt;
        }
    } else {
        key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    }
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    return KeyLine{key, trimmed(line.substr(colon + 1))};
}

// Keeps the JSON value of a line if the line has this key.
bool take_json(const KeyLine& line, int number, std::string_view key,
               std::optional<FrontMatter::Raw>& value) {
    if (line.key != key) {
        return false;
    }
    if (value) {
        refuse_line(number, fmt::format("'{}' is given twice", key));
    }
    if (line.value.empty()) {
        refuse_line(number,
                    fmt::format("expected the value of '{}' as JSON on the same line", key));
    }
    value = {line.value, number};
    return true;
}

// Keeps the lines of the lists that name specs. The YAML parser does not get them: real pages have
// 150 KB of them, with keys that are longer than the 1,024 characters that YAML allows.
class SpecLists {
  public:
    explicit SpecLists(FrontMatter& page) : page_(page) {}

    // Keeps the line if it is an item of such a list. Returns whether it is.
    bool take(std::string_view line, int number) {
        const std::string_view text = trimmed(line);
        if (list_ != nullptr && (text == "-" || text.starts_with("- "))) {
            list_->push_back({text, number});
            return true;
        }
        if (!text.empty()) {
            list_ = nullptr;
        }
        return false;
    }

    // Takes a line with a key, which may begin a list.
    void begin(const KeyLine& line) {
        if (line.value.empty() && line.key == "spec_files") {
            list_ = &page_.spec_files.emplace();
        } else if (line.value.empty() && line.key == "spec_names") {
            list_ = &page_.spec_names.emplace();
        }
    }

  private:
    FrontMatter& page_;
    std::vector<FrontMatter::Raw>* list_ = nullptr;  // at hand
};

// Keeps the line as it is if it is not YAML. Returns whether it is kept.
bool take(std::string_view line, int number, SpecLists& spec_lists, FrontMatter& page) {
    if (spec_lists.take(line, number)) {
        return true;
    }
    const auto found = key_line(line);
    if (!found) {
        return false;
    }
    spec_lists.begin(*found);
    return take_json(*found, number, "meta", page.meta) ||
           take_json(*found, number, "spec_details", page.spec_details);
}

// Reads what follows the closing line. Upstream's pages have nothing there. `number`: that of the
// closing line.
void read_trailing(std::string_view text, int number, FrontMatter& page) {
    while (!text.empty()) {
        ++number;
        if (opens_with_front_matter(text)) {
            refuse_line(number, "expected one page in a file, here a second one begins");
        }
        const std::string_view line = trimmed(take_line(text));
        if (line.find_first_not_of("\v\f ") != std::string_view::npos) {
            page.findings.push_back(
                {"trailing-text", "",
                 fmt::format("what stands behind the closing '---' is not stored; "
                             "it begins with '{}'",
                             shortened(line, longest_quote))});
            return;
        }
    }
}

}  // namespace

bool opens_with_front_matter(std::string_view text) {
    text = without_mark(text);
    return is_fence(take_line(text));
}

FrontMatter read_front_matter(std::string_view text) {
    if (text.empty()) {
        throw Problem("the file is empty; expected a page that opens with a line '---'");
    }
    text = without_mark(text);
    FrontMatter page;
    if (!is_fence(take_line(text))) {
        refuse_line(1, "expected front matter: a first line '---'");
    }
    SpecLists spec_lists(page);
    LimitedYaml yaml;
    yaml.add("", 1);
    for (int number = 2;; ++number) {
        if (text.empty()) {
            refuse_line(number, "the front matter is cut off; expected a closing line '---'");
        }
        const std::string_view line = take_line(text);
        if (is_fence(line)) {
            read_trailing(text, number, page);
            break;
        }
        yaml.add(take(line, number, spec_lists, page) ? "" : line, number);
    }
    page.is_page = page.meta.has_value() || page.spec_details.has_value();
    if (!read_simple_front_matter(yaml.text(), page)) {
        read_yaml_front_matter(yaml.text(), page);
    }
    return page;
}

}  // namespace cacheledger
