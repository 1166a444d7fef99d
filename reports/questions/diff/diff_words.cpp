#include "reports/questions/diff/diff.hpp"

namespace cacheledger {

ResultTable words_of(const Diff& diff) {
    ResultTable table{{"part", "text", "number"}, {}};
    const auto say = [&](const char* part, const std::string& text, const Value& number = {}) {
        table.rows.push_back({part, text, number});
    };
    say("sentence", diff.sentence);
    if (const auto gone = sentence_of_gone(diff)) {
        say("gone", *gone);
    }
    for (const std::string& remark : remarks(diff)) {
        say(diff.reasons == remark ? "reasons" : "remark", remark);
    }
    for (const auto& [kind, count] : diff.summary) {
        say("count", kind, count);
    }
    say("count", "unobserved", static_cast<std::int64_t>(diff.unobserved.rows.size()));
    return table;
}

}  // namespace cacheledger
