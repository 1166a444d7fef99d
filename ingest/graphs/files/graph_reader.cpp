#include "ingest/graphs/files/graph_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/file_reader.hpp"
#include "schema/errors/error.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

namespace {

// A problem quotes what the file says, which can be megabytes.
constexpr std::size_t longest_graph_problem = 400;

// The value with which the text begins.
std::string_view value_behind_prompt(std::string_view text) {
    json::ValueScan scan;
    scan.start();
    const char* const end = scan.go_on(text.data(), text.data() + text.size());
    if (!scan.has_ended()) {
        scan.end_of_text();
    }
    return text.substr(0, static_cast<std::size_t>(end - text.data()));
}

/// Reads one value after the other.
class PrintedReader {
  public:
    explicit PrintedReader(const std::string& name) : name_(name) {}

    PrintedSpecs read(std::string_view text) {
        const auto next = [&] {
            text = json::after_blanks(behind_messages(json::after_blanks(text)));
            return !text.empty();
        };
        while (next()) {
            const std::string_view value =
                at_file(name_, [&] { return value_behind_prompt(text); });
            if (value.starts_with('[') && !is_list_of_files(value)) {
                printed_.is_list = true;
                add(reader_.read(name_, *bytes_of_list(value)), false);
            } else if (value.starts_with('[')) {
                read_files(value);
            } else {
                read_file(value);
            }
            text.remove_prefix(value.size());
        }
        printed_.graph = reader_.finish();
        return std::move(printed_);
    }

  private:
    // [{"spec": ...}]
    static bool is_list_of_files(std::string_view list) {
        const std::string_view first = json::after_blanks(list.substr(1));
        return first.starts_with('{') &&
               json::after_blanks(first.substr(1)).starts_with("\"spec\"");
    }

    // The list as the file of a spec has it.
    std::unique_ptr<Bytes> bytes_of_list(std::string_view list) {
        wrapped_ = fmt::format(R"({{"spec": {{"nodes": {}}}}})", list);
        return std::make_unique<TextBytes>(wrapped_);
    }

    void read_files(std::string_view list) {
        at_file(name_, [&] {
            TextBytes bytes(list);
            json::Stream stream(bytes);
            stream.open('[', "specs");
            while (stream.next()) {
                const std::string file(stream.value());
                read_file(file);
            }
            stream.end();
        });
    }

    void read_file(std::string_view file) {
        TextBytes bytes(file);
        add(reader_.read(name_, bytes), true);
    }

    void add(const GraphFile& file, bool has_root) {
        const std::size_t size =
            has_root ? std::min<std::size_t>(file.present.size(), 1) : file.present.size();
        printed_.roots.insert(printed_.roots.end(), file.present.begin(),
                              file.present.begin() + static_cast<std::ptrdiff_t>(size));
        printed_.findings.add(file.findings);
    }

    const std::string& name_;
    GraphReader reader_;
    std::string wrapped_;
    PrintedSpecs printed_;
};

}  // namespace

GraphFile GraphReader::read(const std::string& name, Bytes& bytes) {
    try {
        PlainBytes plain(bytes);
        json::Stream stream(plain);
        return builder_.add(read_graph_file(stream, builder_, nodes_));
    } catch (const Problem& problem) {
        Problem shown(shortened(problem.in_place(), longest_graph_problem));
        shown.file = name;
        throw InputError(shown.message());
    }
}

GraphFile GraphReader::read_spec(std::string_view json, UnknownKeys& unknown,
                                 const std::optional<DagHash>& named) {
    try {
        TextBytes bytes(json);
        json::Stream stream(bytes, {.window = json.size() + 1});
        constexpr ExpectedFile expected = {"a spec file", "a spec file, with 'spec'"};
        FileContent content = read_graph_file(stream, builder_, nodes_, expected);
        if (content.kind != SourceKind::spec) {
            throw Problem(fmt::format("expected {}", expected.members));
        }
        if (content.environments.front().records.empty()) {
            throw Problem("spec.nodes: expected at least one node");
        }
        if (const DagHash& hash = content.environments.front().records.front().hash;
            named && hash != *named) {
            throw Problem(fmt::format("expected the spec /{} of its name, found /{}",
                                      text_of(*named), text_of(hash)));
        }
        const UnknownKeys of_file = std::exchange(content.unknown, {});
        GraphFile file = builder_.add(content);
        for (const auto& [key, count] : of_file) {
            unknown[key] += count;
        }
        return file;
    } catch (const Problem& problem) {
        throw Problem(shortened(problem.in_place(), longest_graph_problem));
    }
}

PrintedSpecs read_printed_specs(std::string_view text, const std::string& name) {
    return PrintedReader(name).read(text);
}

}  // namespace cacheledger
