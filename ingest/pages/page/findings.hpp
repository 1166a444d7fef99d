#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/errors/finding_kind.hpp"

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

/// Collects the findings of a page.
class Findings {
  public:
    /// Keeps the finding, or counts it if there are most_findings.
    void add(FindingKind kind, std::string place, std::string text);
    void add(PageFinding finding);

    /// Adds all findings of `others`.
    void add(Findings others);

    /// The findings in their order, and the one that counts the rest.
    std::vector<PageFinding> all() const;

  private:
    std::vector<PageFinding> kept_;
    std::size_t more_ = 0;
};

}  // namespace cacheledger
