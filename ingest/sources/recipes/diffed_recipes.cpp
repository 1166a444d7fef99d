#include "ingest/sources/recipes/diffed_recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
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

}  // namespace cacheledger
