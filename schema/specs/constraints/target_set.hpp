#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/constraints/answer.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// schema/sql/helper_views/target_order.sql, compiled in: the one definition of the order of
/// targets.
extern const std::span<const EmbeddedText> target_order_texts;

/// How code for one target suits another one, which is wanted. The better fit is the smaller. The
/// values from `runs` up to `may_not_run` say that the wanted target runs it: how many more targets
/// the wanted one runs (`steps` of target_order), so that for zen5 a build for zen4 suits better
/// than one for x86_64_v3.
enum class TargetFit : std::uint16_t {
    same = 0,
    runs = 1,
    may_not_run = 10000,   ///< the wanted target does not run it, or one of the two is not known
    other_family = 20000,  ///< the wanted target never runs it
};

/// Takes the targets of the ledger that the program does not know (table target_parent), and no
/// others, for all that this header has, from now on. Whoever opens a ledger calls it, before other
/// threads use targets.
void learn_targets(SQLite::Database& ledger);

/// Whether the program knows of the target what it runs; not from ledgers.
bool is_of_archspec(std::string_view target);

/// Every name fits itself. Of one that neither the program nor the ledger knows nothing else is
/// claimed.
TargetFit fit_of(std::string_view wanted, std::string_view there);

/// The targets that a constraint such as "target=x86_64_v3:,zen2" allows. A target is above another
/// if code for the other runs on it: "x86_64_v3:" has zen4 and haswell, but not neoverse_v1.
class TargetSet {
  public:
    /// Throws std::invalid_argument if a name is missing. The text says what was expected.
    explicit TargetSet(std::string_view list);

    /// Unknown if `target` would have to be compared with a range and nobody knows it, or the end
    /// of the range.
    Answer contains(std::string_view target) const;

    /// A target with which a range begins or ends, and which nobody knows. It may become known
    /// when a ledger is opened.
    std::optional<std::string> unknown_end() const;

    /// How code for `target` suits the one of these targets that it suits best. Where a range has
    /// no upper end, its lower end is the one.
    TargetFit fit(std::string_view target) const;

    /// What stands behind "target=".
    const std::string& text() const { return text_; }

  private:
    struct Range {
        bool is_one = false;  ///< only `from`
        std::string from, to;
    };
    std::vector<Range> ranges_;
    std::string text_;
};

}  // namespace cacheledger
