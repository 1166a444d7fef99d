#include "schema/specs/settings/included_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_includes = 1'000;
constexpr std::size_t most_file_bytes = 16U << 20U;

// The sections that say what is wanted, or what is required of it.
constexpr auto sections_of_wishes =
    std::to_array<std::string_view>({"definitions", "packages", "toolchains"});

bool is_true(const YamlValue* value) {
    return value != nullptr && value->kind == YamlValue::Kind::other &&
           (value->text == "true" || value->text == "True" || value->text == "TRUE");
}

bool is_path_text(const YamlValue* value) {
    return value != nullptr && value->is_text() && !value->text.empty();
}

// The value of a variable in a path, as Spack names them; nullptr if it is not known here.
const char* value_of(const std::string& name) {
    constexpr auto names_of_spack = std::to_array<std::string_view>(
        {"spack", "user", "tempdir", "user_cache_path", "spack_instance_id", "architecture", "arch",
         "platform", "operating_system", "os", "target", "target_family", "date",
         "spack_short_version"});
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(names_of_spack, lower) != names_of_spack.end()
               ? nullptr
               : std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
}

YamlValue wishes_in(const YamlValue& sections) {
    YamlValue scope;
    scope.kind = YamlValue::Kind::mapping;
    std::ranges::copy_if(
        sections.entries, std::back_inserter(scope.entries), [](const YamlEntry& entry) {
            return std::ranges::find(sections_of_wishes, entry.key) != sections_of_wishes.end();
        });
    return scope;
}

// Whether settings may make an answer another one.
bool changes_wishes(const YamlValue& scope) {
    return std::ranges::any_of(scope.entries, [](const YamlEntry& section) {
        if (section.key != "packages") {
            return !section.value.is_empty();
        }
        return std::ranges::any_of(section.value.entries, [&](const YamlEntry& package) {
            return section.hides_others || package.hides_others ||
                   std::ranges::any_of(package.value.entries, [](const YamlEntry& setting) {
                       return setting.key == "require" || setting.key == "conflict" ||
                              setting.key == "buildable";
                   });
        });
    });
}

// The same for each path that leads to a file.
std::string identity_of(const fs::path& path) {
    std::error_code failed;
    const fs::path canonical = fs::weakly_canonical(path, failed);
    return failed ? path.string() : canonical.string();
}

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads one file after the other, and what each includes.
class IncludeReader {
  public:
    IncludeReader(const fs::path& file, YamlReading& reading)
        : folder_of_environment_(fs::absolute(file).parent_path().string()), reading_(reading) {
        seen_.insert(identity_of(file));
    }

    /// What `sections` include, from `folder`. `line`: where the environment includes these;
    /// nullopt for what it includes itself.
    void follow(const YamlValue& sections, const fs::path& folder,
                std::optional<std::size_t> line = {}) {
        const YamlValue* const includes = sections.find("include");
        if (includes == nullptr || includes->is_empty()) {
            return;
        }
        const bool is_one = includes->is_text() || includes->is_mapping();
        for (const YamlValue& item : is_one ? std::vector{*includes} : includes->items) {
            if (++number_ > most_includes) {
                throw InputError(fmt::format("{}: expected at most {} includes in all",
                                             folder_of_environment_, most_includes));
            }
            reading_.line = line.value_or(item.line);
            follow_item(item, folder);
        }
    }

    /// From the one that comes before all others on.
    std::vector<YamlValue> scopes;
    std::vector<std::string> not_read;

  private:
    void follow_item(const YamlValue& item, const fs::path& folder) {
        const YamlValue* const place = item.is_mapping() ? item.find("path") : &item;
        if (!is_path_text(place)) {
            const YamlValue* const git = item.find("git");
            not_read.push_back(is_path_text(git) ? git->text + " (a git repository)"
                                                 : "an entry without a path");
            return;
        }
        const YamlValue* const when = item.find("when");
        if (when == nullptr || when->is_empty()) {
            read(item, place->text, folder);
            return;
        }
        // Where nobody knows whether it counts, it is read to see whether that matters.
        IncludeReader maybe = *this;
        maybe.scopes.clear();
        maybe.not_read.clear();
        bool matters = false;
        try {
            maybe.read(item, place->text, folder);
            matters = !maybe.not_read.empty() || std::ranges::any_of(maybe.scopes, changes_wishes);
        } catch (const InputError&) {
            matters = true;
        }
        number_ = maybe.number_;
        if (matters) {
            not_read.push_back(place->text + " (its 'when' depends on the machine)");
        }
    }

    void read(const YamlValue& item, std::string typed, const fs::path& folder) {
        if (const YamlValue* const variable = item.find("path_override_env_var");
            is_path_text(variable)) {
            const char* const path = value_of(variable->text);
            typed = path == nullptr ? typed : path;
        }
        std::string path = expanded(typed);
        constexpr std::string_view file_scheme = "file://";
        if (path.starts_with(file_scheme)) {
            path.erase(0, file_scheme.size());
        }
        if (path.find("://") != std::string::npos) {
            not_read.push_back(typed + " (a URL)");
        } else if (path.empty()) {
            not_read.push_back(typed + " (a variable in it is not known)");
        } else {
            read_place(typed, folder / path, is_true(item.find("optional")));
        }
    }

    // Without variables; empty if one is not known.
    std::string expanded(const std::string& typed) const {
        std::string path;
        for (std::size_t i = 0; i < typed.size();) {
            std::string name;
            std::size_t end = i + 1;
            if (typed[i] == '~' && i == 0) {
                name = "HOME";
                if (end < typed.size() && typed[end] != '/') {
                    return {};
                }
            } else if (typed[i] == '$') {
                const bool is_braced = end < typed.size() && typed[end] == '{';
                end += is_braced ? 1 : 0;
                while (end < typed.size() && is_of_word(typed[end])) {
                    name += typed[end++];
                }
                if (name.empty() || (is_braced && (end == typed.size() || typed[end++] != '}'))) {
                    return {};
                }
            } else {
                path += typed[i++];
                continue;
            }
            const char* const value =
                name == "env" || name == "ENV" ? folder_of_environment_.c_str() : value_of(name);
            if (value == nullptr) {
                return {};
            }
            path += value;
            i = end;
        }
        return path;
    }

    void read_place(const std::string& typed, const fs::path& path, bool is_optional) {
        std::error_code ignored;
        const auto kind = fs::status(path, ignored).type();
        if (kind == fs::file_type::not_found) {
            if (!is_optional) {
                not_read.push_back(typed + " (there is no such file)");
            }
            return;
        }
        if (!seen_.insert(identity_of(path)).second) {
            return;
        }
        if (kind == fs::file_type::directory) {
            read_folder(typed, path);
        } else if (const auto text = text_of(path)) {
            read_file(typed, *text, path);
        } else {
            not_read.push_back(typed + " (it can't be read)");
        }
    }

    static std::optional<std::string> text_of(const fs::path& path) {
        std::error_code failed;
        if (!fs::is_regular_file(path, failed)) {
            return std::nullopt;
        }
        const auto size = fs::file_size(path, failed);
        std::ifstream stream(path, std::ios::binary);
        if (failed || !stream) {
            return std::nullopt;
        }
        // One byte more than there should be: a file of /proc has none, and may give some.
        const std::size_t expected = std::min<std::size_t>(size, most_file_bytes + 1);
        std::string text(expected + 1, '\0');
        stream.read(text.data(), static_cast<std::streamsize>(text.size()));
        const auto count = static_cast<std::size_t>(stream.gcount());
        text.resize(std::min(count, expected));
        const bool is_whole = count == expected || expected > most_file_bytes;
        return !stream.bad() && is_whole ? std::optional(std::move(text)) : std::nullopt;
    }

    void read_file(const std::string& typed, const std::string& text, const fs::path& path) {
        const YamlValue file = read_yaml(text, typed, reading_);
        const YamlValue* const spack = file.find("spack");
        const YamlValue& sections = spack == nullptr ? file : *spack;
        const bool has_section = std::ranges::any_of(
            sections.entries, [](const YamlEntry& entry) { return is_section(entry.key); });
        if (!sections.is_empty() && !has_section) {
            throw InputError(fmt::format("{}: expected sections of settings of Spack", typed));
        }
        if (const YamlValue* const specs = sections.find("specs");
            specs != nullptr && !specs->is_empty()) {
            not_read.push_back(typed + " (Spack takes no specs of an included file)");
        }
        add(sections, path.parent_path());
    }

    // A folder has a file for each section.
    void read_folder(const std::string& typed, const fs::path& folder) {
        YamlValue sections;
        sections.kind = YamlValue::Kind::mapping;
        for (const std::string_view name : {"include", "definitions", "packages", "toolchains"}) {
            const fs::path path = folder / fmt::format("{}.yaml", name);
            std::error_code ignored;
            if (!fs::exists(path, ignored)) {
                continue;
            }
            const std::string shown = (fs::path(typed) / path.filename()).string();
            const auto text = text_of(path);
            if (!text) {
                not_read.push_back(shown + " (it can't be read)");
                continue;
            }
            YamlValue file = read_yaml(*text, shown, reading_);
            const auto found = std::ranges::find(file.entries, name, &YamlEntry::key);
            if (found != file.entries.end()) {
                sections.entries.push_back(std::move(*found));
            } else if (!file.is_empty()) {
                throw InputError(fmt::format("{}: expected the section '{}'", shown, name));
            }
        }
        add(sections, folder);
    }

    void add(const YamlValue& sections, const fs::path& folder) {
        scopes.push_back(wishes_in(sections));
        follow(sections, folder, reading_.line);
    }

    std::string folder_of_environment_;
    YamlReading& reading_;
    std::set<std::string> seen_;
    std::size_t number_ = 0;
};

// As messages call it.
std::string name_of(const YamlValue& item) {
    for (const char* const key : {"path", "git"}) {
        if (const YamlValue* const place = item.find(key)) {
            return place->text;
        }
    }
    return item.text;
}

}  // namespace

bool is_section(std::string_view key) {
    constexpr auto known = std::to_array<std::string_view>({"bootstrap",
                                                            "cdash",
                                                            "ci",
                                                            "compilers",
                                                            "concretization",
                                                            "concretizer",
                                                            "config",
                                                            "container",
                                                            "definitions",
                                                            "develop",
                                                            "env_vars",
                                                            "gitlab-ci",
                                                            "include",
                                                            "include_concrete",
                                                            "mirrors",
                                                            "modules",
                                                            "packages",
                                                            "repos",
                                                            "specs",
                                                            "toolchains",
                                                            "upstreams",
                                                            "view"});
    return std::ranges::find(known, key) != known.end();
}

IncludedSettings read_included(const YamlValue& spack,
                               const std::optional<std::filesystem::path>& file,
                               YamlReading& reading) {
    IncludedSettings all{wishes_in(spack), {}};
    if (file) {
        IncludeReader reader(*file, reading);
        reader.follow(spack, file->parent_path());
        YamlValue under;
        under.kind = YamlValue::Kind::mapping;
        for (; !reader.scopes.empty(); reader.scopes.pop_back()) {
            under = merged_settings(std::move(under), std::move(reader.scopes.back()));
        }
        all.sections = merged_settings(std::move(under), std::move(all.sections));
        all.not_read = std::move(reader.not_read);
    } else if (const YamlValue* const includes = spack.find("include")) {
        const bool is_one = includes->is_text() || includes->is_mapping();
        for (const YamlValue& item : is_one ? std::vector{*includes} : includes->items) {
            all.not_read.push_back(name_of(item));
        }
    }
    // Their roots are wanted, too, and stand in lock files.
    if (const YamlValue* const others = spack.find("include_concrete")) {
        for (const YamlValue& item : others->items) {
            all.not_read.push_back(item.text + " (the lock file of another environment)");
        }
    }
    return all;
}

}  // namespace cacheledger
