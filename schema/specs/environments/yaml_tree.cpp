#include "schema/specs/environments/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_yaml_bytes = 16U << 20U;
constexpr std::size_t most_yaml_values = 500'000;
constexpr std::size_t most_yaml_nesting = 64;

// What YAML takes for something else than a string, where it stands without quotes.
bool is_number_or_boolean(const std::string& text) {
    constexpr auto booleans =
        std::to_array<std::string_view>({"true", "True", "TRUE", "false", "False", "FALSE"});
    if (std::ranges::find(booleans, text) != booleans.end()) {
        return true;
    }
    const bool has_sign = text.starts_with('+') || text.starts_with('-');
    const char* const begin = text.data() + (has_sign ? 1 : 0);
    const char* const end = text.data() + text.size();
    if (begin == end || !((*begin >= '0' && *begin <= '9') || *begin == '.')) {
        return false;
    }
    double number = 0;
    return std::from_chars(begin, end, number).ptr == end;
}

/// Makes values of the nodes of yaml-cpp. These share what an alias repeats, so that a short text
/// could grow without end.
class YamlTreeMaker {
  public:
    explicit YamlTreeMaker(const std::string& name) : name_(name) {}

    YamlValue make(const YAML::Node& node, std::size_t nesting = 0) {
        YamlValue value;
        value.line = line_of(node.Mark());
        if (++values_ > most_yaml_values) {
            refuse(value.line, "expected at most 500,000 values, with those that aliases repeat");
        }
        if (nesting > most_yaml_nesting) {
            refuse(value.line, "expected less nesting");
        }
        if (node.IsSequence()) {
            value.kind = YamlValue::Kind::list;
            for (const auto& item : node) {
                value.items.push_back(make(item, nesting + 1));
            }
        } else if (node.IsMap()) {
            value.kind = YamlValue::Kind::mapping;
            add_entries(value, node, nesting);
        } else if (node.IsScalar()) {
            value.text = node.Scalar();
            value.kind = node.Tag() == "?" && is_number_or_boolean(value.text)
                             ? YamlValue::Kind::other
                             : YamlValue::Kind::text;
        }
        return value;
    }

    [[noreturn]] void refuse(std::size_t line, std::string_view problem) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line, problem));
    }

    static std::size_t line_of(const YAML::Mark& mark) {
        return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1;
    }

  private:
    void add_entries(YamlValue& value, const YAML::Node& node, std::size_t nesting) {
        std::vector<YamlEntry> inherited;
        for (const auto& pair : node) {
            if (!pair.first.IsScalar()) {
                refuse(line_of(pair.first.Mark()), "expected a key that is a word");
            }
            YamlEntry entry{pair.first.Scalar(), line_of(pair.first.Mark()), false,
                            make(pair.second, nesting + 1)};
            if (entry.key == "<<" && entry.value.is_mapping()) {
                inherited = std::move(entry.value.entries);
                continue;
            }
            if (entry.key.ends_with(':')) {
                entry.key.pop_back();
                entry.hides_others = true;
            }
            if (value.find(entry.key) != nullptr) {
                refuse(entry.line,
                       fmt::format("expected each key once, found '{}' again", entry.key));
            }
            value.entries.push_back(std::move(entry));
        }
        for (YamlEntry& entry : inherited) {
            if (value.find(entry.key) == nullptr) {
                value.entries.push_back(std::move(entry));
            }
        }
    }

    const std::string& name_;
    std::size_t values_ = 0;
};

}  // namespace

bool YamlValue::is_empty() const {
    return text.empty() && items.empty() && entries.empty();
}

std::string_view YamlValue::kind_name() const {
    switch (kind) {
        case Kind::text:
            return "a text";
        case Kind::other:
            return "a number or boolean";
        case Kind::list:
            return "a list";
        case Kind::mapping:
            return "a mapping";
        case Kind::null:
            break;
    }
    return "nothing";
}

const YamlValue* YamlValue::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &YamlEntry::key);
    return found == entries.end() ? nullptr : &found->value;
}

YamlValue read_yaml(std::string_view text, const std::string& name) {
    YamlTreeMaker maker(name);
    if (text.size() > most_yaml_bytes) {
        maker.refuse(1, "expected at most 16 MiB of YAML");
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        // At the beginning yaml-cpp takes one for another encoding.
        const auto before = text.substr(0, nul);
        maker.refuse(static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
                     "expected text, found a NUL character");
    }
    try {
        // Since 0.7, yaml-cpp refuses what is nested deeply before it runs out of stack.
        const auto documents = YAML::LoadAll(std::string(text));
        if (documents.size() > 1) {
            maker.refuse(YamlTreeMaker::line_of(documents[1].Mark()),
                         "expected one YAML document, found another one");
        }
        if (documents.empty()) {
            YamlValue nothing;
            nothing.line = 1;
            return nothing;
        }
        return maker.make(documents.front());
    } catch (const YAML::DeepRecursion& error) {
        maker.refuse(YamlTreeMaker::line_of(error.mark), "expected less nesting");
    } catch (const YAML::Exception& error) {
        maker.refuse(YamlTreeMaker::line_of(error.mark),
                     fmt::format("expected YAML: {}", error.msg));
    }
}

YamlValue merged_settings(const YamlValue& under, const YamlValue& over) {
    if (under.kind != over.kind || !(over.is_mapping() || over.is_list())) {
        return over.kind == YamlValue::Kind::null ? under : over;
    }
    if (over.is_list()) {
        YamlValue list = over;
        for (const YamlValue& item : under.items) {
            const bool is_there = std::ranges::any_of(over.items, [&](const YamlValue& other) {
                return item.is_text() && other.is_text() && other.text == item.text;
            });
            if (!is_there) {
                list.items.push_back(item);
            }
        }
        return list;
    }
    YamlValue mapping = under;
    for (const YamlEntry& entry : over.entries) {
        const auto found = std::ranges::find(mapping.entries, entry.key, &YamlEntry::key);
        if (found == mapping.entries.end()) {
            mapping.entries.push_back(entry);
        } else {
            found->value =
                entry.hides_others ? entry.value : merged_settings(found->value, entry.value);
        }
    }
    return mapping;
}

}  // namespace cacheledger
