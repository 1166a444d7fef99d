#include "schema/specs/lists/list_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/lists/list_line.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view beginning = "-- ";
constexpr std::string_view separator = " / ";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(spec_blanks);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(spec_blanks) + 1 - begin);
}

std::vector<DependencyQuery> compilers_of(std::string_view text) {
    if (text.empty() || text == "no compilers" || text == "no compiler") {
        return {};
    }
    const std::string_view mark = text.starts_with('%') ? "" : "%";
    return parse_spec(fmt::format("{}{}", mark, text)).dependencies;
}

// Whether the line is a header: "-- linux-ubuntu22.04-x86_64 / %c,cxx=gcc@11.4.0 ------".
bool is_list_header(std::string_view line) {
    return line.starts_with(beginning);
}

// Throws SpecError.
ListHeader read_list_header(std::string_view line) {
    line.remove_prefix(beginning.size());
    line = trimmed(line.substr(0, line.find_last_not_of('-') + 1));
    const std::size_t slash = line.find(separator);
    const std::string arch(trimmed(line.substr(0, slash)));
    ListHeader header;
    if (arch == "root specs") {
        header.are_roots = true;
        return header;
    }
    if (arch != "no arch") {
        header.system = parse_spec("arch=" + arch);
    }
    if (slash != std::string_view::npos) {
        header.compilers = compilers_of(trimmed(line.substr(slash + separator.size())));
    }
    for (DependencyQuery& compiler : header.compilers) {
        if (header.has_system()) {
            compiler.spec.version = compiler.spec.version.exact();
        }
    }
    return header;
}

constexpr std::size_t longest_header = std::size_t{64} << 10U;

enum class LineKind : std::uint8_t { spec, nothing, command, message, header, input, concretized };

std::string_view without_indent(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(spec_blanks), line.size()));
    return line;
}

// "3 more...", as the installer of Spack 1.2 ends its overview.
bool is_more(std::string_view line) {
    constexpr std::string_view end = " more...";
    return line.ends_with(end) && line.size() > end.size() &&
           line.substr(0, line.size() - end.size()).find_first_not_of("0123456789") ==
               std::string_view::npos;
}

// The line begins and ends with no blank.
LineKind kind_of(std::string_view line) {
    constexpr std::size_t shortest_rule = 3;
    const bool is_rule = line.find_first_not_of('-') == std::string_view::npos &&
                         (line.empty() || line.size() >= shortest_rule);
    if (is_rule || line == "specs:" || line == "spack:" || line.starts_with("```") ||
        line.starts_with("Progress: ") || is_more(line)) {
        return LineKind::nothing;
    }
    if (line.starts_with("==>")) {
        return LineKind::message;
    }
    if (is_command(line)) {
        return LineKind::command;
    }
    if (line == "Input spec" || line == "Normalized") {
        return LineKind::input;
    }
    if (line == "Concretized") {
        return LineKind::concretized;
    }
    return is_list_header(line) ? LineKind::header : LineKind::spec;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Behind "==>", and the time that `spack --timestamp` adds.
std::string_view text_of_message(std::string_view line) {
    line = without_indent(line.substr(3));
    return line.starts_with('[') ? without_indent(line.substr(line.find(']') + 1)) : line;
}

// Whether a message goes on in this line, and it is not of a tree. Its text may have items: "-
// ...".
bool goes_on(std::string_view line, std::string_view indent) {
    return width_of(indent) > 1 && !line.starts_with('^') && !line.starts_with("-  ") &&
           mark_length(line) < 2;
}

// Of "2 root specs", "(1 root spec)", "No root specs". nullopt: "Root specs".
std::optional<std::size_t> number_of_roots(std::string_view message) {
    message = message.substr(0, message.find(" root spec"));
    if (message.ends_with("No") || message.ends_with("no")) {
        return 0;
    }
    const std::size_t begin = message.find_last_not_of("0123456789") + 1;
    return parse_number<std::size_t>(message.substr(begin));
}

constexpr char escape = '\x1b';

// The length of what begins at the start of `text` and are characters from `first` to `last`.
std::size_t run_length(std::string_view text, char first, char last) {
    const auto* const end =
        std::ranges::find_if_not(text, [&](char c) { return c >= first && c <= last; });
    return static_cast<std::size_t>(end - text.begin());
}

// The length of "]...BEL" or "]...ESC \", which sets a title or a link.
std::size_t command_length(std::string_view text) {
    const std::size_t end = text.find_first_of("\a\x1b");
    if (end == std::string_view::npos) {
        return 0;
    }
    if (text[end] == '\a') {
        return end + 1;
    }
    return text.substr(end + 1, 1) == "\\" ? end + 2 : 0;
}

// The length of the sequence behind an escape character (ECMA-48, section 5.4); 0 if it is none.
std::size_t sequence_length(std::string_view text) {
    if (text.starts_with(']')) {
        return command_length(text);
    }
    std::size_t length = text.starts_with('[') ? 1 : 0;
    const char last_first = length == 1 ? '@' : '0';
    if (length == 1) {
        length += run_length(text.substr(length), '0', '?');
    }
    length += run_length(text.substr(length), ' ', '/');
    const bool has_end = length < text.size() && text[length] >= last_first && text[length] <= '~';
    return has_end ? length + 1 : 0;
}

}  // namespace

bool ListSections::take(std::string_view line) {
    const std::string_view indent = line.substr(0, line.size() - without_indent(line).size());
    line = without_indent(line);
    is_in_message_ = is_in_message_ && goes_on(line, indent);
    if (is_in_message_) {
        return true;
    }
    switch (kind_of(line)) {
        case LineKind::spec:
            return false;
        case LineKind::nothing:
            return true;
        case LineKind::command:
            *this = {};
            are_concretized_ = contains(line, "spack find");
            return true;
        case LineKind::message:
            take_message(line);
            return true;
        case LineKind::header:
            header_.reset();
            root_indent_.reset();
            if (line.size() > longest_header) {
                throw SpecError("", 0, "expected a shorter header");
            }
            try {
                header_ = read_list_header(line);
            } catch (const SpecError&) {
                throw SpecError("", 0,
                                "expected a header like '-- linux-ubuntu22.04-x86_64 / "
                                "gcc@11.4.0 --'");
            }
            are_roots_ = header_->are_roots ||
                         (are_roots_ && !(are_included_ && header_->has_whole_system()));
            return true;
        case LineKind::input:
        case LineKind::concretized:
            header_.reset();
            are_left_out_ = line != "Concretized";
            are_roots_ = false;
            are_concretized_ = !are_left_out_;
            return true;
    }
    return false;
}

void ListSections::take_message(std::string_view line) {
    const std::string_view message = text_of_message(line);
    const bool is_error = message.starts_with("Error");
    is_in_message_ = is_error || message.starts_with("Warning") ||
                     message.starts_with("Fetching") || contains(message, "Successfully installed");
    if (is_error) {
        throw SpecError("", 0, "expected specs, found an error of Spack");
    }
    if (is_in_message_) {
        return;
    }
    header_.reset();
    are_included_ = contains(message, "Included specs");
    are_roots_ = are_included_ || contains(message, "oot spec");
    are_concretized_ = message.starts_with("Concretized") || contains(message, "nstalled package");
    roots_left_ = are_roots_ ? number_of_roots(message) : std::nullopt;
    pass_roots(0);
}

void ListSections::pass_roots(std::size_t number) {
    if (!are_roots_ || !roots_left_) {
        return;
    }
    *roots_left_ -= std::min(*roots_left_, number);
    if (*roots_left_ == 0) {
        header_.reset();
        roots_left_.reset();
        are_roots_ = false;
        are_concretized_ = true;
    }
}

bool ListSections::is_dependency(const ListItem& item, bool has_neighbours) {
    constexpr std::size_t indent_of_depth = 4;
    if (item.is_dependency || !header_ || has_neighbours) {
        return item.is_dependency;
    }
    if (!root_indent_) {
        root_indent_ = item.indent;
    }
    return item.indent >= *root_indent_ + indent_of_depth;
}

bool ListSections::are_concrete(const ListItem& item, bool has_neighbours) const {
    return !are_roots_ && (has_system() || are_concretized_ || item.is_of_tree ||
                           (has_neighbours && item.mark.empty()));
}

void ListSections::apply_header(SpecQuery& query) const {
    if (!header_) {
        return;
    }
    if (!query.platform && !query.os && !query.target) {
        query.platform = header_->system.platform;
        query.os = header_->system.os;
        query.target = header_->system.target;
    }
    if (std::ranges::none_of(query.dependencies, &DependencyQuery::is_direct)) {
        query.dependencies.insert(query.dependencies.begin(), header_->compilers.begin(),
                                  header_->compilers.end());
    }
}

std::size_t length_without_comment(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool begins_word = i == 0 || is_blank(line[i - 1]);
        if (quote != '\0') {
            quote = line[i] == quote ? '\0' : quote;
        } else if (line[i] == '\'' || line[i] == '"') {
            quote = line[i];
        } else if (line[i] == '#' && begins_word) {
            return i;
        }
    }
    return line.size();
}

bool all_begin_with_hash(const std::vector<std::string>& lines) {
    ListSections sections;
    const auto has_specs = [&](const std::string& line) {
        try {
            return !sections.take(line) && !sections.are_left_out();
        } catch (const SpecError&) {
            return false;
        }
    };
    bool is_sure = false;
    return std::ranges::all_of(lines,
                               [&](const std::string& line) {
                                   return !has_specs(line) || may_begin_with_hash(line, is_sure);
                               }) &&
           is_sure;
}

std::string without_escapes(std::string_view line) {
    std::string plain;
    while (!line.empty()) {
        const std::size_t at = std::min(line.find(escape), line.size());
        plain += line.substr(0, at);
        line.remove_prefix(at);
        if (!line.empty()) {
            const std::size_t length = sequence_length(line.substr(1));
            plain += length == 0 ? line.substr(0, 1) : "";
            line.remove_prefix(1 + length);
        }
    }
    return plain;
}

}  // namespace cacheledger
