#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

struct YamlEntry;

/// A value of a YAML text, with its aliases in full.
struct YamlValue {
    enum class Kind : unsigned char {
        null,
        text,   ///< a string
        other,  ///< a number, true or false
        list,
        mapping,
    };
    Kind kind = Kind::null;
    std::size_t line = 0;  ///< from 1 on
    std::string text;      ///< of what is no list and no mapping
    std::vector<YamlValue> items;
    std::vector<YamlEntry> entries;  ///< in the order of the file

    bool is_text() const { return kind == Kind::text; }
    bool is_list() const { return kind == Kind::list; }
    bool is_mapping() const { return kind == Kind::mapping; }
    /// null, "", [] or {}.
    bool is_empty() const;

    /// "a list", "a text".
    std::string_view kind_name() const;

    /// The value of a key; nullptr if this is no mapping that has it.
    const YamlValue* find(std::string_view key) const;
};

/// A key of a mapping. Spack's "key::" is the key with a mark: it hides what other scopes say.
struct YamlEntry {
    std::string key;
    std::size_t line = 0;
    bool hides_others = false;
    YamlValue value;
};

/// What was read so far for one question. The limits are for all of it.
struct YamlReading {
    std::size_t bytes = 0;
    std::size_t values = 0;
    /// Of a file that another one names: the line of that, which all values get. Errors do not
    /// repeat what stands in such a file, which may be anything.
    std::optional<std::size_t> line = {};
};

/// Reads a text of one YAML document. Limits its size, its nesting, and what aliases make of it.
/// Throws InputError: "NAME:3: expected ...".
YamlValue read_yaml(std::string_view text, const std::string& name);
YamlValue read_yaml(std::string_view text, const std::string& name, YamlReading& reading);

/// Settings as Spack merges them where `over` comes before `under`: mappings are merged by key, of
/// lists those of `over` come first, and any other value replaces. So does one with "key::".
YamlValue merged_settings(YamlValue under, YamlValue over);

}  // namespace cacheledger
