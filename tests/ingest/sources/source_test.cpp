#include "ingest/sources/pages/source.hpp"

#include <map>
#include <sstream>
#include <string>

#include "ingest/pages/page/page.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace source_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// An example of a format: a first line with the package and the tag, then a line for each spec
/// with its hash and version.
Content read_text(const std::string& path, const std::string& text) {
    const auto values = std::make_shared<SharedValues>();
    Page page;
    page.digest = blob_id(text);
    page.values = values;
    std::istringstream lines(text);
    if (!(lines >> page.package >> page.tag.emplace())) {
        Problem problem("expected a package and a tag", 1);
        problem.file = path;
        return BadPage{problem};
    }
    for (std::string hash, version; lines >> hash >> version;) {
        SpecEntry& spec = page.specs.emplace_back();
        spec.hash = dag_hash(hash);
        spec.version = values->text(version);
        spec.arch = values->arch("linux", "ubuntu24.04", "x86_64_v3");
        spec.variants = values->variants(std::vector<std::string_view>());
    }
    page.num_specs = page.specs.size();
    return page;
}

/// The example of a source in ingest/sources/pages/source.hpp.
class TextSource : public Source {
  public:
    explicit TextSource(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}
    std::size_t size() const override { return texts_.size(); }
    void begin(Earlier& earlier) override {
        known_ = earlier.known_pages();
        at_ = texts_.begin();
    }
    std::optional<Loadable> next() override {
        if (at_ == texts_.end()) {
            return std::nullopt;
        }
        const auto& [path, text] = *at_++;
        return made_known({{path, path}, read_text(path, text)}, known_);
    }

  private:
    std::map<std::string, std::string> texts_;  // by path
    std::map<std::string, std::string>::const_iterator at_;
    FindKnown known_;
};

struct Ledger : TempLedger {
    IngestResult load(const std::string& moment, std::map<std::string, std::string> texts) {
        TextSource source(std::move(texts));
        IngestOptions options;
        options.source = "texts";
        options.taken_at = parse_moment(moment);
        options.keep_going = true;
        return cacheledger::ingest(database(), source, options, [](std::size_t, std::size_t) {});
    }
};

const std::string zlib = "zlib develop\n" + hash_of("a") + " 1.3\n" + hash_of("b") + " 1.2\n";

}  // namespace

TEST_CASE("A source of another kind is loaded like a folder") {
    Ledger ledger;
    const auto result = ledger.load("2025-03-01", {{"a.txt", zlib}, {"b.txt", "hwloc"}});
    CHECK(result.loaded == Lines{"develop@2025-03-01T00:00:00Z"});
    CHECK(result.bad_pages == Lines{"b.txt:1: expected a package and a tag"});
    CHECK(ledger.rows("SELECT package, version, compiler, stacks FROM specs ORDER BY hash") ==
          Lines{"zlib|1.3|NULL|NULL", "zlib|1.2|NULL|NULL"});
    CHECK(ledger.rows("SELECT kind, detail FROM findings") ==
          Lines{"page-unreadable|b.txt:1: expected a package and a tag"});
    CHECK(ledger.rows("SELECT source FROM snapshots") == Lines{"texts"});
}

TEST_CASE("A known page of any source is read again only if its specs are needed") {
    Ledger ledger;
    ledger.load("2025-03-01", {{"a.txt", zlib}});
    CHECK(ledger.load("2025-03-01", {{"a.txt", zlib}}).loaded.empty());
    CHECK(ledger.load("2025-03-02", {{"b.txt", zlib}}).new_specs == 0);
    ledger.load("2025-03-03", {{"c.txt", "hwloc develop\n"}});
    CHECK(ledger.load("2025-03-04", {{"a.txt", zlib}}).new_specs == 0);
    CHECK(ledger.rows("SELECT taken_at, specs FROM snapshots ORDER BY 1") ==
          Lines{"2025-03-01T00:00:00Z|2", "2025-03-02T00:00:00Z|2", "2025-03-03T00:00:00Z|0",
                "2025-03-04T00:00:00Z|2"});
    CHECK(ledger.value("SELECT count(*) FROM page") == "2");
}

}  // namespace source_test
