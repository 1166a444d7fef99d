#include "src/terminal/output/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/files/target.hpp"
#include "src/terminal/output/descriptor_stream.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

using Print = std::function<void(std::ostream&)>;

constexpr mode_t new_file_mode = 0666;  // minus the bits of umask

void print_to(int descriptor, const fs::path& file, const Print& print) {
    DescriptorStream stream(descriptor, file.string());
    print(stream);
    stream.flush();
}

// What is open is written where it stands: opened again, a file that the shell appends to would be
// emptied, and a socket can't be opened.
int open_directly(const fs::path& file) {
    if (const auto number = find_open_file(file)) {
        return fcntl(*number, F_DUPFD_CLOEXEC, 0);
    }
    return open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, new_file_mode);
}

class DeviceFile {
  public:
    explicit DeviceFile(const fs::path& file) : descriptor_(open_directly(file)) {
        if (descriptor_ < 0) {
            refuse_to_write(file, errno);
        }
    }
    ~DeviceFile() { close(descriptor_); }
    DeviceFile(const DeviceFile&) = delete;
    DeviceFile& operator=(const DeviceFile&) = delete;

    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

}  // namespace

void write_whole_file(const fs::path& file, const Print& print) {
    const auto target = find_replaceable(file);
    if (!target) {
        const DeviceFile device(file);
        print_to(device.descriptor(), file, print);
        return;
    }
    try {
        DraftFile draft(*target, new_file_mode);
        print_to(draft.descriptor(), file, print);
        draft.sync();
        stop_if_interrupted();
        draft.replace();
    } catch (const DraftError& error) {
        refuse_to_write(*target, error.number);
    }
}

}  // namespace cacheledger
