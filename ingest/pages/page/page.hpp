#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/page/findings.hpp"
#include "schema/errors/finding_kind.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/text/digest.hpp"

/// A page with all values in canonical form (docs/formats.md, "Compilers" and "Variants").
/// ingest/sources/pages finds texts, ingest/pages/reader reads a text as a page, and
/// ingest/snapshots writes pages.
namespace cacheledger {

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

/// A page that was read.
struct Page : PageHead {
    std::vector<SpecEntry> specs;
    std::vector<PageFinding> findings;
    std::shared_ptr<const void> values;  ///< owns what the specs point to
};

/// A page that the ledger has. It was not read.
struct KnownPage : PageHead {
    std::int64_t page_id = 0;
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
using Content = std::variant<NoPage, Page, KnownPage, BadPage>;

/// The head of a good page, read or known; nullptr for anything else. The pointer is into
/// `content`.
inline const PageHead* head_of(const Content& content) {
    if (const auto* const known = std::get_if<KnownPage>(&content)) {
        return known;
    }
    return std::get_if<Page>(&content);
}

}  // namespace cacheledger
