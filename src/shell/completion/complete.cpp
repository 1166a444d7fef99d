#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/server/connection.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/shell/completion/completion.hpp"
#include "src/shell/help/help.hpp"

namespace cacheledger {

namespace {

using Option = boost::shared_ptr<po::option_description>;

/// Whether it can be given several times.
bool is_repeated(const Option& option) {
    using Several = po::typed_value<std::vector<std::string>>;
    return dynamic_cast<const Several*>(option->semantic().get()) != nullptr;
}

bool takes_value(const Option& option) {
    return option->semantic()->max_tokens() > 0;
}

/// What the word of this number can be: "[A] [B]" has two, "PATH..." has more and more.
Offer offer_at(const Command& command, std::ptrdiff_t number) {
    const std::string_view synopsis = command.synopsis;
    const bool has_word = synopsis.ends_with("...") ||
                          (!synopsis.empty() && number <= std::ranges::count(synopsis, ' '));
    return has_word ? command.words : Offer::nothing;
}

/// The path that a shell gives for the word: it puts the home directory in the place of ~.
std::filesystem::path path_of(std::string_view word) {
    const char* const home = std::getenv("HOME");
    return home != nullptr && word.starts_with("~/") ? std::filesystem::path(home) / word.substr(2)
                                                     : std::filesystem::path(word);
}

/// Finds what can stand behind the words of a command line (without the program's name). Commands,
/// options and their values come from the help of the commands. The names in a published ledger are
/// those of its copy, if that is there.
class Reading {
  public:
    /// `database`: that of the program, unless the words have --db.
    Reading(const std::vector<std::string>& words, const std::filesystem::path& database) {
        place_.database = database;
        options_ = program_options().options();
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] == "--reports" && i + 1 < words.size()) {
                place_.report_folders.push_back(path_of(words[i + 1]));
            }
        }
        for (const std::string& word : words) {
            take(word);
        }
    }

    Completion finish(const std::string& current) {
        if (is_postgresql_url(place_.database.string()) && !ledger_.empty()) {
            place_.database =
                copy_of(place_.database.string(), ledger_);  // no server is waited for
        }
        if (pending_) {
            return values_of(*pending_, current, "");
        }
        if (current.starts_with("--") && !only_words_) {
            if (const auto equals = current.find('='); equals != std::string::npos) {
                const auto option = find_option(current.substr(2, equals - 2));
                return option ? values_of(*option, current.substr(equals + 1),
                                          current.substr(0, equals + 1))
                              : Completion();
            }
        }
        if (current.starts_with('-') && !only_words_) {
            return option_names(current);
        }
        if (command_ == nullptr) {
            return command_names(current);
        }
        if (is_unknown_ || is_report_ || (is_called("report") && number_behind_command_ != 1)) {
            return {};
        }
        return values_for(
            given_.contains("schema") ? Offer::views : offer_at(*command_, number_of_words_),
            place_, current);
    }

  private:
    std::optional<Option> find_option(const std::string& name) const {
        const auto found = std::ranges::find(options_, name, &po::option_description::long_name);
        return found == options_.end() ? std::nullopt : std::optional(*found);
    }

    void take(const std::string& word) {
        if (pending_) {
            if ((*pending_)->long_name() == "db") {
                place_.database = path_of(word);
            } else if ((*pending_)->long_name() == "ledger") {
                ledger_ = word;
            }
            pending_.reset();
        } else if (!only_words_ && word == "--") {
            only_words_ = true;
        } else if (!only_words_ && word.size() > 1 && word.starts_with('-')) {
            take_option(word);
        } else if (command_ == nullptr && !is_unknown_) {
            take_command(word);
        } else {
            take_word(word);
        }
        ++number_behind_command_;
    }

    void take_option(const std::string& word) {
        const auto equals = word.find('=');
        const std::string name = word.substr(std::min<std::size_t>(2, word.size()), equals - 2);
        const auto option = find_option(name);
        if (!option) {
            return;
        }
        if (!is_repeated(*option)) {
            given_.insert(name);
        }
        if (takes_value(*option) && equals == std::string::npos) {
            pending_ = option;
        } else if (name == "db" && equals != std::string::npos) {
            place_.database = word.substr(equals + 1);
        } else if (name == "ledger" && equals != std::string::npos) {
            ledger_ = word.substr(equals + 1);
        }
    }

    void take_command(const std::string& word) {
        command_ = find_command(word);
        is_unknown_ = command_ == nullptr;
        number_behind_command_ = 0;
        if (command_ != nullptr) {
            use(command_->help());
        }
    }

    bool is_called(std::string_view name) const {
        return command_ != nullptr && command_->name == name;
    }

    // Of the words of `report`, only the first can be the name of one.
    void take_word(const std::string& word) {
        if (is_called("report") && number_behind_command_ == 1) {
            take_report(word);
        }
        ++number_of_words_;
    }

    void take_report(const std::string& name) {
        Catalog catalog;
        for (const auto& folder : place_.report_folders) {
            try {
                catalog.add_folder(folder);
            } catch (const UsageError&) {  // no such folder
                continue;
            }
        }
        if (const Report* const report = catalog.find_or_null(name)) {
            use(help_of_report(catalog, *report));
            is_report_ = true;
        }
    }

    // --db is an option of every command, and beside the URL of a server --ledger.
    void use(CommandHelp help) {
        add_help_option(help);
        const bool is_published = is_postgresql_url(place_.database.string());
        std::erase_if(options_, [&](const Option& option) {
            const auto& name = option->long_name();
            return name != "db" && !(is_published && name == "ledger");
        });
        for (const auto* const group : {&help.general, &help.options}) {
            options_.insert(options_.begin(), group->options().begin(), group->options().end());
        }
    }

    Completion values_of(const Option& option, const std::string& typed,
                         const std::string& before) const {
        const auto* const offered = dynamic_cast<const OfferedValues*>(option->semantic().get());
        if (offered == nullptr) {
            return {};
        }
        Completion found = values_for(offered->values, place_, typed);
        for (Candidate& one : found.candidates) {
            one.text.insert(0, before);
        }
        return found;
    }

    Completion option_names(const std::string& typed) const {
        Completion found;
        for (const Option& option : options_) {
            const std::string text = "--" + option->long_name();
            if (!given_.contains(option->long_name()) && text.starts_with(typed)) {
                found.candidates.push_back({text, option->description()});
            }
        }
        return found;
    }

    Completion command_names(const std::string& typed) const {
        Completion found;
        for (const Command& command : commands) {
            if (!is_unknown_ && std::string_view(command.name).starts_with(typed)) {
                found.candidates.push_back({command.name, command.summary});
            }
        }
        return found;
    }

    Place place_;
    std::string ledger_;  // of --ledger
    std::vector<Option> options_;
    std::set<std::string> given_;
    std::optional<Option> pending_;  // its value is the next word
    const Command* command_ = nullptr;
    std::size_t number_behind_command_ = 0;
    std::ptrdiff_t number_of_words_ = 0;
    bool is_unknown_ = false;
    bool is_report_ = false;
    bool only_words_ = false;
};

/// A command line up to the cursor, taken apart by the rules of a POSIX shell. Nothing is expanded.
struct TypedLine {
    std::vector<std::string> words;  ///< those that are complete, without quotes
    std::string current;             ///< the last one, without quotes
    char open_quote = '\0';          ///< the quote that `current` is in: ' or ", else none
    /// How much of `current` stays as it is when bash replaces what it completes: up to the last
    /// of `breaks` (without it if that is @ or $), or to the open quote.
    std::size_t kept = 0;
};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

// Behind other breaks bash begins a new word; these are a part of the word that they begin.
bool is_kept_at_begin(char c) {
    return c == '@' || c == '$';
}

bool needs_backslash(char c, bool is_first) {
    constexpr std::string_view special = " \t\n'\"\\`$&|;<>(){}[]*?!#";
    return special.find(c) != std::string_view::npos || (is_first && c == '~');
}

/// `breaks`: the characters at which bash begins a new word to complete (COMP_WORDBREAKS).
TypedLine read_typed_line(std::string_view line, std::string_view breaks) {
    TypedLine typed;
    bool in_word = false;
    std::size_t kept_outside = 0;  // what is kept again when the open quote ends
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (typed.open_quote != '\0') {
            const bool escapes =
                typed.open_quote == '"' && c == '\\' && i + 1 < line.size() &&
                std::string_view("\"\\$`").find(line[i + 1]) != std::string_view::npos;
            if (c == typed.open_quote) {
                typed.open_quote = '\0';
                typed.kept = kept_outside;
            } else {
                typed.current += escapes ? line[++i] : c;
            }
        } else if (is_blank(c)) {
            if (in_word) {
                typed.words.push_back(typed.current);
            }
            typed.current.clear();
            typed.kept = 0;
            in_word = false;
        } else if (c == '\'' || c == '"') {
            typed.open_quote = c;
            kept_outside = typed.kept;
            typed.kept = typed.current.size();
            in_word = true;
        } else {
            in_word = true;
            if (c == '\\' && i + 1 < line.size()) {
                typed.current += line[++i];
            } else if (c != '\\') {
                typed.current += c;
                if (breaks.find(c) != std::string_view::npos) {
                    typed.kept = typed.current.size() - (is_kept_at_begin(c) ? 1 : 0);
                }
            }
        }
    }
    return typed;
}

/// The text that bash inserts for the candidate: without what is kept, and quoted as the user began
/// to.
std::string insertion_for(const TypedLine& line, const std::string& candidate) {
    const std::string rest = candidate.substr(std::min(line.kept, candidate.size()));
    std::string text;
    for (const char c : rest) {
        if (line.open_quote == '\0') {
            text += needs_backslash(c, text.empty() && line.kept == 0) ? "\\" : "";
        } else if (line.open_quote == '"') {
            text += std::string_view("\"\\$`").find(c) == std::string_view::npos ? "" : "\\";
        } else if (c == '\'') {
            text += "'\\'";
        }
        text += c;
    }
    return text;
}

/// A short explanation: the first clause.
std::string clause(const std::string& about) {
    const std::size_t end = std::min({about.find("; "), about.find(". "), about.find(" (")});
    return visible(about.substr(0, end));
}

void print(const Completion& found, const TypedLine* line) {
    for (const Candidate& one : found.candidates) {
        if (is_visible(one.text)) {
            std::cout << (line == nullptr ? one.text : insertion_for(*line, one.text));
            if (!one.about.empty()) {
                std::cout << "\t" << clause(one.about);
            }
            std::cout << "\n";
        }
    }
    if (found.paths != Paths::none) {
        std::cout << (found.paths == Paths::files ? "\tfiles\n" : "\tfolders\n");
    }
    std::cout.flush();
}

void complete_words(const Invocation& invocation) {
    std::vector<std::string> words = invocation.arguments;
    words.erase(words.begin());
    std::string current;
    if (!words.empty()) {
        current = words.back();
        words.pop_back();
    }
    print(Reading(words, invocation.database).finish(current), nullptr);
}

void complete_line(const Invocation& invocation) {
    TypedLine line = read_typed_line(invocation.arguments[1], invocation.arguments[2]);
    if (!line.words.empty()) {  // the name of the program
        line.words.erase(line.words.begin());
        print(Reading(line.words, invocation.database).finish(line.current), &line);
    }
}

}  // namespace

ExitStatus run_complete(const Invocation& invocation) {
    const auto& arguments = invocation.arguments;
    try {
        if (!arguments.empty() && arguments[0] == "--") {
            complete_words(invocation);
        } else if (arguments.size() == 3 && arguments[0] == "--line") {
            complete_line(invocation);
        }
    } catch (const std::exception&) {  // a shell that completes has no use for a message
        return exit_done;
    }
    return exit_done;
}

}  // namespace cacheledger
