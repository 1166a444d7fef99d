#include "src/terminal/output/descriptor_stream.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

DescriptorBuffer::DescriptorBuffer(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type character) {
    sync();
    return traits_type::eq_int_type(character, traits_type::eof())
               ? traits_type::not_eof(character)
               : sputc(traits_type::to_char_type(character));
}

int DescriptorBuffer::sync() {
    for (const char* from = pbase(); from < pptr();) {
        stop_if_interrupted();
        const ssize_t count = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
        if (count >= 0) {
            from += count;
        } else if (errno == EPIPE) {
            throw ReaderIsGone(
                fmt::format("{}: can't be written: {}", name_, std::strerror(errno)));
        } else if (errno != EINTR) {
            throw UsageError(fmt::format("{}: can't be written: {}", name_, std::strerror(errno)));
        }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
}

DescriptorStream::DescriptorStream(int descriptor, std::string name)
    : std::ostream(nullptr), buffer_(descriptor, std::move(name)) {
    rdbuf(&buffer_);
    exceptions(badbit);
}

}  // namespace cacheledger
