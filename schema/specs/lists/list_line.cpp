#include "schema/specs/lists/list_line.hpp"

#include <algorithm>
#include <array>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t short_hash = 7;

bool ends_word(std::string_view text, std::size_t length) {
    return text.size() <= length || is_blank(text[length]);
}

// "user@host:~$", "❯": what ends the prompt of a shell, and no spec.
bool ends_prompt(std::string_view text) {
    constexpr std::array<std::string_view, 9> ends = {"$", ">", "❯", "〉", "➜", "›", "»", "λ", "✗"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

// "host%", "[root@host ~]#": what can end one, too.
bool may_end_prompt(std::string_view text) {
    return ends_prompt(text) ||
           (!text.empty() && std::string_view("%#~").find(text.back()) != std::string_view::npos);
}

bool is_spack(std::string_view word) {
    constexpr std::string_view name = "spack";
    const std::string_view before =
        word.substr(0, word.size() - std::min(word.size(), name.size()));
    return word.ends_with(name) && (before.empty() || before.ends_with('/') || ends_prompt(before));
}

// A command of Spack that prints specs, or an option before one. None is the name of a package.
bool prints_specs(std::string_view word) {
    constexpr std::array<std::string_view, 7> commands = {"buildcache", "concretize", "env", "find",
                                                          "load",       "solve",      "spec"};
    return word.starts_with('-') || std::ranges::find(commands, word) != commands.end();
}

// "abc2345": the beginning of a hash, as long as Spack prints it. A package may have such a name.
bool is_short_hash(std::string_view word) {
    return word.size() == short_hash && is_base32(word);
}

// Whether a digit stands in the word, and not only as its last character as in "libxml2".
bool has_digit_within(std::string_view word) {
    return !word.empty() && std::ranges::any_of(word.substr(0, word.size() - 1), is_digit);
}

// "-------", which stands for the hash of a spec without one.
bool is_dashes(std::string_view word) {
    return word.size() >= short_hash && word.find_first_not_of('-') == std::string_view::npos;
}

// The length of "[bl  ]", the types of a dependency; 0 if there is none.
std::size_t types_length(std::string_view text) {
    constexpr std::size_t least = 5;
    constexpr std::size_t most = 6;  // test dependencies came later
    const std::size_t close = text.substr(0, most).find(']');
    if (!text.starts_with('[') || close == std::string_view::npos || close + 1 < least ||
        !ends_word(text, close + 1)) {
        return 0;
    }
    const bool is_types =
        text.substr(1, close - 1).find_first_not_of("blrt -") == std::string_view::npos;
    return is_types ? close + 1 : 0;
}

// Whether it begins with a word that is not the key of "key=value".
bool begins_with_name(std::string_view text) {
    const std::size_t length = SpecScanner(text).word_length("-.");
    const std::string_view behind = text.substr(length);
    return length > 0 && !behind.starts_with('=') && !behind.starts_with(":=");
}

// Whether it begins with a name and a version.
bool begins_with_version(std::string_view text) {
    return begins_with_name(text) && text.substr(SpecScanner(text).word_length("-."), 1) == "@";
}

// Whether it begins with "/opt/zlib". "/usr" may be a path, or the beginning of a hash: it is a
// path if no hash can stand there, or the installer says something of it: "/usr (external ...)".
bool is_path(std::string_view text, bool is_no_hash) {
    return text.starts_with('/') &&
           (is_no_hash || first_word(text).find('/', 1) != std::string_view::npos ||
            text.substr(first_word(text).size()).starts_with(" ("));
}

// Whether a spec that ends with this character goes on behind blanks: "hdf5 %  gcc".
bool expects_more(char c) {
    return std::string_view("@%^+~,=").find(c) != std::string_view::npos;
}

// The length of a YAML value in quotes at the beginning; 0 if there is none.
std::size_t yaml_quoted_length(std::string_view text) {
    if (!text.starts_with('\'') && !text.starts_with('"')) {
        return 0;
    }
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool is_escape = quote == '"' && text[i] == '\\';
        if (is_escape || (quote == '\'' && text.substr(i, 2) == "''")) {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        }
    }
    return 0;
}

// Such a value without its quotes.
std::string without_yaml_quotes(std::string_view quoted) {
    const bool is_double = quoted.front() == '"';
    const std::string_view inner = quoted.substr(1, quoted.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const bool escapes = inner[i] == (is_double ? '\\' : '\'') && i + 1 < inner.size();
        text += inner[escapes ? ++i : i];
    }
    return text;
}

// Whether Spack prints this so behind a hash: its specs show their versions. One of a name alone
// may be written by hand, behind one blank; behind more it begins the next column.
bool may_follow_hash(std::string_view behind, std::size_t blanks) {
    return begins_with_version(behind) || (blanks == 1 && begins_with_name(behind));
}

// Gives how many there are.
std::size_t take_blanks(SpecScanner& scanner) {
    const std::string_view rest = scanner.rest();
    scanner.skip_blanks();
    return width_of(rest.substr(0, rest.size() - scanner.rest().size()));
}

/// Takes the specs of a line off it, from left to right.
class LineCutter {
  public:
    LineCutter(std::string_view line, const LineContext& context)
        : line_(line), context_(context), scanner_(line) {}

    std::vector<ListItem> run() {
        std::vector<ListItem> items;
        for (indent_ = take_blanks(scanner_); !scanner_.is_at_end();
             indent_ = take_blanks(scanner_)) {
            items.push_back(next());
        }
        return items;
    }

  private:
    ListItem next() {
        ListItem item;
        take_mark(item);
        take_hash(item);
        if (const std::size_t length = types_length(rest()); length > 0) {
            scanner_.take(length);
            indent_ = take_blanks(scanner_);
        }
        item.indent = indent_;
        item.is_dependency = scanner_.take_if("^");
        item.at = scanner_.at();
        if (!take_quoted(item) && !is_path(rest(), !item.hash.empty())) {
            take_spec(item);
        }
        const std::size_t blanks = take_blanks(scanner_);
        if (is_path(rest(), knows_hash(item))) {
            take_path(item);
        } else if (begins_state(item, item.spec, blanks)) {
            item.spec.resize(item.spec.find_last_not_of(':') + 1);
            scanner_.take(rest().size());
        }
        return item;
    }

    // Behind a path, the installer says how long it took, or "(external glibc-2.36-<hash>)".
    void take_path(ListItem& item) {
        constexpr std::string_view external = "(external ";
        item.path = scanner_.take(rest().find_last_not_of(spec_blanks) + 1);
        const std::size_t open = item.path.find(" (");
        if (open == ListItem::npos || !item.path.ends_with(')')) {
            return;
        }
        std::string_view said = item.path.substr(open + 1);
        item.path = item.path.substr(0, open);
        if (said.starts_with(external)) {
            said.remove_suffix(1);
            item.mark = "[e]";
            item.path = said.substr(external.size());
        }
    }

    // Whether behind these blanks the installer says how far it is with a spec: "[ ] abcdefg
    // zlib@1.3 fetching from build cache (0s)", "abcdefg zlib@1.3: staging".
    bool begins_state(const ListItem& item, std::string_view spec, std::size_t blanks) const {
        return blanks == 1 && !item.hash.empty() && (!item.mark.empty() || spec.ends_with(':')) &&
               begins_with_version(spec) && first_word(spec) == spec && begins_with_name(rest());
    }

    std::string_view rest() const { return scanner_.rest(); }

    void take_mark(ListItem& item) {
        if (const std::size_t length = mark_length(rest()); length > 0) {
            item.mark = scanner_.take(length);
            indent_ = take_blanks(scanner_);
            // The '-' of YAML may stand before a tab.
            item.is_of_tree =
                length == 1 ? indent_ >= 3 && line_[scanner_.at() - 1] != '\t' : indent_ >= 2;
        }
    }

    void take_hash(ListItem& item) {
        const std::string_view word = first_word(rest());
        SpecScanner behind = scanner_;
        behind.take(word.size());
        const std::size_t blanks = take_blanks(behind);
        const bool is_hash = is_dag_hash(word) ||
                             (is_short_hash(word) && is_hash_before(behind.rest(), blanks, item));
        if (is_hash || (is_dashes(word) && !behind.is_at_end())) {
            item.hash = is_hash ? word : "";
            indent_ = blanks;
            scanner_ = behind;
        }
    }

    // Whether a word of 7 characters is a hash and not the name of a package, by what follows.
    bool is_hash_before(std::string_view behind, std::size_t blanks, const ListItem& item) const {
        constexpr std::size_t least_of_depth = 5;  // one, and four for each depth
        if (behind.starts_with('^')) {
            return begins_with_version(behind.substr(1)) &&
                   (blanks >= least_of_depth || context_.all_have_hashes);
        }
        if (types_length(behind) > 0) {
            return true;
        }
        if (!begins_with_name(behind) || (context_.are_roots && item.mark.empty())) {
            return false;
        }
        // A single '-' may be that of YAML.
        const bool is_marked = item.mark.size() > 1 || item.is_of_tree || context_.are_roots;
        const bool is_found = context_.is_below_system && begins_with_version(behind);
        return is_marked || is_found || context_.all_have_hashes ||
               (has_digit_within(first_word(rest())) && may_follow_hash(behind, blanks));
    }

    // A word in quotes is an item of a YAML list.
    bool take_quoted(ListItem& item) {
        const std::size_t length = yaml_quoted_length(rest());
        if (length == 0 || rest().find_first_not_of(spec_blanks, length) != ListItem::npos) {
            return false;
        }
        item.spec = without_yaml_quotes(scanner_.take(length));
        ++item.at;
        return true;
    }

    void take_spec(ListItem& item) {
        const std::size_t begin = scanner_.at();
        char quote = '\0';
        while (!scanner_.is_at_end()) {
            const char c = rest().front();
            if (quote != '\0') {
                scanner_.take(c == '\\' && rest().substr(1).starts_with(quote) ? 2 : 1);
                quote = c == quote ? '\0' : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
                scanner_.take(1);
            } else if (is_blank(c)) {
                if (ends_at_blanks(begin, item)) {
                    break;
                }
            } else {
                note_stray_dash(begin, item);
                scanner_.take(1);
            }
        }
        const std::string_view text = line_.substr(begin, scanner_.at() - begin);
        item.spec = text.substr(0, text.find_last_not_of(spec_blanks) + 1);
    }

    // Whether the spec ends before the blanks that come here. Otherwise passes them.
    bool ends_at_blanks(std::size_t begin, const ListItem& item) {
        const SpecScanner before = scanner_;
        const std::size_t end = before.at();
        const std::size_t blanks = take_blanks(scanner_);
        const bool is_open = end > begin && expects_more(line_[end - 1]);
        const bool begins_column =
            mark_length(rest()) > 0 || begins_with_name(rest()) || is_dashes(first_word(rest()));
        const bool ends = scanner_.is_at_end() ||
                          is_path(rest(), !item.hash.empty() || (blanks > 1 && knows_hash(item))) ||
                          (blanks > 1 && !is_open && begins_column) ||
                          begins_state(item, line_.substr(begin, end - begin), blanks);
        scanner_ = ends ? before : scanner_;
        return ends;
    }

    void note_stray_dash(std::size_t begin, ListItem& item) const {
        const std::size_t at = scanner_.at();
        const bool is_alone =
            scanner_.sees("-") && (at == begin || is_blank(line_[at - 1])) && ends_word(rest(), 1);
        if (is_alone && item.stray_dash == ListItem::npos) {
            item.stray_dash = at;
        }
    }

    // Whether "/usr" can't be the beginning of a hash.
    bool knows_hash(const ListItem& item) const {
        return !item.hash.empty() || context_.is_below_system;
    }

    std::string_view line_;
    const LineContext& context_;
    SpecScanner scanner_;
    std::size_t indent_ = 0;  // blanks before what comes, in an item
};

}  // namespace

bool is_blank(char c) {
    return spec_blanks.find(c) != std::string_view::npos;
}

std::size_t width_of(std::string_view blanks) {
    constexpr std::size_t of_tab = 8;
    const auto tabs = static_cast<std::size_t>(std::ranges::count(blanks, '\t'));
    return blanks.size() + tabs * (of_tab - 1);
}

std::size_t mark_length(std::string_view text) {
    constexpr std::size_t in_brackets = 3;
    if (text.starts_with('-')) {
        return ends_word(text, 1) ? 1 : 0;
    }
    const bool is_mark = text.size() >= in_brackets && text[0] == '[' && text[2] == ']' &&
                         ends_word(text, in_brackets);
    return is_mark ? in_brackets : 0;
}

bool is_command(std::string_view line) {
    const bool has_name = std::ranges::any_of(line, [](char c) {
        return begins_with_name({&c, 1});
    });
    if (ends_prompt(line) || line.ends_with("~ %") || (!has_name && may_end_prompt(line))) {
        return true;
    }
    std::string_view before;
    while (!line.empty()) {
        const std::string_view word = first_word(line);
        if (word.find_first_of("'\"") != std::string_view::npos) {
            return false;
        }
        line.remove_prefix(word.size());
        const bool is_one_blank = line.size() > 1 && !is_blank(line[1]);
        line.remove_prefix(std::min(line.find_first_not_of(spec_blanks), line.size()));
        const bool calls_spack =
            is_one_blank && is_spack(word) &&
            (prints_specs(first_word(line)) || (may_end_prompt(before) && begins_with_name(line)));
        if (word.ends_with('$') || calls_spack) {
            return true;
        }
        before = word;
    }
    return false;
}

std::vector<ListItem> cut_line(std::string_view line, const LineContext& context) {
    return LineCutter(line, context).run();
}

bool may_begin_with_hash(std::string_view line, bool& is_sure) {
    SpecScanner scanner(line);
    scanner.skip_blanks();
    scanner.take(mark_length(scanner.rest()));
    scanner.skip_blanks();
    const std::string_view word = scanner.take(first_word(scanner.rest()).size());
    const std::size_t blanks = take_blanks(scanner);
    const std::string_view behind = scanner.rest();
    // "log4cxx ^apr" is a spec: the first line of a tree has no '^'.
    is_sure = is_sure || is_dag_hash(word) ||
              (is_short_hash(word) && has_digit_within(word) && may_follow_hash(behind, blanks));
    return is_dag_hash(word) ||
           ((is_short_hash(word) || is_dashes(word)) &&
            (begins_with_name(behind) || behind.starts_with('^') || types_length(behind) > 0));
}

}  // namespace cacheledger
