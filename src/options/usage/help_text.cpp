#include "src/options/usage/help_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t width_without_screen = 80;
constexpr std::size_t least_help_width = 40;
constexpr std::size_t most_help_width = 100;

constexpr std::string_view item_mark = "- ";

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string without_blanks_behind(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// The words in lines of at most `width` columns. A line never ends within a word: a command is to
/// be copied whole.
std::string folded_words(const std::string& paragraph, std::size_t width) {
    std::istringstream words(paragraph);
    const std::string indent = paragraph.starts_with(item_mark) ? "  " : "";
    std::string text;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
            text += line + "\n";
            line = indent + word;
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    return text + line + "\n";
}

/// The forms of a command: each word of a form that does not fit is on a further line.
std::string forms_text(const std::vector<std::string>& forms, std::size_t width) {
    constexpr std::string_view before = "usage: ";
    const std::string indent(before.size(), ' ');
    std::string text;
    for (const std::string& form : forms) {
        const std::size_t begin = form.find_first_not_of(' ');
        const std::string folded = folded_words(form.substr(begin), width - before.size());
        for (const std::string& line : lines_of(folded)) {
            text += text.empty() ? std::string(before) : indent;
            text += line + "\n";
        }
    }
    return text;
}

template <typename Value>
class OptionValue : public po::typed_value<Value>, public OfferedValues {
  public:
    OptionValue(const char* name, Values all)
        : po::typed_value<Value>(nullptr), OfferedValues(std::move(all)) {
        this->value_name(name);
    }
};

}  // namespace

po::typed_value<std::string>* once(const char* name, Values values) {
    return std::make_unique<OptionValue<std::string>>(name, std::move(values)).release();
}

po::typed_value<std::vector<std::string>>* repeated(const char* name, Values values) {
    return std::make_unique<OptionValue<std::vector<std::string>>>(name, std::move(values))
        .release();
}

std::size_t help_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        return width_without_screen;
    }
    return std::clamp<std::size_t>(size.ws_col, least_help_width, most_help_width);
}

std::string fold_paragraphs(std::string_view text, std::size_t width) {
    std::string folded;
    std::string paragraph;
    const auto end_paragraph = [&] {
        if (!paragraph.empty()) {
            folded += folded_words(paragraph, width);
            paragraph.clear();
        }
    };
    for (const std::string& line : lines_of(text)) {
        const bool continues_item = paragraph.starts_with(item_mark) && line.starts_with("  ");
        if (line.empty() || (line.front() == ' ' && !continues_item)) {
            end_paragraph();
            folded += line + "\n";
            continue;
        }
        if (line.starts_with(item_mark) || (paragraph.starts_with(item_mark) && !continues_item)) {
            end_paragraph();
        }
        paragraph += (paragraph.empty() ? "" : " ") + line;
    }
    end_paragraph();
    return folded;
}

bool is_explained_by_formats(const po::option_description& option) {
    return option.description().ends_with(explained_by_formats);
}

std::string line_on_formats(const po::options_description& options) {
    std::vector<std::string> names;
    for (const auto& option : options.options()) {
        if (is_explained_by_formats(*option)) {
            names.push_back(
                fmt::format("--{} {}", option->long_name(), option->format_parameter()));
            names.back() = without_blanks_behind(names.back());
        }
    }
    return names.empty() ? ""
                         : fmt::format("also {}{}", fmt::join(names, ", "), explained_by_formats);
}

std::string options_text(const po::options_description& options, std::size_t width) {
    po::options_description shown(static_cast<unsigned>(width), static_cast<unsigned>(width) / 2);
    for (const auto& option : options.options()) {
        if (!is_explained_by_formats(*option)) {
            shown.add(option);
        }
    }
    std::ostringstream text;
    text << shown;
    std::string lines;
    for (const std::string& line : lines_of(text.str())) {
        lines += without_blanks_behind(line) + "\n";
    }
    constexpr std::string_view indent = "  ";
    for (const std::string& line :
         lines_of(folded_words(line_on_formats(options), width - indent.size()))) {
        lines += line.empty() ? "" : fmt::format("{}{}\n", indent, line);
    }
    return lines;
}

std::string help_text(const CommandHelp& help, std::size_t width) {
    const std::size_t end_of_forms = help.usage.find("\n\n");
    std::string text = forms_text(lines_of(help.usage.substr(0, end_of_forms)), width);
    if (end_of_forms != std::string::npos) {
        text += "\n";
        text += fold_paragraphs(help.usage.substr(end_of_forms + 2), width);
    }
    for (const auto& [caption, options] :
         {std::pair("options", &help.options), std::pair("general options", &help.general)}) {
        if (!options->options().empty()) {
            text += fmt::format("\n{}:\n{}", caption, options_text(*options, width));
        }
    }
    return text;
}

void print_help(const std::string& text) {
    for (const std::string& line : lines_of(text)) {
        std::cout << visible(line) << "\n";
    }
}

}  // namespace cacheledger
