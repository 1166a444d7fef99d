#include "src/shell/completion/complete.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/shell/completion/values.hpp"
#include "src/shell/help/front_page.hpp"

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

/// "[A] [B]" is A, B; "PATH..." is PATH again and again.
std::string name_of_word(std::string_view synopsis, std::size_t number) {
    std::istringstream stream{std::string(synopsis)};
    std::string name;
    for (std::string word; stream >> word;) {
        const bool repeats = word.ends_with("...");
        std::erase_if(word, [](char c) { return c == '[' || c == ']' || c == '.'; });
        name = word;
        if (number == 0 || repeats) {
            return name;
        }
        --number;
    }
    return "";
}

/// The path that a shell gives for the word: it puts the home directory in the place of ~.
std::filesystem::path path_of(std::string_view word) {
    const char* const home = std::getenv("HOME");
    return home != nullptr && word.starts_with("~/") ? std::filesystem::path(home) / word.substr(2)
                                                     : std::filesystem::path(word);
}

/// Reads the words before the one to complete.
class Reading {
  public:
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
        place_.option.clear();
        place_.name =
            given_.contains("schema") ? "VIEW" : name_of_word(command_->synopsis, number_of_words_);
        return values_for(place_, current);
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
                         const std::string& before) {
        if (!takes_value(option)) {
            return {};
        }
        place_.option = option->long_name();
        place_.name = option->semantic()->name();
        const auto* const choices = dynamic_cast<const Choices*>(option->semantic().get());
        Completion found =
            choices == nullptr ? values_for(place_, typed) : values_for(*choices, typed);
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
        for (const Command& command : commands()) {
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
    std::size_t number_of_words_ = 0;
    bool is_unknown_ = false;
    bool is_report_ = false;
    bool only_words_ = false;
};

}  // namespace

Completion complete(const std::vector<std::string>& words, const std::string& current,
                    const std::filesystem::path& database) {
    return Reading(words, database).finish(current);
}

}  // namespace cacheledger
