#include "schema/spec_query/spec_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "schema/basics/counted.hpp"
#include "schema/basics/error.hpp"
#include "schema/spec_query/spec_parser.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t short_hash = 7;
constexpr std::size_t most_problems = 20;

/// A part of a line, which knows where it stands.
struct LinePart {
    std::string_view text;
    std::size_t at = 0;

    void remove_prefix(std::size_t size) {
        text.remove_prefix(std::min(size, text.size()));
        at += size;
    }
    void trim() {
        remove_prefix(std::min(text.find_first_not_of(spec_blanks), text.size()));
        text = text.substr(0, text.find_last_not_of(spec_blanks) + 1);
    }
    std::string_view first_word() const { return text.substr(0, text.find_first_of(spec_blanks)); }
};

// What stands before a '#' that begins a word outside of quotes.
std::string_view without_comment(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool begins_word = i == 0 || spec_blanks.find(line[i - 1]) != std::string_view::npos;
        if (quote != '\0') {
            quote = line[i] == quote ? '\0' : quote;
        } else if (line[i] == '\'' || line[i] == '"') {
            quote = line[i];
        } else if (line[i] == '#' && begins_word) {
            return line.substr(0, i);
        }
    }
    return line;
}

bool is_short_hash(std::string_view word) {
    return word.size() == short_hash && std::ranges::all_of(word, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
           });
}

// "[+]", "[^]", "-": whether the spec is installed. "- " begins the items of a YAML list, too.
bool is_mark(std::string_view word) {
    return word == "-" || (word.size() == 3 && word.front() == '[' && word.back() == ']');
}

// Where a spec is installed. "/usr" may be that, or the beginning of a hash: it is a path if no
// hash can stand there.
bool is_path(std::string_view word, bool is_no_hash) {
    return word.starts_with('/') && (is_no_hash || word.find('/', 1) != std::string_view::npos);
}

void remove_mark(LinePart& part) {
    if (is_mark(part.first_word())) {
        part.remove_prefix(part.first_word().size());
        part.trim();
    }
}

void remove_path(LinePart& part, bool is_no_hash) {
    const std::size_t begin = part.text.find_last_of(spec_blanks) + 1;
    if (begin > 0 && is_path(part.text.substr(begin), is_no_hash)) {
        part.text = part.text.substr(0, begin);
        part.trim();
    }
}

// Takes the hash before a spec off it, or dashes in place of one. Gives "" if there is none. A word
// of 7 letters is a hash only if the name of a package follows.
std::string take_hash(LinePart& part) {
    const std::string_view word = part.first_word();
    const std::size_t next = part.text.find_first_not_of(spec_blanks, word.size());
    const bool has_name = next != std::string_view::npos &&
                          std::isalnum(static_cast<unsigned char>(part.text[next])) != 0;
    const bool is_dashes = word.find_first_not_of('-') == std::string_view::npos;
    const bool is_hash = is_dag_hash(word) || (is_short_hash(word) && has_name);
    if (!is_hash && !(is_dashes && word.size() >= short_hash)) {
        return "";
    }
    part.remove_prefix(word.size());
    part.trim();
    return is_hash ? std::string(word) : "";
}

// The hash at the end of "zlib-1.3.1-<hash>".
std::optional<std::string> hash_at_end(std::string_view text) {
    const std::size_t dash = text.rfind('-');
    const bool is_one_word = text.find_first_of(" @+~%^=") == std::string_view::npos;
    if (!is_one_word || dash == std::string_view::npos || !is_dag_hash(text.substr(dash + 1))) {
        return std::nullopt;
    }
    return std::string(text.substr(dash + 1));
}

/// The lines of a list, one after the other.
class SpecList {
  public:
    explicit SpecList(std::string name) : name_(std::move(name)) {}

    void read_line(std::string_view line) {
        ++line_;
        LinePart part{without_comment(line)};
        part.trim();
        if (part.text.empty() || part.text.starts_with("==>")) {
            return;
        }
        if (part.text.starts_with("-- ") && part.text.find(" / ") != std::string_view::npos) {
            read_header(part);
            return;
        }
        if (!section_) {
            read_spec(part);
            return;
        }
        while (!part.text.empty()) {
            const std::size_t end = std::min(part.text.find("  "), part.text.size());
            LinePart column{part.text.substr(0, end), part.at};
            part.remove_prefix(end);
            part.trim();
            join(column, part);
            read_spec(column);
        }
    }

    std::vector<WantedSpec> result() {
        if (!problems_.empty()) {
            if (problems_.size() > most_problems) {
                const std::size_t more = problems_.size() - most_problems;
                problems_.resize(most_problems);
                problems_.push_back(fmt::format(
                    "{}: {}", name_, counted(static_cast<std::int64_t>(more), "more problem")));
            }
            throw InputError(problems_);
        }
        if (specs_.empty()) {
            throw InputError(
                fmt::format("{}: asks for nothing: expected at least one spec", name_));
        }
        return std::move(specs_);
    }

  private:
    /// What a header says of the specs below it.
    struct Section {
        SpecQuery system;
        std::vector<DependencyQuery> compilers;
    };

    // A mark goes with the spec behind it, and a path with the one before it, whatever is between.
    static void join(LinePart& column, LinePart& rest) {
        while (!rest.text.empty() && (is_mark(column.text) || is_path(rest.first_word(), true))) {
            const std::size_t end = std::min(rest.text.find("  "), rest.text.size());
            const char* const stop = rest.text.data() + end;
            column.text = {column.text.data(), static_cast<std::size_t>(stop - column.text.data())};
            rest.remove_prefix(end);
            rest.trim();
        }
    }

    // Whether two blanks stand before the last word, which is then a column of `spack find`.
    bool has_columns(const LinePart& part) const {
        const std::size_t begin = part.text.find_last_of(spec_blanks);
        return section_ && begin != std::string_view::npos && begin > 0 &&
               part.text.substr(begin - 1, 2) == "  ";
    }

    // "-- linux-ubuntu22.04-x86_64 / %c,cxx=gcc@11.4.0 ------"
    void read_header(LinePart part) {
        const std::string_view inner = part.text.substr(3);
        const std::size_t slash = inner.find(" / ");
        const std::string arch(inner.substr(0, slash));
        LinePart compilers{inner.substr(slash + 3), part.at + 3 + slash + 3};
        const std::size_t end = compilers.text.find_last_not_of('-');
        compilers.text = compilers.text.substr(0, end + 1);
        compilers.trim();
        section_.reset();
        if (arch == "root specs") {
            return;
        }
        Section section;
        try {
            if (arch != "no arch") {
                section.system = parse_spec("arch=" + arch);
            }
            section.compilers = compilers_of(std::string(compilers.text));
        } catch (const SpecError&) {
            fail(part.at, fmt::format("expected a header like '-- linux-ubuntu22.04-x86_64 / "
                                      "gcc@11.4.0 --', found '{}'",
                                      part.text));
        }
        section_ = std::move(section);
    }

    static std::vector<DependencyQuery> compilers_of(const std::string& text) {
        if (text.empty() || text == "no compilers" || text == "no compiler") {
            return {};
        }
        SpecQuery spec = parse_spec(text.starts_with('%') ? text : "%" + text);
        for (DependencyQuery& compiler : spec.dependencies) {
            compiler.spec.version = compiler.spec.version.exact();
        }
        return std::move(spec.dependencies);
    }

    void read_spec(LinePart part) {
        part.trim();
        const std::string text(part.text);
        remove_mark(part);
        remove_path(part, false);
        const std::string hash = take_hash(part);
        remove_path(part, !hash.empty() || has_columns(part));
        SpecQuery query;
        try {
            if (const auto at_end = hash_at_end(part.text)) {
                query.hash = *at_end;
            } else if (!part.text.empty() || hash.empty()) {
                query = parse_spec(part.text);
            }
        } catch (const SpecError& error) {
            fail(part.at + error.column() - 1, error.problem());
            return;
        }
        if (query.hash.empty()) {
            query.hash = hash;
        }
        if (section_) {
            apply(*section_, query);
        }
        specs_.push_back({line_, text, std::move(query)});
    }

    // What a spec says itself counts more than the header above it.
    static void apply(const Section& section, SpecQuery& query) {
        query.version = query.version.exact();
        for (VariantQuery& variant : query.variants) {
            variant.is_exact = !variant.is_any;
        }
        if (!query.platform && !query.os && !query.target) {
            query.platform = section.system.platform;
            query.os = section.system.os;
            query.target = section.system.target;
        }
        if (std::ranges::none_of(query.dependencies, &DependencyQuery::is_direct)) {
            query.dependencies.insert(query.dependencies.begin(), section.compilers.begin(),
                                      section.compilers.end());
        }
    }

    void fail(std::size_t at, const std::string& problem) {
        problems_.push_back(fmt::format("{}:{}: column {}: {}", name_, line_, at + 1, problem));
    }

    std::string name_;
    std::size_t line_ = 0;
    std::optional<Section> section_;
    std::vector<WantedSpec> specs_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<WantedSpec> read_spec_list(std::string_view text, const std::string& name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    SpecList list(name);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        list.read_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list.result();
}

}  // namespace cacheledger
