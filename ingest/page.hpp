#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/dag_hash.hpp"
#include "schema/finding_kind.hpp"

/// A page as the ledger understands it: every value in its canonical spelling (formats.md sections
/// 5, 6 and 9). Where a page comes from and how it is written is the business of page_files and
/// page_reader; what a snapshot does with it, of snapshot_writer.
namespace cacheledger {

/// A git object id (SHA-1).
using Digest = std::array<std::uint8_t, 20>;

/// "gcc@13.2.0". A spec without compiler has none of these.
struct Compiler {
    std::string name;
    std::optional<std::string> version;
    std::string spec;  ///< name@version, or the name alone
};

/// Where a binary runs.
struct Arch {
    std::string platform;
    std::string os;
    std::string target;
};

/// One build option with its values, sorted; {"true"} or {"false"} for a boolean one.
struct Variant {
    std::string name;
    std::vector<std::string> values;
};

/// All options of a spec, sorted by name.
struct VariantSet {
    std::vector<Variant> variants;
    std::string text;  ///< Spack's spelling in canonical order: "build_type=Release ~ipo +mpi"
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

struct Page {
    std::string path;  ///< below the folder that was given
    /// The blob id of its text; of a page whose specs lie in files beside it, the tree id of a
    /// folder with just these and the page.
    Digest digest{};
    std::string package;
    std::optional<std::string> tag;  ///< nothing on pages from before tags
    std::size_t num_specs = 0;
    /// The ledger has this page. Its specs and findings are not read again where its text was
    /// enough to tell.
    std::optional<std::int64_t> page_id;
    std::vector<SpecEntry> specs;
    std::vector<PageFinding> findings;
    std::shared_ptr<const void> values;  ///< owns what the specs refer to
    std::size_t more_findings = 0;       ///< beside those that are kept
};

/// Adds a finding, or only counts it.
inline void note(Page& page, FindingKind kind, std::string detail) {
    if (page.findings.size() < most_findings) {
        page.findings.push_back({kind, std::move(detail)});
    } else {
        ++page.more_findings;
    }
}

/// Whether the specs of a page that the ledger has were not read.
inline bool lacks_specs(const Page& page) {
    return page.page_id && page.specs.size() < page.num_specs;
}

/// A page that can't be loaded: one line that says why, and what is known of it all the same.
struct BadPage {
    std::string file;  ///< as it can be opened
    std::string path;  ///< below the folder that was given
    std::string problem;
    FindingKind kind = "page-unreadable";  ///< of the finding that becomes of it
    std::optional<std::string> package;
    std::optional<std::string> tag;
};

}  // namespace cacheledger
