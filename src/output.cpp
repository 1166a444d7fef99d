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

void add_output_options(po::options_description& options) {
    options.add_options()("format", po::value<std::string>()->value_name("FORMAT"),
                          "table (the default), csv, json, markdown or html")(
        "output", po::value<std::string>()->value_name("FILE"), "write to a file");
}

Output::Output(const ParsedOptions& options)
    : format_(parse_format(options.text("format").value_or("table"))),
      file_(options.text("output").value_or("")) {}

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
    const std::string beside = fmt::format("{}.{}.tmp", file_, getpid());
    std::ofstream stream(beside, std::ios::binary);
    if (stream) {
        print(stream);
        stream.close();
    }
    std::error_code error;
    if (stream) {
        std::filesystem::rename(beside, file_, error);
    }
    if (!stream || error) {
        const std::string why = error ? error.message() : std::strerror(errno);
        std::filesystem::remove(beside, error);
        throw UsageError(fmt::format("{}: can't be written: {}", file_, why));
    }
}

void Output::write(const ResultTable& table, const std::string& title) const {
    write([&](std::ostream& out) { render(table, format_, style(title), out); });
}

}  // namespace cacheledger
