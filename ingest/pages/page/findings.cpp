#include "ingest/pages/page/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view entry_opening = "spec_details[";
constexpr std::string_view entry_closing = "]";
constexpr std::string_view behind_place = ": ";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::string entry_place(std::size_t index) {
    return fmt::format("{}{}{}", entry_opening, index, entry_closing);
}

std::string PageFinding::detail() const {
    return place.empty() ? text : fmt::format("{}{}{}", place, behind_place, text);
}

bool PageFinding::is_at_any_entry(std::string_view detail) const {
    if (!place.starts_with(entry_opening)) {
        return detail == this->detail();
    }
    const std::string end = fmt::format("{}{}{}", entry_closing, behind_place, text);
    if (detail.size() < entry_opening.size() + end.size() || !detail.starts_with(entry_opening) ||
        !detail.ends_with(end)) {
        return false;
    }
    detail.remove_prefix(entry_opening.size());
    detail.remove_suffix(end.size());
    return std::all_of(detail.begin(), detail.end(), is_digit);
}

std::string difference_text(std::string_view attribute, std::string_view known,
                            std::string_view given, std::string_view source, Kept kept) {
    return kept == Kept::known
               ? fmt::format("{} stays {}, {} says {}", attribute, known, source, given)
               : fmt::format("{} becomes {}, as {} says; it was {}", attribute, given, source,
                             known);
}

std::string difference_of_better(std::string_view attribute, std::string_view better,
                                 std::string_view other, std::string_view source, Kept kept,
                                 std::size_t longest) {
    std::string known = shortened(better.empty() ? "none" : better, longest);
    std::string given = shortened(other.empty() ? "none" : other, longest);
    if (kept == Kept::given) {
        std::swap(known, given);
    }
    return difference_text(attribute, known, given, source, kept);
}

void Findings::add(FindingKind kind, std::string place, std::string text) {
    add(PageFinding{kind, std::move(place), std::move(text)});
}

void Findings::add(PageFinding finding) {
    if (kept_.size() < most_findings) {
        kept_.push_back(std::move(finding));
    } else {
        ++more_;
    }
}

void Findings::add(Findings others) {
    for (PageFinding& finding : others.kept_) {
        add(std::move(finding));
    }
    more_ += others.more_;
}

std::vector<PageFinding> Findings::all() const {
    std::vector<PageFinding> all = kept_;
    if (more_ > 0) {
        all.push_back({"more-findings", "", fmt::format("{} more, not kept", more_)});
    }
    return all;
}

}  // namespace cacheledger
