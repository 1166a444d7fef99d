#include "schema/specs/settings/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

/// Makes the value of what yaml-cpp finds in a text, one event after the other. The nodes of
/// yaml-cpp itself take ten times the memory.
class YamlTreeMaker : public YAML::EventHandler {
  public:
    YamlTreeMaker(const std::string& name, YamlReading& reading) : name_(name), reading_(reading) {}

    YamlValue root() { return std::move(root_); }

    [[noreturn]] void refuse(std::size_t line, std::string_view problem) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line, problem));
    }

    static std::size_t line_of(const YAML::Mark& mark) {
        return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1;
    }

    void OnDocumentStart(const YAML::Mark& /*mark*/) override { ++documents_; }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(value_at(mark, YamlValue::Kind::null), anchor, line_of(mark));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchored_.find(anchor);
        if (found == anchored_.end()) {
            refuse(line_of(mark), "expected less nesting");  // within what it repeats
        }
        count(found->second, open_.size(), line_of(mark));
        add(found->second, YAML::NullAnchor, line_of(mark));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        YamlValue value =
            value_at(mark, tag == "?" && is_number_or_boolean(text) ? YamlValue::Kind::other
                                                                    : YamlValue::Kind::text);
        value.text = text;
        add(std::move(value), anchor, line_of(mark));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(mark, YamlValue::Kind::list, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(mark, YamlValue::Kind::mapping, anchor);
    }
    void OnMapEnd() override { close(); }

  private:
    /// A list or a mapping whose end is not read.
    struct Open {
        YamlValue value;
        YAML::anchor_t anchor = YAML::NullAnchor;
        std::size_t line = 0;
        std::optional<std::pair<std::string, std::size_t>> key;  // and its line
        std::unordered_set<std::string> keys;
        std::vector<YamlEntry> inherited;  // by "<<"

        bool takes_key() const { return value.is_mapping() && !key; }
    };

    std::size_t shown(std::size_t line) const { return reading_.line.value_or(line); }

    YamlValue value_at(const YAML::Mark& mark, YamlValue::Kind kind) {
        if (documents_ > 1) {
            refuse(line_of(mark), "expected one YAML document, found another one");
        }
        YamlValue value;
        value.kind = kind;
        value.line = shown(line_of(mark));
        if (open_.empty() || !open_.back().takes_key()) {
            count(value, open_.size(), line_of(mark));
        }
        return value;
    }

    void count(const YamlValue& value, std::size_t nesting, std::size_t line) {
        if (++reading_.values > most_yaml_values) {
            refuse(line, "expected at most 500,000 values, with those that aliases repeat");
        }
        if (nesting > most_yaml_nesting) {
            refuse(line, "expected less nesting");
        }
        for (const YamlValue& item : value.items) {
            count(item, nesting + 1, line);
        }
        for (const YamlEntry& entry : value.entries) {
            count(entry.value, nesting + 1, line);
        }
    }

    void open(const YAML::Mark& mark, YamlValue::Kind kind, YAML::anchor_t anchor) {
        if (!open_.empty() && open_.back().takes_key()) {
            refuse(line_of(mark), "expected a key that is a word");
        }
        open_.push_back({value_at(mark, kind), anchor, line_of(mark), {}, {}, {}});
    }

    void close() {
        Open closed = std::move(open_.back());
        open_.pop_back();
        for (YamlEntry& entry : closed.inherited) {
            if (closed.keys.insert(entry.key).second) {
                closed.value.entries.push_back(std::move(entry));
            }
        }
        add(std::move(closed.value), closed.anchor, closed.line);
    }

    void add(YamlValue value, YAML::anchor_t anchor, std::size_t line) {
        if (anchor != YAML::NullAnchor) {
            count(value, open_.size(), line);
            anchored_[anchor] = value;
        }
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.back().value.is_list()) {
            open_.back().value.items.push_back(std::move(value));
        } else if (open_.back().takes_key()) {
            if (!value.is_text() && value.kind != YamlValue::Kind::other) {
                refuse(line, "expected a key that is a word");
            }
            open_.back().key.emplace(std::move(value.text), line);
        } else {
            add_entry(open_.back(), std::move(value));
        }
    }

    void add_entry(Open& mapping, YamlValue value) {
        auto [key, line] = *std::exchange(mapping.key, std::nullopt);
        if (key == "<<" && value.is_mapping()) {
            mapping.inherited = std::move(value.entries);
            return;
        }
        const bool hides_others = key.ends_with(':');
        if (hides_others) {
            key.pop_back();
        }
        if (!mapping.keys.insert(key).second) {
            refuse(line, reading_.line
                             ? "expected each key once"  // of a file that need not be settings
                             : fmt::format("expected each key once, found '{}' again", key));
        }
        mapping.value.entries.push_back(
            {std::move(key), shown(line), hides_others, std::move(value)});
    }

    const std::string& name_;
    YamlReading& reading_;
    std::size_t documents_ = 0;
    std::vector<Open> open_;
    std::unordered_map<YAML::anchor_t, YamlValue> anchored_;
    YamlValue root_;
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
    YamlReading reading;
    return read_yaml(text, name, reading);
}

YamlValue read_yaml(std::string_view text, const std::string& name, YamlReading& reading) {
    YamlTreeMaker maker(name, reading);
    reading.bytes += text.size();
    if (reading.bytes > most_yaml_bytes) {
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
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(maker)) {
        }
        YamlValue root = maker.root();
        root.line = std::max<std::size_t>(root.line, 1);
        return root;
    } catch (const YAML::DeepRecursion& error) {
        maker.refuse(YamlTreeMaker::line_of(error.mark), "expected less nesting");
    } catch (const YAML::Exception& error) {
        maker.refuse(YamlTreeMaker::line_of(error.mark),
                     fmt::format("expected YAML: {}", error.msg));
    }
}

YamlValue merged_settings(YamlValue under, YamlValue over) {
    if (under.kind != over.kind || !(over.is_mapping() || over.is_list())) {
        return over.kind == YamlValue::Kind::null ? under : over;
    }
    if (over.is_list()) {
        std::unordered_set<std::string> texts;
        for (const YamlValue& item : over.items) {
            if (item.is_text()) {
                texts.insert(item.text);
            }
        }
        for (YamlValue& item : under.items) {
            if (!item.is_text() || !texts.contains(item.text)) {
                over.items.push_back(std::move(item));
            }
        }
        return over;
    }
    std::unordered_map<std::string, std::size_t> places;
    for (const YamlEntry& entry : under.entries) {
        places.emplace(entry.key, places.size());
    }
    for (YamlEntry& entry : over.entries) {
        const auto found = places.find(entry.key);
        if (found == places.end()) {
            under.entries.push_back(std::move(entry));
            continue;
        }
        YamlValue& value = under.entries[found->second].value;
        value = entry.hides_others ? std::move(entry.value)
                                   : merged_settings(std::move(value), std::move(entry.value));
    }
    return under;
}

}  // namespace cacheledger
