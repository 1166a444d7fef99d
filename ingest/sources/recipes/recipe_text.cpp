#include "ingest/sources/recipes/recipe_text.hpp"

#include <algorithm>
#include <cstddef>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/recipes/python_text.hpp"
#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_version_bytes = 128;

bool is_version_text(std::string_view text) {
    return !text.empty() && text.size() <= most_version_bytes && is_word_character(text.front()) &&
           std::ranges::all_of(text, [](char c) {
               return is_word_character(c) || c == '.' || c == '-' || c == '+' || c == '=' ||
                      c == '/';
           });
}

bool is_module_of_recipes(std::string_view module) {
    return module.starts_with("spack.pkg.") || module.find(".packages.") != std::string_view::npos;
}

/// Whether a module is one of Spack itself. Its build systems have no versions.
bool is_module_of_spack(std::string_view module) {
    return module == "spack" || module.starts_with("spack.") ||
           module.starts_with("spack_repo.builtin.build_systems");
}

bool is_module_of_build_systems(std::string_view module) {
    return module.find(".build_systems") != std::string_view::npos;
}

using PythonArguments = std::vector<PythonArgument>;

/// The argument of this name, or at this place of those without one.
const PythonArgument* find_argument(const PythonArguments& arguments, std::string_view name,
                                    std::size_t place) {
    for (const PythonArgument& argument : arguments) {
        const bool is_at_place = argument.name.empty() && place-- == 0;
        if (is_at_place || argument.name == name) {
            return &argument;
        }
    }
    return nullptr;
}

constexpr std::size_t by_name_only = 1000;

std::optional<bool> truth_of(std::string_view value) {
    return value == "True"                       ? std::optional(true)
           : value == "False" || value == "None" ? std::optional(false)
                                                 : std::nullopt;
}

/// Reads a module line by line.
class RecipeReader {
  public:
    explicit RecipeReader(std::string_view text) : python_(text) { recipe_.classes.emplace_back(); }

    RecipeText read() {
        while (begin_line()) {
            read_statement();
        }
        return std::move(recipe_);
    }

  private:
    /// What is indented below a class or a `with`.
    struct Block {
        std::size_t indent = 0;  ///< of the line that begins it
        std::size_t class_before = 0;
        PythonArguments conditions;  ///< of when(...)
        PythonArguments defaults;    ///< of default_args(...)
    };

    /// Passes the blanks of the next line that says something, and ends blocks before it.
    bool begin_line() {
        std::size_t indent = 0;
        for (; !python_.at_end(); python_.step()) {
            const char c = python_.here();
            if (c == '#') {
                python_.skip_line();
            }
            if (c == '#' || c == '\n') {
                indent = 0;
            } else if (c == ' ' || c == '\t') {
                ++indent;
            } else if (c != '\r') {
                break;
            }
        }
        while (!blocks_.empty() && blocks_.back().indent >= indent) {
            class_ = blocks_.back().class_before;
            blocks_.pop_back();
        }
        line_ = Block{indent, class_, {}, {}};
        return !python_.at_end();
    }

    void skip_blanks() {
        while (python_.here() == ' ' || python_.here() == '\t') {
            python_.step();
        }
    }

    void read_statement() {
        std::string_view word = python_.take_word();
        bool is_with = word == "with";  // and its block does not begin yet
        if (word == "class") {
            read_class();
        } else if (word == "from") {
            read_import();
        }
        int depth = 0;
        std::string_view last;
        bool is_name = true;  // no '.' and no `def` stands before
        for (; !python_.at_end(); word = python_.take_word()) {
            if (!word.empty()) {
                skip_blanks();
                if (is_name && python_.here() == '(') {
                    read_call(word);
                }
                is_name = word != "def";
                last = word;
                continue;
            }
            const char c = python_.here();
            if (c == '\n' && depth <= 0) {
                break;
            }
            depth += skip_one(python_);
            if (is_with && c == ':' && depth == 0) {
                blocks_.push_back(line_);  // what follows on the line is in it
                is_with = false;
            }
            if (c == '\\') {
                python_.step();  // the line goes on
            }
            is_name = c != '.' || last == "directives";  // spack.directives.version(...)
        }
    }

    /// Must be at the '('.
    void read_call(std::string_view name) {
        if (name != "version" && name != "redistribute" && name != "when" &&
            name != "default_args") {
            return;
        }
        python_.step();
        const PythonArguments arguments = take_arguments(python_);
        if (name == "version") {
            add_version(arguments);
        } else if (name == "redistribute") {
            add_restriction(arguments);
        } else {
            PythonArguments& all = name == "when" ? line_.conditions : line_.defaults;
            all.insert(all.end(), arguments.begin(), arguments.end());
        }
    }

    void read_class() {
        skip_blanks();
        RecipeClass one;
        one.name = python_.take_word();
        skip_blanks();
        if (python_.here() == '(') {
            python_.step();
            for (const PythonArgument& base : take_arguments(python_)) {
                if (base.name.empty()) {
                    one.bases.emplace_back(base.value);
                }
            }
        }
        class_ = recipe_.classes.size();
        recipe_.classes.push_back(std::move(one));
        blocks_.push_back(line_);
    }

    /// The names of "from MODULE import ONE, OTHER as NAME"; with ( ) they go over several lines.
    void read_import() {
        skip_blanks();
        const std::size_t begin = python_.position();
        while (python_.here() == '.' || !python_.take_word().empty()) {
            if (python_.here() == '.') {
                python_.step();
            }
        }
        std::set<std::string>* const names = names_from(python_.passed_since(begin));
        bool is_open = false;
        std::string_view before;
        while (!python_.at_end() && (is_open || python_.here() != '\n') && python_.here() != ')') {
            is_open = is_open || python_.here() == '(';
            const std::string_view name = python_.take_word();
            if (!name.empty()) {
                if (names != nullptr) {
                    names->emplace(name);
                }
                if (name == "as" && before == "version") {
                    recipe_.classes.front().has_other_versions = true;  // by another name
                }
                before = name;
            } else if (python_.here() == '#') {
                python_.skip_line();
            } else {
                const bool goes_on = python_.here() == '\\';
                python_.step();
                if (goes_on) {
                    python_.step();
                }
            }
        }
    }

    /// Where the names that are imported from a module belong; nullptr: nowhere.
    std::set<std::string>* names_from(std::string_view module) {
        if (module.starts_with('.')) {
            return &recipe_.from_near_modules;
        }
        if (is_module_of_recipes(module)) {
            return &recipe_.from_other_modules;
        }
        return is_module_of_spack(module)           ? nullptr
               : is_module_of_build_systems(module) ? &recipe_.from_build_systems
                                                    : &recipe_.from_other_modules;
    }

    /// What the call gives, else the innermost default_args(...) that has it.
    const PythonArgument* find_given(const PythonArguments& arguments, std::string_view name,
                                     std::size_t place) const {
        const PythonArgument* found = find_argument(arguments, name, place);
        for (auto block = blocks_.rbegin(); block != blocks_.rend() && found == nullptr; ++block) {
            found = find_argument(block->defaults, name, by_name_only);
        }
        return found;
    }

    void add_version(const PythonArguments& arguments) {
        RecipeClass& here = recipe_.classes[class_];
        const PythonArgument* const version = find_argument(arguments, "ver", 0);
        if (version == nullptr || !version->text || !is_version_text(*version->text)) {
            here.has_other_versions = true;
            return;
        }
        const bool has_unseen = std::ranges::any_of(arguments, [](const PythonArgument& argument) {
            return argument.value.starts_with("**");
        });
        const PythonArgument* const deprecated = find_given(arguments, "deprecated", by_name_only);
        here.versions.push_back({std::string(*version->text), deprecated != nullptr
                                                                  ? truth_of(deprecated->value)
                                                              : has_unseen ? std::nullopt
                                                                           : std::optional(false)});
    }

    void add_restriction(const PythonArguments& arguments) {
        const PythonArgument* const binary = find_given(arguments, "binary", 1);
        if (binary == nullptr || binary->value == "True" || binary->value == "None") {
            return;
        }
        std::vector<const PythonArgument*> conditions;
        for (const Block& block : blocks_) {
            for (const PythonArgument& condition : block.conditions) {
                conditions.push_back(&condition);
            }
        }
        if (const PythonArgument* const when = find_given(arguments, "when", 2)) {
            conditions.push_back(when);
        }
        RecipeRestriction restriction;
        if (!truth_of(binary->value)) {
            restriction = {"binary=" + std::string(binary->value), false};
        }
        for (const PythonArgument* const condition : conditions) {
            if (condition->value == "True" || condition->value == "None") {
                continue;
            }
            if (condition->value == "False") {
                return;  // of no build
            }
            restriction.is_spec = restriction.is_spec && condition->text.has_value();
            restriction.condition += restriction.condition.empty() ? "" : " ";
            restriction.condition += condition->text.value_or(condition->value);
        }
        recipe_.classes[class_].restrictions.push_back(std::move(restriction));
    }

    PythonText python_;
    RecipeText recipe_;
    std::vector<Block> blocks_;
    Block line_;             // what the line at hand would begin
    std::size_t class_ = 0;  // at hand
};

}  // namespace

RecipeText read_recipe_text(std::string_view python) {
    return RecipeReader(python).read();
}

RecipeVersions recipe_versions(std::string_view python) {
    RecipeVersions found;
    for (RecipeClass& one : read_recipe_text(python).classes) {
        found.calls_version =
            found.calls_version || one.has_other_versions || !one.versions.empty();
        for (RecipeVersion& version : one.versions) {
            found.versions.push_back(std::move(version.text));
        }
    }
    return found;
}

void refuse_large_recipe(std::uintmax_t bytes) {
    constexpr std::uintmax_t most_bytes = 1 << 20;
    if (bytes > most_bytes) {
        throw Problem("a recipe is too large");
    }
}

}  // namespace cacheledger
