#include "ingest/sources/recipes/diffed_recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/sources/recipes/recipe_layout.hpp"
#include "schema/errors/error.hpp"

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

    std::map<std::string, bool> finish(const std::string& name) {
        end_file();
        if (!is_diff_) {
            throw InputError(fmt::format(
                "{}: expected a diff of a package repository, as 'git diff' prints it", name));
        }
        return only_adds_;
    }

  private:
    void begin_files(const std::vector<std::string_view>& paths) {
        is_diff_ = true;
        for (const std::string_view path : paths) {
            if (auto package = package_of_path(path)) {
                packages_.push_back(*std::move(package));
                is_recipe_ = path.substr(0, path.find('\t')).ends_with("/package.py");
            }
        }
        is_git_ = is_git_ || paths.size() == 2;
    }

    void end_file() {
        for (const std::string& package : packages_) {
            const bool only_adds = is_recipe_ && adds_version_ && !has_other_;
            const auto one = only_adds_.try_emplace(package, only_adds).first;
            one->second = one->second && only_adds;
        }
        packages_.clear();
        is_recipe_ = adds_version_ = has_other_ = false;
        open_ = 0;
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

    std::map<std::string, bool> only_adds_;  // whether only versions were added, by package
    std::vector<std::string> packages_;      // of the file that is read
    bool is_diff_ = false, is_git_ = false;
    bool is_recipe_ = false, adds_version_ = false, has_other_ = false;
    std::ptrdiff_t open_ = 0;         // parentheses of the version that is read
    std::int64_t old_ = 0, new_ = 0;  // lines of the hunk that are left
};

}  // namespace

std::map<std::string, bool> recipes_of_diff(std::string_view diff, const std::string& name) {
    DiffReader reader;
    while (!diff.empty()) {
        const auto end = std::min(diff.find('\n'), diff.size());
        reader.take(diff.substr(0, end));
        diff.remove_prefix(std::min(end + 1, diff.size()));
    }
    return reader.finish(name);
}

}  // namespace cacheledger
