#include "ingest/pages/front_matter/limited_yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "ingest/bytes/problems/problem.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

// How deep yaml-cpp goes into what it is given.
class Depth : public YAML::EventHandler {
  public:
    std::size_t deepest = 0;

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {}
    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                         YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
        go_down();
    }
    void OnSequenceEnd() override { --depth_; }
    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                    YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
        go_down();
    }
    void OnMapEnd() override { --depth_; }

  private:
    void go_down() { deepest = std::max(deepest, ++depth_); }

    std::size_t depth_ = 0;
};

}  // namespace

void limited_yaml(std::string_view text) {
    LimitedYaml rest;
    try {
        for (int number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            rest.add(text.substr(0, end), number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    } catch (const Problem&) {
        return;
    }
    Depth depth;
    try {
        std::istringstream stream(rest.text());
        YAML::Parser parser(stream);
        parser.HandleNextDocument(depth);
    } catch (const YAML::Exception&) {
    }
    require(depth.deepest <= LimitedYaml::most_nesting, "no deep nesting gets through");
}

}  // namespace cacheledger::fuzz
