#include "ingest/pages/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace cacheledger {

namespace {

constexpr std::string_view entry_opening = "spec_details[";
constexpr std::string_view entry_closing = "]";
constexpr std::string_view behind_place = ": ";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr std::string_view root_stack = "root";

// One text for a list of texts that no other list has: each with its length.
template <typename Texts>
void make_key(std::string& key, const Texts& texts) {
    key.clear();
    for (const std::string_view text : texts) {
        const std::size_t size = text.size();
        key.append(reinterpret_cast<const char*>(&size), sizeof size);
        key += text;
    }
}

template <typename Map, typename Make>
auto find_or_share(Map& known, const std::string& key, Make make) {
    if (const auto found = known.find(key); found != known.end()) {
        return found->second.get();
    }
    return known.emplace(key, make()).first->second.get();
}

template <typename Value>
std::unique_ptr<const Shared<Value>> share(Value value, std::size_t number) {
    return std::make_unique<const Shared<Value>>(Shared<Value>{std::move(value), number});
}

// Calls `parse`, a function of schema/specs/spelling. Those throw std::invalid_argument.
template <typename Parse>
auto parsed(Parse parse) {
    try {
        return parse();
    } catch (const std::invalid_argument& error) {
        throw Problem(error.what());
    }
}

StackSet parse_stacks(const std::vector<std::string_view>& printed) {
    StackSet set;
    for (const std::string_view stack :
         std::set<std::string_view>(printed.begin(), printed.end())) {
        if (stack.empty() || stack.find(',') != std::string_view::npos) {
            throw Problem(
                fmt::format("expected the name of a stack, without ',', found '{}'", stack));
        }
        set.stacks.emplace_back(stack);
    }
    set.text = fmt::format("{}", fmt::join(set.stacks, ","));
    std::vector<std::string> named = set.stacks;
    std::erase(named, root_stack);
    set.named_text = fmt::format("{}", fmt::join(named, ","));
    return set;
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
    return std::ranges::all_of(detail, is_digit);
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

const Shared<Compiler>* SharedValues::compiler(std::string_view printed) {
    key_ = printed;
    return find_or_share(compilers_, key_, [&]() -> std::unique_ptr<const Shared<Compiler>> {
        auto compiler = parsed([&] { return parse_compiler(printed); });
        return compiler ? share(std::move(*compiler), compilers_.size()) : nullptr;
    });
}

const Shared<Compiler>* SharedValues::compiler(Compiler given) {
    make_key(key_, std::initializer_list<std::string_view>{given.name, given.version.value_or("")});
    return find_or_share(compilers_, key_,
                         [&] { return share(std::move(given), compilers_.size()); });
}

const Shared<VariantSet>* SharedValues::variants(const std::vector<std::string_view>& printed) {
    make_key(key_, printed);
    return find_or_share(variant_sets_, key_, [&] {
        return share(parsed([&] { return parse_variants(printed); }), number_of_variant_sets());
    });
}

const Shared<VariantSet>* SharedValues::variants(const std::vector<Variant>& given) {
    VariantSet set = parsed([&] { return make_variants(given); });
    key_ = set.text;
    return find_or_share(given_variant_sets_, key_,
                         [&] { return share(std::move(set), number_of_variant_sets()); });
}

const Shared<StackSet>* SharedValues::stacks(const std::vector<std::string_view>& printed) {
    make_key(key_, printed);
    return find_or_share(stack_sets_, key_,
                         [&] { return share(parse_stacks(printed), stack_sets_.size()); });
}

const Shared<Arch>* SharedValues::arch(std::string_view platform, std::string_view os,
                                       std::string_view target) {
    if (platform.empty() || os.empty() || target.empty()) {
        throw Problem("expected a platform, an os and a target, one is empty");
    }
    make_key(key_, std::initializer_list<std::string_view>{platform, os, target});
    return find_or_share(archs_, key_, [&] {
        return share(Arch{std::string(platform), std::string(os), std::string(target)},
                     archs_.size());
    });
}

const Shared<Text>* SharedValues::text(std::string_view text) {
    if (const auto found = texts_.find(text); found != texts_.end()) {
        return found->second.get();
    }
    return texts_.emplace(text, share(Text{std::string(text)}, texts_.size())).first->second.get();
}

void SharedValues::note_parents(std::string_view target,
                                const std::vector<std::string_view>& parents) {
    // archspec knows some eighty targets. A file that describes many more is no help, and must not
    // make the order of targets slow.
    constexpr std::size_t most_targets_with_parents = 1000;
    constexpr std::size_t most_parents = 10;
    if (parents_.size() == most_targets_with_parents || parents.size() > most_parents) {
        return;
    }
    auto& below = parents_[std::string(target)];
    below.insert(parents.begin(), parents.end());
    if (parents.empty()) {
        below.emplace();
    }
}

}  // namespace cacheledger
