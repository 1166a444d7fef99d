#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace graph_memory_test {

using namespace cacheledger;

namespace {

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

}  // namespace graph_memory_test
