#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/json/texts.hpp"
#include "ingest/json/value_scan.hpp"

namespace cacheledger::json {

/// One member of an object, as it is written.
struct RawMember {
    std::string_view key;    ///< what it stands for, without quotes; until the next member
    std::string_view value;  ///< not parsed yet
    std::size_t begin = 0, end = 0;  ///< of key and value, in the object
};

/// Walks through the members of an object that is one text, without a look into their values.
class RawMembers {
  public:
    explicit RawMembers(Texts& texts) : texts_(texts) {}

    /// Begins with the object that `text` is, blanks around it aside. Throws std::invalid_argument:
    /// "WHERE: expected an object, found ...".
    void start(std::string_view text, std::string_view where);

    /// Whether there is one more. Throws std::invalid_argument: "broken JSON at character 5 of the
    /// value: expected ...".
    bool next(RawMember& member);

  private:
    void skip_blanks();
    std::string_view value(std::string_view expected);
    [[noreturn]] void refuse(std::string_view expected) const;

    Texts& texts_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool has_members_ = false;
    ValueScan scan_;
};

}  // namespace cacheledger::json
