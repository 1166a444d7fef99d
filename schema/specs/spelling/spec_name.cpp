#include "schema/specs/spelling/spec_name.hpp"

#include <algorithm>

#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

std::string_view take(std::string_view& rest, std::size_t size) {
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(taken.size());
    return taken;
}

// Takes what stands before any of the characters off `rest`, from `begin` on.
std::string_view take_until(std::string_view& rest, std::string_view any_of,
                            std::size_t begin = 0) {
    return take(rest, rest.find_first_of(any_of, begin));
}

// A version from git may hold '/'.
std::string_view take_version(std::string_view& rest) {
    rest.remove_prefix(rest.starts_with("@=") ? 2 : 1);
    return take_until(rest, rest.starts_with("git.") ? "%+~ " : "%+~ /");
}

// "+pic", "++pic"
std::string_view take_boolean(std::string_view& rest) {
    return take_until(rest, "+~%/ ",
                      rest.substr(0, 2) == "++" || rest.substr(0, 2) == "~~" ? 2 : 1);
}

// Where the value that begins here ends: behind its quotes, else before a blank. A quote closes
// only before a blank: Spack once printed quotes within compiler flags without a backslash.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
    if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
        const char quote = text[begin];
        for (std::size_t i = begin + 1; i < text.size(); ++i) {
            if (quote == '"' && text[i] == '\\') {
                ++i;
            } else if (text[i] == quote && (i + 1 == text.size() || text[i + 1] == ' ')) {
                return i + 1;
            }
        }
    }
    return std::min(text.find(' ', begin), text.size());
}

std::optional<std::string_view>* part_of_arch(SpecName& name, std::string_view key) {
    return key == "arch" || key == "architecture"     ? &name.arch
           : key == "platform"                        ? &name.platform
           : key == "os" || key == "operating_system" ? &name.os
           : key == "target"                          ? &name.target
                                                      : nullptr;
}

// "key=value", or a word that Spack would not print.
void read_word(std::string_view& rest, SpecName& name) {
    const std::size_t equals = rest.find_first_of("= ");
    if (equals == std::string_view::npos || rest[equals] == ' ') {
        name.variants.push_back(take_until(rest, " "));
        return;
    }
    const std::string_view key = rest.substr(0, equals);
    if (auto* const part = part_of_arch(name, key)) {
        rest.remove_prefix(equals + 1);
        *part = take_until(rest, " /");
        return;
    }
    const std::size_t value = equals + (rest.substr(equals, 2) == "==" ? 2 : 1);
    const std::string_view word = take(rest, end_of_value(rest, value));
    if (!is_compiler_flag(key) && key != "namespace") {
        name.variants.push_back(word);
    }
}

// Gives false at the dependencies. Since Spack 1.0 the compilers are among them: "%c,cxx=gcc@12".
bool read_part(std::string_view& rest, SpecName& name) {
    switch (rest.front()) {
        case '^':
            return false;
        case '%': {
            const std::string_view compiler = rest.substr(1, rest.find_first_of("+~ ") - 1);
            if (compiler.substr(0, compiler.find('@')).find('=') != std::string_view::npos) {
                return false;
            }
            name.compiler = name.compiler.value_or(compiler);
            rest.remove_prefix(1 + compiler.size());
            return true;
        }
        case '+':
        case '~':
        case '-':
            name.variants.push_back(take_boolean(rest));
            return true;
        case '/':
            rest.remove_prefix(1);
            name.hash = take_until(rest, "+~% ");
            return true;
        default:
            read_word(rest, name);
            return true;
    }
}

void skip_blanks(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
}

}  // namespace

SpecName parse_spec_name(std::string_view printed) {
    SpecName name;
    std::string_view rest = printed;
    name.package = take_until(rest, "@%+~/ ");
    if (rest.starts_with('@')) {
        name.version = take_version(rest);
    }
    if (rest.starts_with('%')) {
        rest.remove_prefix(1);
        name.compiler = take_until(rest, "+~ ");
    }
    skip_blanks(rest);
    while (!rest.empty() && read_part(rest, name)) {
        skip_blanks(rest);
    }
    const std::string_view text = printed.substr(0, printed.size() - rest.size());
    name.text = text.substr(0, text.find_last_not_of(' ') + 1);
    return name;
}

}  // namespace cacheledger
