#include "src/terminal/output/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <string>
#include <string_view>

#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/output/pager.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

/// The number of columns of the terminal on standard output; 0 if standard output is no terminal.
std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        return 0;
    }
    return size.ws_col;
}

/// Whether standard output is a terminal with colours. Respects NO_COLOR (no-color.org).
bool terminal_has_color() {
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return !refused && isatty(STDOUT_FILENO) != 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

namespace fs = std::filesystem;

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

/// Calls `print` to write the file. It is written under another name and then renamed: if `print`
/// throws, the file is unchanged, and nothing else is left. A symbolic link stays, and the file
/// that it leads to is replaced. An existing file keeps its permissions. A device or pipe is
/// written directly. Throws UsageError if the file can't be written, and Interrupted.
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

constexpr std::size_t rows_shown = 20;

/// With its dot, in lower case; empty if there is none.
std::string ending_of(const std::filesystem::path& file) {
    std::string ending = file.filename().extension().string();
    std::ranges::transform(ending, ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const bool is_number = ending.find_first_not_of("0123456789", 1) == std::string::npos;
    return is_number ? "" : ending;
}

}  // namespace

std::optional<Format> format_of_ending(const std::filesystem::path& file) {
    const std::string ending = ending_of(file);
    if (ending.empty()) {
        return Format::table;
    }
    const auto* const found = std::ranges::find_if(all_formats, [&](const FormatName& format) {
        return format.ending == ending || format.other_ending == ending;
    });
    return found == all_formats.end()
               ? std::nullopt
               : std::optional(static_cast<Format>(found - all_formats.begin()));
}

Format format_of_ending(const std::filesystem::path& file, std::span<const Format> more) {
    const std::vector<Format> formats = formats_of_command(more);
    const auto format = format_of_ending(file);
    if (!format || std::ranges::count(formats, *format) == 0) {
        std::vector<std::string_view> endings;
        std::ranges::transform(formats, std::back_inserter(endings),
                               [](Format one) { return name_of(one).ending; });
        std::erase(endings, "");
        throw UsageError(fmt::format(
            "--output {}: expected one of the endings {}, or none; with --format any name will do",
            file.string(), fmt::join(endings, ", ")));
    }
    return *format;
}

void add_row_options(po::options_description& options) {
    const auto explained = [](const char* meaning) {
        return fmt::format("{}{}", meaning, explained_by_formats);
    };
    add_limit_option(options, explained("show at most ROWS rows of each list").c_str());
    options.add_options()("all", explained("show all rows").c_str());
}

std::optional<std::size_t> read_row_options(const ParsedOptions& options) {
    return options.has("all") ? std::optional(all_rows) : read_limit(options);
}

void add_output_options(po::options_description& options, std::span<const Format> more_formats) {
    const auto formats = names_of_formats(more_formats);
    const std::string meaning =
        fmt::format("{} (the default), {} or {}", formats.front(),
                    fmt::join(formats.begin() + 1, formats.end() - 1, ", "), formats.back());
    options.add_options()("format", once("FORMAT", Choices{formats}), meaning.c_str())(
        "output", once("FILE", Offer::files),
        fmt::format("write to FILE{}", explained_by_formats).c_str())(
        "guard-formulas", fmt::format("CSV for spreadsheets{}", explained_by_formats).c_str());
}

Output::Output(const ParsedOptions& options, const std::filesystem::path& database,
               std::span<const Format> more_formats, std::optional<std::size_t> most_rows)
    : guard_formulas_(options.has("guard-formulas")), file_(options.text("output").value_or("")) {
    if (options.has("output") && file_.empty()) {
        throw UsageError("--output '': FILE is missing");
    }
    if (file_ == "-") {
        file_.clear();
    }
    if (!file_.empty() && is_part_of_database(file_, database)) {
        throw UsageError(fmt::format("--output {}: that is the database", file_));
    }
    format_ = options.has("format") ? parse_format(*options.text("format"), more_formats)
                                    : format_of_ending(file_, more_formats);
    most_rows_ = most_rows.value_or(format_ == Format::table ? rows_shown : all_rows);
    if (guard_formulas_ && format_ != Format::csv) {
        throw UsageError("--guard-formulas is for --format csv only");
    }
}

RenderOptions Output::style(std::string title) const {
    RenderOptions style;
    style.title = std::move(title);
    style.guard_formulas = guard_formulas_;
    style.most_rows = most_rows_;
    if (file_.empty()) {
        style.is_terminal = isatty(STDOUT_FILENO) != 0;
        style.width = terminal_width();
        style.color = terminal_has_color();
    }
    return style;
}

void Output::write(const std::function<void(std::ostream&)>& print) const {
    end_progress();
    if (!file_.empty()) {
        write_whole_file(file_, print);
        return;
    }
    if (isatty(STDOUT_FILENO) != 0) {
        if (const std::string pager = pager_command(); !pager.empty()) {
            write_to_pager(pager, print);
            return;
        }
    }
    DescriptorStream stream(STDOUT_FILENO, "standard output");
    print(stream);
    stream.flush();
}

void Output::write(const ResultTable& table, const std::string& title) const {
    write([&](std::ostream& out) { render(table, format_, style(title), out); });
}

void Output::write(const Document& document) const {
    const bool is_cut = is_common(format_) && format_ != Format::table && most_rows_ != all_rows;
    std::size_t left_out = 0;
    const Document shown = is_cut ? first_rows_of(document, left_out) : document;
    write([&](std::ostream& out) { write_document(shown, format_, style(), out); });
    if (needs_notes(document, format_)) {
        print_notes(document.notes);
    }
    if (left_out > 0) {
        print_notes({fmt::format("--limit left out {}",
                                 counted(static_cast<std::int64_t>(left_out), "row"))});
    }
}

Document Output::first_rows_of(Document document, std::size_t& left_out) const {
    const auto cut = [most = most_rows_, &left_out](ResultTable& table) {
        keep_first(table, most);
        left_out += table.rows_left_out;
    };
    document.rows = [rows = document.rows, cut] {
        ResultTable table = rows();
        cut(table);
        return table;
    };
    if (document.all_parts) {
        document.all_parts = [all_parts = document.all_parts, cut] {
            auto parts = all_parts();
            for (DocumentPart& part : parts) {
                if (!part.is_whole) {
                    cut(part.table);
                }
            }
            return parts;
        };
    }
    return document;
}

}  // namespace cacheledger
