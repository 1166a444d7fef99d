#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "schema/text/number.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace real_files_test {

/// Real files, which are not in the repository. The environment variable CACHELEDGER_REAL_FILES
/// names their folder, in which a document has tables of the files, with what an independent
/// reader counted in them.
using namespace cacheledger;
using Columns = std::map<std::string, std::string>;

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> real_files() {
    const char* const folder = std::getenv("CACHELEDGER_REAL_FILES");
    if (folder == nullptr) {
        WARN("CACHELEDGER_REAL_FILES is not set: no real files are read");
        return std::nullopt;
    }
    return fs::path(folder);
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> texts;
    for (std::size_t begin = 1; begin < line.size();) {
        const std::size_t end = std::min(line.find('|', begin), line.size());
        std::string text = line.substr(begin, end - begin);
        text.erase(0, text.find_first_not_of(' '));
        text.erase(text.find_last_not_of(' ') + 1);
        texts.push_back(text);
        begin = end + 1;
    }
    return texts;
}

/// The rows of all tables, by the names of their columns.
std::vector<Columns> rows(const fs::path& folder) {
    std::ifstream file(folder / "SOURCES.md");
    std::vector<Columns> rows;
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("|")) {
            names.clear();
            continue;
        }
        const auto values = cells(line);
        if (names.empty()) {
            names = values;
        } else if (!values[0].starts_with("---")) {
            Columns row;
            for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
                row[names[i]] = values[i];
            }
            rows.push_back(row);
        }
    }
    return rows;
}

/// The index in a mirror or an image layout: its largest blob, or the compressed one. Finding it
/// properly is another matter.
fs::path file_of(const fs::path& path) {
    if (!fs::is_directory(path)) {
        return path;
    }
    fs::path found;
    for (const auto& file : fs::recursive_directory_iterator(path / "blobs")) {
        if (!file.is_regular_file()) {
            continue;
        }
        if (std::ifstream(file.path(), std::ios::binary).get() == 0x1f) {
            return file.path();
        }
        if (found.empty() || file.file_size() > fs::file_size(found)) {
            found = file.path();
        }
    }
    return found;
}

struct ReadFiles {
    Graph graph;
    std::vector<GraphFile> files;
};

ReadFiles read(const fs::path& folder, const std::vector<std::string>& names) {
    GraphReader reader;
    ReadFiles read;
    for (const std::string& name : names) {
        const FoundFile file(Location(file_of(folder / name).string()));
        read.files.push_back(reader.read(name, *file.bytes()));
    }
    read.graph = reader.finish();
    return read;
}

std::size_t number(const Columns& row, const std::string& name) {
    const auto found = parse_number<std::size_t>(row.at(name));
    REQUIRE(found);
    return *found;
}

constexpr std::size_t MiB = std::size_t{1} << 20;

/// An index with few nodes and a lot of text around them, which is never in memory as a whole.
class LongIndex : public Bytes {
  public:
    explicit LongIndex(std::size_t size) : rest_(size) {
        part_ = R"({"database":{"version":"8","installs":{)";
    }

    std::size_t read(char* into, std::size_t size) override {
        if (at_ == part_.size() && !next_part()) {
            return 0;
        }
        const std::size_t count = part_.copy(into, size, at_);
        at_ += count;
        return count;
    }

  private:
    bool next_part() {
        at_ = 0;
        if (rest_ == 0) {
            return !std::exchange(part_, is_closed_ ? "" : "}}}").empty() &&
                   !std::exchange(is_closed_, true);
        }
        std::string stem;
        for (unsigned number = records_ + 1; number > 0; number /= 20) {
            stem += static_cast<char>('b' + number % 20);
        }
        const std::string hash = hash_of(stem + "a");
        part_ = fmt::format(R"({}"{}":{{"spec":{},"path":"{}","in_buildcache":true}})",
                            records_ == 0 ? "" : ",", hash, graph_text::NodeText{hash}.text(5),
                            std::string(MiB, 'x'));
        ++records_;
        rest_ -= std::min(rest_, part_.size());
        return true;
    }

    std::string part_;
    std::size_t at_ = 0, rest_;
    unsigned records_ = 0;
    bool is_closed_ = false;
};

std::size_t address_space() {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// How a process ends that does this with so much more memory than it has.
template <typename Act>
int exit_code_within(std::size_t memory, const Act& act) {
    const pid_t child = fork();
    if (child == 0) {
        const std::size_t most = address_space() + memory;
        const rlimit limit{most, most};
        if (setrlimit(RLIMIT_AS, &limit) != 0) {
            _exit(4);
        }
        try {
            _exit(act() ? 0 : 1);
        } catch (const std::bad_alloc&) {
            _exit(2);
        } catch (...) {
            _exit(3);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("Of real files as much is read as an independent reader counted") {
    const auto folder = real_files();
    if (!folder) {
        return;
    }
    std::size_t files = 0;
    for (const Columns& row : rows(*folder)) {
        const std::string& name = row.at("file");
        if (row.at("specs") == "-" || !fs::exists(*folder / name)) {
            continue;
        }
        INFO(name);
        const auto [graph, read_files] = read(*folder, {name});
        const GraphFile& file = read_files[0];
        CHECK(file.records == number(row, "specs"));
        CHECK(file.edges == number(row, "edges"));
        if (file.kind != SourceKind::spec) {  // whose root is its first node
            CHECK(file.roots.size() == number(row, "roots"));
        }
        if (file.kind == SourceKind::index) {
            CHECK(file.present.size() == number(row, "cached"));
        }
        std::size_t external = 0;
        for (const Node& node : graph.nodes) {
            REQUIRE(node.is_described());
            external += node.recipe->external ? 1 : 0;
            CHECK(node.hash_state != HashState::wrong);
        }
        CHECK(external == number(row, "external"));
        CHECK(file.findings.kept().empty());
        ++files;
    }
    CHECK(files > 60);
}

TEST_CASE("Real files that say the same in several spellings are one graph without a conflict") {
    const auto folder = real_files();
    if (!folder) {
        return;
    }
    struct Case {
        std::vector<std::string> files;
        std::size_t nodes;
    };
    const std::vector<Case> cases = {
        {{"lock-v6-julea-A.lock", "lock-v6-julea-B-respelled.lock"}, 105},
        {{"index-v8-spack-test-builtin.mock.json", "index-v8-spack-test-builtin_mock.json"}, 7},
        {{"index-v7-spack-test.json", "index-v8-spack-test-builtin_mock.json"}, 7},
        {{"index-v6-gust-B.json.gz", "index-v7-gust-B.json.gz", "index-v8-gust-B.json.gz"}, 819},
        {{"lock-v5-chronolog-A.lock", "lock-v5-chronolog-B.lock"}, 66},
        {{"lock-v5-derecho-2024-10-22.lock", "installdb-v7-derecho-2024-10-22.json"}, 1256},
    };
    for (const auto& [files, nodes] : cases) {
        INFO(files[0]);
        const ReadFiles both = read(*folder, files);
        CHECK(both.graph.nodes.size() == nodes);
        for (const GraphFile& file : both.files) {
            CHECK(file.findings.kept().empty());
        }
    }
}

TEST_CASE("The hashes of real files can be computed again, but for what was respelled") {
    const auto folder = real_files();
    if (!folder) {
        return;
    }
    std::set<std::string> whole, others;
    for (const auto& entry : fs::directory_iterator(*folder)) {
        const std::string name = entry.path().filename().string();
        const bool is_lock = name.starts_with("lock-v4") || name.starts_with("lock-v5") ||
                             name.starts_with("lock-v6");
        if (!is_lock && !name.starts_with("installdb-v7")) {
            continue;
        }
        const ReadFiles one = read(*folder, {name});
        const bool is_whole =
            std::all_of(one.graph.nodes.begin(), one.graph.nodes.end(),
                        [](const Node& node) { return node.hash_state == HashState::recomputed; });
        (is_whole ? whole : others).insert(name);
    }
    CHECK(others == std::set<std::string>{"lock-v4-poorjit.lock", "lock-v6-bloom-A.lock",
                                          "lock-v6-bloom-B.lock", "lock-v6-julea-A.lock",
                                          "lock-v6-julea-B-respelled.lock", "lock-v6-oktal.lock"});
    CHECK(whole.contains("installdb-v7-derecho-2024-10-22.json"));
    CHECK(whole.size() >= 27);
}

TEST_CASE("An index of ten times the memory that is allowed is read") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    WARN("sanitizers take more memory than can be limited");
#else
    const auto read = [] {
        LongIndex bytes(300 * MiB);
        GraphReader reader;
        return reader.read("it", bytes).present.size() >= 299;
    };
    const auto keep = [] { return std::string(300 * MiB, 'x').back() == 'x'; };
    CHECK(exit_code_within(30 * MiB, read) == 0);
    CHECK(exit_code_within(30 * MiB, keep) == 2);  // the limit holds
#endif
}

}  // namespace real_files_test
