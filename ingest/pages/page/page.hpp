#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/errors/finding_kind.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/text/digest.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// A problem of a page that does not keep it from being loaded.
struct PageFinding {
    FindingKind kind;
    std::string place;  ///< on the page; empty if it is about the whole page
    std::string text;

    /// "spec_details[3]: 'colour' is not known and not stored". The ledger has findings in this
    /// form.
    std::string detail() const;

    /// Whether `detail` is the detail() of this finding, at this or at another entry of the page:
    /// the order of entries is not content.
    bool is_at_any_entry(std::string_view detail) const;
};

/// The place of an entry of `spec_details`, counted from 0.
std::string entry_place(std::size_t index);

/// Which of two contradicting values the ledger has from now on.
enum class Kept : std::uint8_t { known, given };

/// What a finding says of two values: "version stays 1.2, the page says 1.3", or, if the given one
/// is kept, "version becomes 1.3, as the index says; it was 1.2".
std::string difference_text(std::string_view attribute, std::string_view known,
                            std::string_view given, std::string_view source, Kept kept);

/// The same, where it is known which value is the better one, and is kept. "none" stands for an
/// empty value. `longest`: how much is shown of each.
std::string difference_of_better(std::string_view attribute, std::string_view better,
                                 std::string_view other, std::string_view source, Kept kept,
                                 std::size_t longest);

/// The largest number of findings that are kept for a page; one more finding counts the rest. A
/// page can have ten million unknown keys.
inline constexpr std::size_t most_findings = 1000;

/// Collects the findings of a page, or a file.
class Findings {
  public:
    /// Keeps the finding, or counts it if there are most_findings.
    void add(FindingKind kind, std::string place, std::string text) {
        add(PageFinding{kind, std::move(place), std::move(text)});
    }
    void add(PageFinding finding);

    /// Adds all findings of `others`.
    void add(Findings others);

    /// The findings in their order, and the one that counts the rest.
    std::vector<PageFinding> all() const;
    const std::vector<PageFinding>& kept() const { return kept_; }
    std::size_t more() const { return more_; }  ///< that were only counted

  private:
    std::vector<PageFinding> kept_;
    std::size_t more_ = 0;
};

// A page with all values in canonical form (docs/formats.md, "Compilers" and "Variants").
// ingest/sources/pages finds texts, ingest/pages/reader reads a text as a page, and
// ingest/snapshots writes pages.

/// The system for which a binary is built.
struct Arch {
    std::string platform;
    std::string os;
    std::string target;
};

/// The stacks of a spec, sorted, with `root` if the page gives it.
struct StackSet {
    std::vector<std::string> stacks;
    std::string text;        ///< "e4s,root"
    std::string named_text;  ///< "e4s"
};

/// A text as pages give it.
struct Text {
    std::string text;
};

/// A value that several entries share. `number` counts the values of one kind and one owner, from
/// 0.
template <typename Value>
struct Shared : Value {
    std::size_t number = 0;
};

/// Its text; nullopt if there is none.
template <typename Value>
std::optional<std::string> text_of_shared(const Shared<Value>* value) {
    return value == nullptr ? std::nullopt : std::optional(value->text);
}

/// One spec of a page. Its pointers are valid as long as Page::values. The entries of all pages
/// that one reader reads share them.
struct SpecEntry {
    DagHash hash{};
    const Shared<Text>* version = nullptr;
    const Shared<Arch>* arch = nullptr;
    const Shared<Compiler>* compiler = nullptr;  ///< nullptr: none
    const Shared<VariantSet>* variants = nullptr;
    const Shared<StackSet>* stacks = nullptr;  ///< nullptr: the page does not say
    const Shared<Text>* size = nullptr;        ///< nullptr: the page does not say
};

/// Specs that were read, and what is odd about them.
struct PageSpecs {
    std::vector<SpecEntry> entries;
    std::shared_ptr<const void> values;  ///< owns what the entries point to
    Findings findings;
};

/// Which page it is.
struct PageHead {
    /// The blob id of the text. If files beside the page have its specs: the tree id of a folder
    /// with the page and these files only.
    Digest digest{};
    std::string package;
    std::optional<std::string> tag;  ///< nullopt: the page is older than tags
    std::size_t num_specs = 0;

    /// The tag under which the page is loaded: its own, or "untagged".
    std::string tag_to_load() const { return tag.value_or(std::string(untagged)); }
};

/// A page. Of one that was not read, because the ledger has it, only the head is known.
struct Page : PageHead {
    std::vector<SpecEntry> specs = {};
    std::vector<PageFinding> findings = {};
    std::shared_ptr<const void> values = {};   ///< owns what the specs point to
    std::optional<std::int64_t> page_id = {};  ///< if it is known that the ledger has it
    bool is_read = true;
};

/// A text that is not a package page, such as another page of the site.
struct NoPage {};

/// A page that can't be loaded, and what is known of it nevertheless.
struct BadPage {
    Problem problem;
    FindingKind kind = "page-unreadable";  ///< the kind of the finding that records it
    std::optional<std::string> package = {};
    std::optional<std::string> tag = {};
    /// If `tag` is not known: the tag, if other pages of the load have it.
    std::optional<std::string> possible_tag = {};
};

/// What a text can be.
using Content = std::variant<NoPage, Page, BadPage>;

/// Converts the printed values of entries to canonical ones and owns them. Equal values are made
/// once: of 200,000 entries, all but some thousand repeat a value. Not for use by several threads
/// at once. All functions throw Problem if a value can't be read.
class SharedValues {
  public:
    /// nullptr for "none".
    const Shared<Compiler>* compiler(std::string_view printed);
    const Shared<Compiler>* compiler(Compiler given);
    const Shared<VariantSet>* variants(const std::vector<std::string_view>& printed);
    /// Variants as spec files give them: see make_variants().
    const Shared<VariantSet>* variants(const std::vector<Variant>& given);
    const Shared<StackSet>* stacks(const std::vector<std::string_view>& printed);
    const Shared<Arch>* arch(std::string_view platform, std::string_view os,
                             std::string_view target);
    const Shared<Text>* text(std::string_view text);

    /// The targets directly below each target, as the texts say that were read; "" where one says
    /// that there are none. Of more than most_targets_with_parents the first are kept.
    using TargetParents = std::map<std::string, std::set<std::string>>;
    void note_parents(std::string_view target, const std::vector<std::string_view>& parents);
    const TargetParents& parents() const { return parents_; }

  private:
    template <typename Value>
    using Known = TextMap<std::unique_ptr<const Shared<Value>>>;

    std::size_t number_of_variant_sets() const {
        return variant_sets_.size() + given_variant_sets_.size();
    }

    std::string key_;                       // kept for its memory
    Known<Compiler> compilers_;             // by what is printed, or by name and version
    Known<VariantSet> variant_sets_;        // by what is printed
    Known<VariantSet> given_variant_sets_;  // by their text
    Known<StackSet> stack_sets_;
    Known<Arch> archs_;
    Known<Text> texts_;
    TargetParents parents_;
};

}  // namespace cacheledger
