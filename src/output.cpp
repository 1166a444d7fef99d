#include "src/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "schema/error.hpp"
#include "src/terminal.hpp"

namespace cacheledger {

namespace {

void write_to(const std::string& file, const std::function<void(std::ostream&)>& print) {
    std::ofstream stream(file, std::ios::binary);
    if (stream) {
        print(stream);
        stream.close();
    }
    if (!stream) {
        throw UsageError(fmt::format("{}: can't be written: {}", file, std::strerror(errno)));
    }
}

}  // namespace

void add_output_options(po::options_description& options) {
    options.add_options()("format", po::value<std::string>()->value_name("FORMAT"),
                          "table (the default), csv, json, markdown or html")(
        "output", po::value<std::string>()->value_name("FILE"), "write to a file");
}

Output::Output(const ParsedOptions& options, const std::filesystem::path& database)
    : format_(parse_format(options.text("format").value_or("table"))),
      file_(options.text("output").value_or("")) {
    std::error_code ignored;
    if (!file_.empty() && std::filesystem::equivalent(file_, database, ignored)) {
        throw UsageError(fmt::format("--output {}: that is the database", file_));
    }
}

RenderOptions Output::style(std::string title) const {
    RenderOptions style;
    style.title = std::move(title);
    if (file_.empty()) {
        style.width = terminal_width();
        style.color = terminal_has_color();
    }
    return style;
}

void Output::write(const std::function<void(std::ostream&)>& print) const {
    if (file_.empty()) {
        print(std::cout);
        if (!std::cout.flush()) {
            throw UsageError(
                fmt::format("standard output: can't be written: {}", std::strerror(errno)));
        }
        return;
    }
    std::error_code error;
    const auto status = std::filesystem::symlink_status(file_, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        write_to(file_, print);  // a device, a pipe or a link is written to, not replaced
        return;
    }
    const std::string beside = fmt::format("{}.{}.tmp", file_, getpid());
    try {
        write_to(beside, print);
    } catch (...) {
        std::filesystem::remove(beside, error);
        throw;
    }
    std::filesystem::rename(beside, file_, error);
    if (error) {
        const std::string why = error.message();
        std::filesystem::remove(beside, error);
        throw UsageError(fmt::format("{}: can't be written: {}", file_, why));
    }
}

void Output::write(const ResultTable& table, const std::string& title) const {
    write([&](std::ostream& out) { render(table, format_, style(title), out); });
}

}  // namespace cacheledger
