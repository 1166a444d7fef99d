#include "ingest/sources/recipes/diffed_recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/sources/recipes/recipe_layout.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

/// "repos/spack_repo/builtin/packages/py_numpy/package.py": py-numpy. nullopt: no recipe's file.
std::optional<std::string> package_of_path(std::string_view path) {
    constexpr std::string_view folder = "packages/";
    const auto begin = path.starts_with(folder) ? 0 : path.find("/packages/");
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = path.substr(begin + folder.size() + (begin == 0 ? 0 : 1));
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const bool are_modules = path.find("spack_repo/") != std::string_view::npos;
    std::string package = package_of_folder(
        rest.substr(0, slash), are_modules ? FolderNames::modules : FolderNames::packages);
    return package.empty() ? std::nullopt : std::optional(std::move(package));
}

/// A path without the "a/" or "b/" that git puts before it.
std::string_view without_prefix(std::string_view path) {
    const bool has_prefix = path.starts_with("a/") || path.starts_with("b/");
    return path.substr(has_prefix ? 2 : 0);
}

/// The number of lines in "-12,3" of a hunk's head: 3; without a comma 1.
std::int64_t lines_of_hunk(std::string_view range) {
    const auto comma = range.find(',');
    std::int64_t lines = 1;
    if (comma != std::string_view::npos) {
        std::from_chars(range.data() + comma + 1, range.data() + range.size(), lines);
    }
    return lines;
}

/// Reads a diff line by line.
class DiffReader {
  public:
    void take(std::string_view line) {
        if (old_ > 0 || new_ > 0) {
            take_of_hunk(line);
        } else if (line.starts_with("@@ -")) {
            const auto plus = line.find(" +");
            const auto end = line.find(" @@", 4);
            if (plus < end && end != std::string_view::npos) {
                old_ = lines_of_hunk(line.substr(4, plus - 4));
                new_ = lines_of_hunk(line.substr(plus + 2, end - plus - 2));
            }
        } else if (line.starts_with("diff --git ")) {
            end_file();
            const auto second = line.rfind(" b/");
            begin_files({line.substr(11, second - 11),
                         second == std::string_view::npos ? "" : line.substr(second + 1)});
        } else if (line.starts_with("--- ") && !is_git_) {
            end_file();
            begin_files({line.substr(4)});
        } else if (line.starts_with("+++ ") && !is_git_) {
            begin_files({line.substr(4)});
        }
    }

    RecipesOfDiff finish(const std::string& name) {
        end_file();
        if (!is_diff_) {
            throw InputError(fmt::format(
                "{}: expected a diff of a package repository, as 'git diff' prints it", name));
        }
        return std::move(found_);
    }

  private:
    void begin_files(const std::vector<std::string_view>& paths) {
        is_diff_ = true;
        for (const std::string_view path : paths) {
            const std::string_view file = without_prefix(path.substr(0, path.find('\t')));
            if (auto package = package_of_path(file)) {
                files_.emplace_back(*std::move(package), file);
            } else if (!file.empty() && file != "/dev/null") {
                found_.others.emplace(file);
            }
        }
        is_git_ = is_git_ || paths.size() == 2;
    }

    void end_file() {
        for (const auto& [package, file] : files_) {
            DiffedRecipe& change =
                found_.packages.try_emplace(package, DiffedRecipe::version).first->second;
            change = std::max(change, change_of(file));
        }
        files_.clear();
        adds_version_ = has_other_ = false;
        open_ = 0;
    }

    DiffedRecipe change_of(std::string_view file) const {
        if (!file.ends_with("/package.py")) {
            return file.ends_with(".patch") || file.ends_with(".diff") ? DiffedRecipe::recipe
                                                                       : DiffedRecipe::other_file;
        }
        return adds_version_ && !has_other_ ? DiffedRecipe::version : DiffedRecipe::recipe;
    }

    void take_of_hunk(std::string_view line) {
        const char kind = line.empty() ? ' ' : line.front();
        old_ -= kind == '-' || kind == ' ' ? 1 : 0;
        new_ -= kind == '+' || kind == ' ' ? 1 : 0;
        const auto begin = line.find_first_not_of(" \t\r", 1);
        if ((kind != '+' && kind != '-') || begin == std::string_view::npos) {
            return;
        }
        const std::string_view text = line.substr(begin);
        if (kind == '+' && (open_ > 0 || text.starts_with("version("))) {
            adds_version_ = true;
            open_ = std::max<std::ptrdiff_t>(
                0, open_ + std::ranges::count(text, '(') - std::ranges::count(text, ')'));
        } else if (kind == '-' || !text.starts_with('#')) {
            has_other_ = true;
        }
    }

    RecipesOfDiff found_;
    std::vector<std::pair<std::string, std::string>> files_;  // that are read: package, path
    bool is_diff_ = false, is_git_ = false;
    bool adds_version_ = false, has_other_ = false;
    std::ptrdiff_t open_ = 0;         // parentheses of the version that is read
    std::int64_t old_ = 0, new_ = 0;  // lines of the hunk that are left
};

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

struct Character {
    std::size_t bytes = 1;
    bool is_valid = false;
    bool is_control = false;
};

// The character that the text begins with; a byte that is not UTF-8 is one, too.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80U) {
        return {1, true, first < 0x20U || first == 0x7fU};
    }
    const std::size_t bytes = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : 2;
    if (first < 0xc2U || first > 0xf4U || text.size() < bytes) {
        return {};
    }
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return {};
        }
        code = code << 6U | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t smallest_of_3 = 0x800;
    constexpr std::uint32_t smallest_of_4 = 0x10000;
    const bool is_short =
        (bytes == 3 && code < smallest_of_3) || (bytes == 4 && code < smallest_of_4);
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (is_short || is_surrogate || code > 0x10ffff) {
        return {};
    }
    return {bytes, true, code < 0xa0};
}

bool is_part_of_address(char c) {
    return c != ' ' && c != '\t' && c != '<' && c != '>' && c != '(' && c != ')' && c != ',';
}

// Removes "<name@host>": nothing else in angle brackets has an '@'.
void remove_addresses(std::string& text) {
    for (std::size_t begin = text.find('<'); begin != std::string::npos;
         begin = text.find('<', begin)) {
        const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                          text.end(), is_part_of_address);
        const auto at = std::find(text.begin() + static_cast<std::ptrdiff_t>(begin), end, '@');
        if (end == text.end() || *end != '>' || at == end) {
            ++begin;
            continue;
        }
        text.erase(text.begin() + static_cast<std::ptrdiff_t>(begin), end + 1);
    }
}

// GitHub writes "Merge pull request #1 from NAME/branch".
std::string_view without_name_of_merge(std::string_view line) {
    constexpr std::string_view merge = "Merge pull request #";
    const std::size_t end = line.starts_with(merge) ? line.find(" from ") : std::string_view::npos;
    return line.substr(0, std::min(end, line.size()));
}

// A word of a subject, without what ends it.
struct SubjectWord {
    std::string_view text;
    bool has_comma = false;  // a ',' or a ';' follows
};

std::vector<SubjectWord> words_of_subject(std::string_view subject) {
    std::vector<SubjectWord> words;
    while (!subject.empty()) {
        const std::size_t begin = std::min(subject.find_first_not_of(' '), subject.size());
        subject.remove_prefix(begin);
        std::string_view word = subject.substr(0, subject.find(' '));
        subject.remove_prefix(word.size());
        if (word.empty() || word.front() == '(') {
            break;  // "(#1234)"
        }
        SubjectWord found{word};
        while (word.ends_with(',') || word.ends_with(';')) {
            found.has_comma = true;
            word.remove_suffix(1);
        }
        found.text = word;
        words.push_back(found);
    }
    return words;
}

// "v1.2" or, where it may have no v, "1.2": digits and dots, with one dot at least.
std::optional<std::string> version_of_word(std::string_view word, bool needs_v) {
    const bool has_v = word.starts_with('v') || word.starts_with('V');
    word.remove_prefix(has_v ? 1 : 0);
    const bool is_good = (has_v || !needs_v) && !word.empty() && is_digit(word.front()) &&
                         is_digit(word.back()) && word.find('.') != std::string_view::npos &&
                         word.find("..") == std::string_view::npos &&
                         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '.'; });
    return is_good ? std::optional(std::string(word)) : std::nullopt;
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? '-' : c;
    }
    return lower;
}

// The list that begins with the word at `begin`; nothing if it does not end as a list does.
std::vector<std::string> list_of_versions(const std::vector<SubjectWord>& words, std::size_t begin,
                                          bool needs_v) {
    std::vector<std::string> versions;
    for (std::size_t i = begin; i < words.size(); ++i) {
        if (const auto version = version_of_word(words[i].text, needs_v)) {
            versions.push_back(*version);
            continue;
        }
        if (versions.empty()) {
            return {};
        }
        const bool is_followed =
            i + 1 < words.size() && version_of_word(words[i + 1].text, needs_v);
        if (is_followed && is_any_of(words[i].text, {"and", "&", "to", "through"})) {
            continue;
        }
        const bool is_end =
            words[i - 1].has_comma || is_any_of(words[i].text, {"and", "&", "with"});
        return is_end ? versions : std::vector<std::string>();
    }
    return versions;
}

}  // namespace

RecipesOfDiff recipes_of_diff(std::string_view diff, const std::string& name) {
    DiffReader reader;
    while (!diff.empty()) {
        const auto end = std::min(diff.find('\n'), diff.size());
        reader.take(diff.substr(0, end));
        diff.remove_prefix(std::min(end + 1, diff.size()));
    }
    return reader.finish(name);
}

std::string clean_subject(std::string_view line) {
    std::string plain(without_name_of_merge(line));
    remove_addresses(plain);
    std::string subject;
    std::size_t characters = 0;
    for (std::string_view rest = plain; !rest.empty() && characters < most_subject_characters;) {
        const Character next = first_character(rest);
        if (rest.front() == '\t') {
            subject += ' ';
            ++characters;
        } else if (!next.is_control) {
            subject += next.is_valid ? rest.substr(0, next.bytes) : replacement;
            ++characters;
        }
        rest.remove_prefix(next.bytes);
    }
    while (subject.ends_with(' ')) {
        subject.pop_back();
    }
    return subject;
}

std::vector<std::string> versions_of_subject(std::string_view subject, std::string_view package) {
    const std::string lower = in_lower_case(subject);
    const std::vector<SubjectWord> words = words_of_subject(lower);
    const std::string name = in_lower_case(package);
    const auto names_package = [&](const SubjectWord& word) {
        return word.text == name ||
               (word.text.ends_with(':') && word.text.substr(0, word.text.size() - 1) == name);
    };
    const auto about = std::ranges::find_if(words, names_package);
    const auto colon = std::ranges::find_if(
        words, [](const SubjectWord& word) { return word.text.ends_with(':'); });
    if (about == words.end() || (colon != words.end() && colon != words.begin()) ||
        (colon != words.end() && about != colon)) {
        return {};
    }
    std::size_t i = colon == words.end() ? 0 : 1;
    const std::size_t begin = i;
    bool has_version = false;
    while (i < words.size() &&
           (is_any_of(words[i].text, {"add", "new", "package", "the", "latest", "release"}) ||
            names_package(words[i]) || is_any_of(words[i].text, {"version", "versions"}))) {
        has_version = is_any_of(words[i].text, {"version", "versions"});
        ++i;
    }
    const bool is_alone = i == begin && colon != words.end();  // "caliper: v2.15.0"
    const bool is_added = i > begin && is_any_of(words[i - 1].text, {"add", "version", "versions"});
    if (!is_alone && !is_added && !(i > begin && names_package(words[i - 1]))) {
        return {};
    }
    return list_of_versions(words, i, !has_version && !(i > begin && words[i - 1].text == "add"));
}

}  // namespace cacheledger
