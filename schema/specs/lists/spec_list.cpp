#include "schema/specs/lists/spec_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/environments/wish_list.hpp"
#include "schema/specs/lists/list_sections.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// What is wrong with the lines of a list, in one line each that quotes the line of the list.
class ListProblems {
  public:
    explicit ListProblems(std::string name) : name_(std::move(name)) {}

    /// Says which line is read. It must stay until the next.
    void next_line(std::string_view line) {
        ++line_;
        text_ = line;
    }
    std::size_t line() const { return line_; }

    /// At a byte of the line.
    void add(std::size_t at, const std::string& problem);

    /// In the spec that begins there.
    void add(std::size_t at, const SpecError& error);

    /// With the whole text; the first is said.
    void add_at_end(const std::string& problem) { of_whole_ = of_whole_.value_or(problem); }

    /// What can't be read beside so many specs, and is left out. Throws InputError with the first
    /// problems, and how many more there are, if something is wrong with the whole text, or if they
    /// are as many as the specs or more: it is no list then.
    std::vector<WishFinding> take(std::size_t specs);

  private:
    std::string name_;
    std::string_view text_;
    std::size_t line_ = 0;
    std::vector<WishFinding> problems_;
    std::optional<std::string> of_whole_;
    std::size_t more_ = 0;
};

constexpr std::size_t most_problems = 1000;
constexpr std::size_t most_shown = 20;
constexpr std::size_t longest_quote = 100;
constexpr std::size_t longest_problem = 300;

// The text from `begin` on, or as much of it as a message can show.
std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
        return std::string(text);
    }
    std::size_t end = longest;
    while (end > 0 && continues_character(text[end])) {
        --end;
    }
    return fmt::format("{}...", text.substr(0, end));
}

void ListProblems::add(std::size_t at, const std::string& problem) {
    if (problems_.size() == most_problems) {
        ++more_;
        return;
    }
    const std::size_t begin = std::min(text_.find_first_not_of(spec_blanks), text_.size());
    problems_.push_back({line_,
                         fmt::format("column {}: {}: '{}'", characters(text_.substr(0, at)) + 1,
                                     shortened(problem, longest_problem),
                                     shortened(text_.substr(begin), longest_quote)),
                         true});
}

void ListProblems::add(std::size_t at, const SpecError& error) {
    // Columns count characters.
    std::size_t byte = std::min(at, text_.size());
    for (std::size_t column = 1; byte < text_.size() && column < error.column(); ++column) {
        do {
            ++byte;
        } while (byte < text_.size() && continues_character(text_[byte]));
    }
    add(byte, error.problem());
}

std::vector<WishFinding> ListProblems::take(std::size_t specs) {
    if (!of_whole_ && more_ == 0 && (problems_.empty() || problems_.size() < specs)) {
        return std::move(problems_);
    }
    std::vector<std::string> all;
    const std::size_t shown = std::min(problems_.size(), most_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        all.push_back(fmt::format("{}:{}: {}", name_, problems_[i].line, problems_[i].detail));
    }
    if (const std::size_t more = problems_.size() + more_ - shown; more > 0) {
        all.push_back(
            fmt::format("{}: {}", name_, counted(static_cast<std::int64_t>(more), "more problem")));
    }
    if (all.empty()) {
        all.push_back(fmt::format("{}: {}", name_, *of_whole_));
    }
    throw InputError(all);
}

/// Makes a query of the text of a spec that exists: versions and the values of variants are these
/// and no others, and what it shares with its dependencies is said of each of them.
void make_concrete(SpecQuery& query) {
    query.version = query.version.exact();
    for (VariantQuery& variant : query.variants) {
        variant.is_exact = !variant.is_any;
        variant.is_propagated = false;
    }
    for (FlagsQuery& flags : query.flags) {
        flags.is_propagated = false;
    }
    for (DependencyQuery& dependency : query.dependencies) {
        make_concrete(dependency.spec);
    }
}

/// The hash at the end of "zlib-1.3.1-<hash>", or of a path that ends so.
std::optional<std::string> hash_at_end(std::string_view text) {
    const std::size_t dash = text.rfind('-');
    const bool is_one_word = text.find_first_of(" @+~%^=") == std::string_view::npos;
    if (!is_one_word || dash == std::string_view::npos || !is_dag_hash(text.substr(dash + 1))) {
        return std::nullopt;
    }
    return std::string(text.substr(dash + 1));
}

constexpr std::size_t longest_spec = std::size_t{64} << 10U;

/// The lines of a list, one after the other.
class ListReader {
  public:
    ListReader(const std::string& name, bool all_have_hashes)
        : problems_(name), all_have_hashes_(all_have_hashes) {}

    void read_line(std::string_view line) {
        problems_.next_line(line);
        try {
            if (sections_.take(line)) {
                return;
            }
        } catch (const SpecError& error) {
            problems_.add(0, error.problem());
            return;
        }
        if (sections_.are_left_out()) {
            return;
        }
        const auto items =
            cut_line(line, {all_have_hashes_, sections_.has_system(), sections_.are_roots()});
        for (const ListItem& item : items) {
            read_item(item, items.size() > 1);
        }
        sections_.pass_roots(items.size());
    }

    SpecList result() {
        if (sections_.are_left_out()) {
            problems_.add_at_end("expected 'Concretized' and a tree below 'Input spec'");
        }
        const std::size_t specs = list_.specs.size() + seen_external_.size();
        if (specs == 0) {
            problems_.add_at_end("asks for nothing: expected at least one spec");
        }
        list_.left_out = problems_.take(num_read_);
        list_.not_read = list_.words_of_left_out();
        return std::move(list_);
    }

  private:
    void read_item(const ListItem& item, bool has_neighbours) {
        if (item.spec.size() > longest_spec) {
            problems_.add(item.at, fmt::format("expected a spec of at most {} bytes, found {}",
                                               longest_spec, item.spec.size()));
        } else if (item.stray_dash != ListItem::npos) {
            problems_.add(item.stray_dash, "expected two blanks before the mark '-'");
        } else if (item.path.find_first_of(spec_blanks) != std::string_view::npos) {
            problems_.add(item.at + item.spec.size(), "expected a path without blanks");
        } else {
            try {
                add(item, query_of(item, has_neighbours));
                ++num_read_;
            } catch (const SpecError& error) {
                problems_.add(item.at, error);
            }
        }
    }

    SpecQuery query_of(const ListItem& item, bool has_neighbours) {
        SpecQuery query;
        const bool is_dependency = sections_.is_dependency(item, has_neighbours);
        const bool is_concrete = is_dependency || sections_.are_concrete(item, has_neighbours);
        const auto in_path = hash_at_end(item.path);
        if (const auto at_end = hash_at_end(item.spec)) {
            query.hash = *at_end;
        } else if (!item.spec.empty() || (item.hash.empty() && !in_path)) {
            query =
                parse_spec(item.spec, is_concrete ? SpecSyntax::before_1_0 : SpecSyntax::spack_1);
            require_known_targets(query, item.spec);
        }
        if (is_concrete) {
            make_concrete(query);
        }
        if (!is_dependency) {
            sections_.apply_header(query);
        }
        if (query.hash.empty()) {
            query.hash = !item.hash.empty() ? std::string(item.hash) : in_path.value_or("");
        }
        return query;
    }

    void add(const ListItem& item, SpecQuery query) {
        const bool has_column = !item.hash.empty() || hash_at_end(item.path);
        WantedSpec wanted{problems_.line(), text_of(item), std::move(query), has_column};
        const std::string key = wanted.asked().text();
        if (item.mark == "[e]") {
            list_.external += seen_external_.insert(key).second ? 1 : 0;
        } else if (seen_.insert(key).second) {
            list_.specs.push_back(std::move(wanted));
        }
    }

    static std::string text_of(const ListItem& item) {
        std::string text(item.hash);
        text += text.empty() || item.spec.empty() ? "" : " ";
        text += item.spec;
        return text.empty() ? std::string(item.path) : text;
    }

    ListProblems problems_;
    ListSections sections_;
    bool all_have_hashes_;
    SpecList list_;
    std::unordered_set<std::string> seen_, seen_external_;
    std::size_t num_read_ = 0;  // items, of which some may be the same
};

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    return text;
}

// Unlike the prompt "[me@login1 ~]$". Of a mark ("[+]") nobody needs to know here.
bool begins_json(std::string_view text) {
    const std::size_t second = text.find_first_not_of(" \t\r\n", 1);
    constexpr std::string_view in_list = "{[]\"";
    return text[0] == '{' || (text[0] == '[' && second != std::string_view::npos &&
                              in_list.find(text[second]) != std::string_view::npos);
}

// Takes the first line from the text. It has no colours, comment and blanks at its end.
std::string take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = without_escapes(text.substr(0, end));
    line.resize(length_without_comment(line));
    line.resize(line.find_last_not_of(spec_blanks) + 1);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::vector<std::string> plain_lines(std::string_view text) {
    text = without_byte_order_mark(text);
    std::vector<std::string> lines;
    while (!text.empty()) {
        lines.push_back(take_line(text));
    }
    return lines;
}

}  // namespace

SpecQuery WantedSpec::asked() const {
    if (!is_named) {
        return query;
    }
    SpecQuery asked;
    asked.hash = query.hash;
    if (!is_dag_hash(query.hash)) {
        asked.package = query.package;
    }
    return asked;
}

std::string SpecList::words_of_left_out() const {
    const auto number = std::ssize(left_out);
    return number == 0 ? std::string()
                       : fmt::format("{} be read or judged, and {} as not there.",
                                     counted(number, "entry can't", "entries can't"),
                                     words_for(number, "counts", "count"));
}

SpecList read_spec_list(std::string_view text, const std::string& name) {
    const std::vector<std::string> lines = plain_lines(text);
    ListReader reader(name, all_begin_with_hash(lines));
    for (const std::string& line : lines) {
        reader.read_line(line);
    }
    return reader.result();
}

std::string_view behind_messages(std::string_view text) {
    text = without_byte_order_mark(text);
    ListSections sections;
    try {
        while (!text.empty() && !begins_json(text)) {
            std::string_view rest = text;
            if (!sections.take(take_line(rest))) {
                break;
            }
            text = rest;
        }
    } catch (const SpecError&) {
        // An error of Spack says something.
    }
    return text;
}

}  // namespace cacheledger
