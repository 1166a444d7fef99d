#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/basics/digest.hpp"
#include "schema/basics/finding_kind.hpp"
#include "schema/spelling/compiler.hpp"
#include "schema/spelling/dag_hash.hpp"
#include "schema/spelling/variants.hpp"

/// A page as the ledger understands it: every value in its canonical spelling (docs/formats.md,
/// "Compilers" and "Variants"). Where a page comes from is the business of ingest/sources, how it
/// is written of ingest/formats, and what a snapshot does with it of ingest/snapshots.
namespace cacheledger {

/// Where a binary runs.
struct Arch {
    std::string platform;
    std::string os;
    std::string target;
};

/// The stacks of a spec, sorted, `root` included where the page gives it.
struct StackSet {
    std::vector<std::string> stacks;
    std::string text;        ///< "e4s,root"
    std::string named_text;  ///< "e4s"
};

/// A text as pages give it.
struct Text {
    std::string text;
};

/// A value that entries share, and its number among those of its kind and owner, from 0 on.
template <typename Value>
struct Shared : Value {
    std::size_t number = 0;
};

/// One spec of a page. What its pointers lead to is shared between the entries of all pages of a
/// reader, and belongs to Page::values.
struct SpecEntry {
    DagHash hash{};
    const Shared<Text>* version = nullptr;
    const Shared<Arch>* arch = nullptr;
    const Shared<Compiler>* compiler = nullptr;  ///< none where it is null
    const Shared<VariantSet>* variants = nullptr;
    const Shared<StackSet>* stacks = nullptr;  ///< null: the page does not say
    const Shared<Text>* size = nullptr;        ///< null: the page does not say
};

/// Something about a page that is worth saying and does not keep it from being loaded.
struct PageFinding {
    FindingKind kind;
    std::string detail;
};

/// So much is kept of what is found on a page, which can hold ten million keys that are not known;
/// one finding more says how many there are beside.
inline constexpr std::size_t most_findings = 1000;

/// What a page is known by, and what it is a page of.
struct PageHead {
    /// The blob id of its text; of a page whose specs lie in files beside it, the tree id of a
    /// folder with just these and the page.
    Digest digest{};
    std::string package;
    std::optional<std::string> tag;  ///< nothing on pages from before tags
    std::size_t num_specs = 0;
};

/// A page that was read. Its reader makes it, and nobody changes it afterwards.
struct Page : PageHead {
    std::vector<SpecEntry> specs;
    std::vector<PageFinding> findings;
    std::shared_ptr<const void> values;  ///< owns what the specs refer to
    std::size_t more_findings = 0;       ///< beside those that are kept
};

/// A page that the ledger has, known by its digest.
struct KnownPage : PageHead {
    std::int64_t page_id = 0;
};

/// A text that is no package page, such as another page of the site.
struct NoPage {};

/// A page that can't be loaded: one line that says why, and what is known of it all the same.
struct BadPage {
    std::string problem;                   ///< opens with the name of the file
    FindingKind kind = "page-unreadable";  ///< of the finding that becomes of it
    std::optional<std::string> package;
    std::optional<std::string> tag;
};

/// Adds a finding, or only counts it.
inline void note(Page& page, FindingKind kind, std::string detail) {
    if (page.findings.size() < most_findings) {
        page.findings.push_back({kind, std::move(detail)});
    } else {
        ++page.more_findings;
    }
}

}  // namespace cacheledger
