#include "ingest/front_matter.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "ingest/plain_lines.hpp"
#include "ingest/yaml_rest.hpp"

namespace cacheledger {

namespace {

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

// Takes the first line off `text`, and gives it without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

bool is_fence(std::string_view line) {
    return line.starts_with(fence) && trimmed(line.substr(fence.size())).empty();
}

[[noreturn]] void refuse(int line, const std::string& problem) {
    throw std::invalid_argument(fmt::format("{}: {}", line, problem));
}

// Keeps the JSON value of a line `key: value` if the line has this key.
bool take_json(std::string_view line, int number, std::string_view key,
               std::optional<FrontMatter::Raw>& value) {
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) {
        return false;
    }
    if (value) {
        refuse(number, fmt::format("'{}' is given twice", key));
    }
    value = {trimmed(line.substr(key.size() + 1)), number};
    if (value->text.empty()) {
        refuse(number, fmt::format("expected the value of '{}' as JSON on the same line", key));
    }
    return true;
}

// Keeps the lines of the lists that name specs. They are not left to the YAML parser: real pages
// have 150 KB of them, and keys that are longer than the 1,024 characters that YAML allows.
class SpecLists {
  public:
    explicit SpecLists(FrontMatter& page) : page_(page) {}

    // Whether the line is an item of such a list, which is then kept.
    bool take(std::string_view line, int number) {
        const std::string_view text = trimmed(line);
        if (list_ != nullptr && (text == "-" || text.starts_with("- "))) {
            list_->push_back({text, number});
            return true;
        }
        if (!text.empty()) {
            list_ = list_that_begins(line);
        }
        return false;
    }

  private:
    std::vector<FrontMatter::Raw>* list_that_begins(std::string_view line) {
        if (is_head(line, "spec_files:")) {
            return &page_.spec_files.emplace();
        }
        return is_head(line, "spec_names:") ? &page_.spec_names.emplace() : nullptr;
    }
    static bool is_head(std::string_view line, std::string_view key) {
        return line.starts_with(key) && trimmed(line.substr(key.size())).empty();
    }

    FrontMatter& page_;
    std::vector<FrontMatter::Raw>* list_ = nullptr;  // at hand
};

std::string scalar(const YAML::Node& node, std::string_view key, int line) {
    if (!node.IsScalar()) {
        refuse(line, fmt::format("expected '{}' to be a text", key));
    }
    return node.as<std::string>();
}

void read_categories(const YAML::Node& categories, int line, FrontMatter& page) {
    if (!categories.IsSequence()) {
        refuse(line, "expected 'categories' to be a list: [package, TAG]");
    }
    if (categories.size() > 0 && scalar(categories[0], "categories", line) == "package") {
        page.is_page = true;
        if (categories.size() > 1) {
            page.tag = scalar(categories[1], "categories", line);
        }
    }
}

void read_key(const std::string& key, const YAML::Node& value, int line, FrontMatter& page) {
    if (key == "title") {
        page.title = scalar(value, key, line);
    } else if (key == "categories") {
        read_categories(value, line, page);
    } else if (key == "category") {
        page.before_tags = scalar(value, key, line) == "package";
        page.is_page = page.is_page || page.before_tags;
    } else if (key == "layout") {
        page.is_page = page.is_page || scalar(value, key, line) == "cache";
    } else if (key == "spec_files" || key == "spec_names") {
        page.is_page = true;
        if (!value.IsNull() && !page.spec_details) {
            refuse(line, fmt::format("expected '{}' to be a list with a line '- ...' a spec", key));
        }
    }
}

void read_yaml(const std::string& yaml, FrontMatter& page) {
    try {
        // Not LoadAll(): on a text that begins with a comma it never ends (0.7).
        const YAML::Node root = YAML::Load(yaml);
        if (!root.IsDefined() || root.IsNull()) {
            return;
        }
        if (!root.IsMap()) {
            refuse(2, "expected lines of the form 'key: value'");
        }
        std::set<std::string> seen;
        for (const auto& entry : root) {
            const int line = entry.first.Mark().line + 1;
            const std::string key = scalar(entry.first, "key", line);
            if (!seen.insert(key).second) {
                refuse(line, fmt::format("'{}' is given twice", key));
            }
            read_key(key, entry.second, line, page);
        }
    } catch (const YAML::Exception& error) {
        refuse(error.mark.line + 1, fmt::format("broken YAML: {}", error.msg));
    }
}

}  // namespace

bool opens_with_front_matter(std::string_view text) {
    text = without_mark(text);
    return is_fence(take_line(text));
}

FrontMatter read_front_matter(std::string_view text) {
    if (text.empty()) {
        throw std::invalid_argument(
            " the file is empty; expected a page that opens with a line '---'");
    }
    text = without_mark(text);
    FrontMatter page;
    if (!is_fence(take_line(text))) {
        refuse(1, "expected front matter: a first line '---'");
    }
    SpecLists spec_lists(page);
    YamlRest yaml;
    yaml.add("", 1);
    for (int number = 2;; ++number) {
        if (text.empty()) {
            refuse(number, "the front matter is cut off; expected a closing line '---'");
        }
        const std::string_view line = take_line(text);
        if (is_fence(line)) {
            if (opens_with_front_matter(text)) {
                refuse(number + 1, "expected one page in a file, here a second one begins");
            }
            break;
        }
        const bool taken = spec_lists.take(line, number) ||
                           take_json(line, number, "meta", page.meta) ||
                           take_json(line, number, "spec_details", page.spec_details);
        yaml.add(taken ? "" : line, number);
    }
    page.is_page = page.meta.has_value() || page.spec_details.has_value();
    if (!read_plain_lines(yaml.text(), page)) {
        read_yaml(yaml.text(), page);
    }
    return page;
}

}  // namespace cacheledger
