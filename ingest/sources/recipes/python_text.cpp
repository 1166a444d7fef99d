#include "ingest/sources/recipes/python_text.hpp"

#include <algorithm>

#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Passes what is left of an expression: up to the ',' or ')' behind it.
void skip_expression(PythonText& python) {
    int depth = 0;
    while (!python.at_end()) {
        const char c = python.here();
        if (depth == 0 && (c == ',' || step_of_bracket(c) < 0)) {
            return;
        }
        if (python.at_quote()) {
            python.take_string();
        } else if (c == '#') {
            python.skip_line();
        } else {
            depth += step_of_bracket(c);
            python.step();
        }
    }
}

PythonArgument take_argument(PythonText& python) {
    PythonArgument argument;
    std::size_t begin = python.position();
    const std::string_view word = python.take_word();
    if (!word.empty()) {
        python.skip_space();
        if (python.here() == '=') {
            python.step();
            if (python.here() != '=') {  // no comparison
                argument.name = word;
                python.skip_space();
                begin = python.position();
            }
        }
    }
    if (python.position() == begin && python.at_quote()) {
        argument.text = python.take_string();
        python.skip_space();
        if (python.here() != ',' && python.here() != ')') {
            argument.text.reset();  // only a part of the value
        }
    }
    skip_expression(python);
    argument.value = python.passed_since(begin);
    while (!argument.value.empty() && is_space(argument.value.back())) {
        argument.value.remove_suffix(1);
    }
    return argument;
}

}  // namespace

int step_of_bracket(char c) {
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

std::string_view PythonText::passed_since(std::size_t begin) const {
    const std::size_t end = std::min(position_, text_.size());
    return text_.substr(std::min(begin, end), end - std::min(begin, end));
}

void PythonText::skip_space() {
    while (!at_end()) {
        if (here() == '#') {
            skip_line();
        } else if (is_space(here())) {
            step();
        } else {
            return;
        }
    }
}

void PythonText::skip_line() {
    position_ = std::min(text_.find('\n', position_), text_.size());
}

std::string_view PythonText::take_word() {
    const std::size_t begin = position_;
    while (!at_end() && is_word_character(here())) {
        step();
    }
    return text_.substr(begin, position_ - begin);
}

std::optional<std::string_view> PythonText::take_string() {
    const std::string_view three = text_.substr(position_, 3);
    const std::string_view quote = three == R"(""")" || three == "'''" ? three : three.substr(0, 1);
    position_ += quote.size();
    const std::size_t begin = position_;
    bool is_plain = true;
    while (!at_end() && text_.substr(position_, quote.size()) != quote) {
        if (here() == '\n' && quote.size() == 1) {
            return std::nullopt;  // broken Python
        }
        is_plain = is_plain && here() != '\\';
        position_ += here() == '\\' ? 2 : 1;
    }
    const std::size_t end = std::min(position_, text_.size());
    position_ = std::min(end + quote.size(), text_.size());
    return is_plain ? std::optional(text_.substr(begin, end - begin)) : std::nullopt;
}

std::vector<PythonArgument> take_arguments(PythonText& python) {
    std::vector<PythonArgument> arguments;
    for (python.skip_space(); !python.at_end(); python.skip_space()) {
        if (python.here() == ')') {
            python.step();
            return arguments;
        }
        if (python.here() == ',' || step_of_bracket(python.here()) < 0) {
            python.step();
            continue;
        }
        PythonArgument argument = take_argument(python);
        if (python.at_end()) {
            break;
        }
        arguments.push_back(argument);
    }
    return arguments;
}

}  // namespace cacheledger
