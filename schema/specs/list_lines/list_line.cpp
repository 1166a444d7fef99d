#include "schema/specs/list_lines/list_line.hpp"

#include <algorithm>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/list_lines/list_words.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

// Whether Spack prints this so behind a hash: its specs show their versions. One of a name alone
// may be written by hand, behind one blank; behind more it begins the next column.
bool may_follow_hash(std::string_view behind, std::size_t blanks) {
    return begins_with_version(behind) || (blanks == 1 && begins_with_name(behind));
}

/// Takes the specs of a line off it, from left to right.
class LineCutter {
  public:
    LineCutter(std::string_view line, const LineContext& context)
        : line_(line), context_(context) {}

    std::vector<ListItem> run() {
        std::vector<ListItem> items;
        for (indent_ = skip_blanks(); at_ < line_.size(); indent_ = skip_blanks()) {
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
            take(length);
            indent_ = skip_blanks();
        }
        item.indent = indent_;
        item.is_dependency = rest().starts_with('^');
        at_ += item.is_dependency ? 1 : 0;
        item.at = at_;
        if (!take_quoted(item) && !is_path(rest(), !item.hash.empty())) {
            take_spec(item);
        }
        const std::size_t blanks = skip_blanks();
        if (is_path(rest(), knows_hash(item))) {
            take_path(item);
        } else if (begins_state(item, item.spec, blanks)) {
            item.spec.resize(item.spec.find_last_not_of(':') + 1);
            at_ = line_.size();
        }
        return item;
    }

    // Behind a path, the installer says how long it took, or "(external glibc-2.36-<hash>)".
    void take_path(ListItem& item) {
        constexpr std::string_view external = "(external ";
        item.path = take(rest().find_last_not_of(spec_blanks) + 1);
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

    std::string_view rest() const { return line_.substr(at_); }
    std::string_view take(std::size_t size) {
        const std::string_view taken = line_.substr(at_, size);
        at_ += taken.size();
        return taken;
    }
    std::size_t skip_blanks() {
        const std::size_t begin = at_;
        at_ = std::min(line_.find_first_not_of(spec_blanks, at_), line_.size());
        return width_of(line_.substr(begin, at_ - begin));
    }

    void take_mark(ListItem& item) {
        if (const std::size_t length = mark_length(rest()); length > 0) {
            item.mark = take(length);
            indent_ = skip_blanks();
            // The '-' of YAML may stand before a tab.
            item.is_of_tree = length == 1 ? indent_ >= 3 && line_[at_ - 1] != '\t' : indent_ >= 2;
        }
    }

    void take_hash(ListItem& item) {
        const std::string_view word = first_word(rest());
        const std::size_t end = at_ + word.size();
        const std::size_t next = std::min(line_.find_first_not_of(spec_blanks, end), line_.size());
        const std::string_view behind = line_.substr(next);
        const std::size_t blanks = width_of(line_.substr(end, next - end));
        if (is_dag_hash(word) || (is_short_hash(word) && is_hash_before(behind, blanks, item))) {
            item.hash = take(word.size());
            indent_ = skip_blanks();
        } else if (is_dashes(word) && !behind.empty()) {
            take(word.size());
            indent_ = skip_blanks();
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
        item.spec = without_yaml_quotes(take(length));
        ++item.at;
        return true;
    }

    void take_spec(ListItem& item) {
        const std::size_t begin = at_;
        char quote = '\0';
        while (at_ < line_.size()) {
            const char c = line_[at_];
            if (quote != '\0') {
                at_ += c == '\\' && line_.substr(at_ + 1, 1).starts_with(quote) ? 2 : 1;
                quote = c == quote ? '\0' : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
                ++at_;
            } else if (is_blank(c)) {
                if (ends_at_blanks(begin, item)) {
                    break;
                }
            } else {
                note_stray_dash(begin, item);
                ++at_;
            }
        }
        const std::string_view text = line_.substr(begin, at_ - begin);
        item.spec = text.substr(0, text.find_last_not_of(spec_blanks) + 1);
    }

    // Whether the spec ends before the blanks that come here. Otherwise passes them.
    bool ends_at_blanks(std::size_t begin, const ListItem& item) {
        const std::size_t end = at_;
        const std::size_t blanks = skip_blanks();
        const bool is_open = end > begin && expects_more(line_[end - 1]);
        const bool begins_column =
            mark_length(rest()) > 0 || begins_with_name(rest()) || is_dashes(first_word(rest()));
        const bool ends = at_ == line_.size() ||
                          is_path(rest(), !item.hash.empty() || (blanks > 1 && knows_hash(item))) ||
                          (blanks > 1 && !is_open && begins_column) ||
                          begins_state(item, line_.substr(begin, end - begin), blanks);
        at_ = ends ? end : at_;
        return ends;
    }

    void note_stray_dash(std::size_t begin, ListItem& item) const {
        const bool is_alone = line_[at_] == '-' && (at_ == begin || is_blank(line_[at_ - 1])) &&
                              (at_ + 1 == line_.size() || is_blank(line_[at_ + 1]));
        if (is_alone && item.stray_dash == ListItem::npos) {
            item.stray_dash = at_;
        }
    }

    // Whether "/usr" can't be the beginning of a hash.
    bool knows_hash(const ListItem& item) const {
        return !item.hash.empty() || context_.is_below_system;
    }

    std::string_view line_;
    const LineContext& context_;
    std::size_t at_ = 0;
    std::size_t indent_ = 0;  // blanks before `at_`, in an item
};

}  // namespace

std::vector<ListItem> cut_line(std::string_view line, const LineContext& context) {
    return LineCutter(line, context).run();
}

bool may_begin_with_hash(std::string_view line, bool& is_sure) {
    line.remove_prefix(std::min(line.find_first_not_of(spec_blanks), line.size()));
    line.remove_prefix(mark_length(line));
    line.remove_prefix(std::min(line.find_first_not_of(spec_blanks), line.size()));
    const std::string_view word = first_word(line);
    const std::size_t next =
        std::min(line.find_first_not_of(spec_blanks, word.size()), line.size());
    const std::string_view behind = line.substr(next);
    // "log4cxx ^apr" is a spec: the first line of a tree has no '^'.
    is_sure = is_sure || is_dag_hash(word) ||
              (is_short_hash(word) && has_digit_within(word) &&
               may_follow_hash(behind, width_of(line.substr(word.size(), next - word.size()))));
    return is_dag_hash(word) ||
           ((is_short_hash(word) || is_dashes(word)) &&
            (begins_with_name(behind) || behind.starts_with('^') || types_length(behind) > 0));
}

}  // namespace cacheledger
