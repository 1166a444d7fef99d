#include "ingest/json/texts.hpp"

#include <algorithm>

#include "ingest/json/json.hpp"

namespace cacheledger::json {

struct Texts::State {
    simdjson::dom::parser parser;
};

Texts::Texts() : state_(std::make_unique<State>()) {}
Texts::~Texts() = default;

bool is_plain(std::string_view written) {
    return written.size() >= 2 && written.front() == '"' && written.back() == '"' &&
           std::all_of(written.begin() + 1, written.end() - 1,
                       [](char c) { return c >= ' ' && c < '\x7f' && c != '\\' && c != '"'; });
}

std::string_view Texts::operator()(std::string_view written, std::string_view where) {
    return is_plain(written) ? written.substr(1, written.size() - 2)
                             : text(parse(state_->parser, written), where);
}

}  // namespace cacheledger::json
