#include "reports/render/charts/graph_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/render/drawing/chart_rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_nodes = 12;  // of a layer
constexpr double line_height = 15;
constexpr double node_gap = 9;
constexpr double layer_gap = 60;

struct Node {
    std::string name;
    double size = 0;
    std::set<std::string> remarks{};  ///< what the further columns of Chart::across say
    std::set<std::string> needs{};    ///< names of nodes of the layer before
    double y = 0;
    double end = 0;         ///< of its name
    bool has_line = false;  ///< from there to the lines to what needs it
};

using Layers = std::map<double, std::vector<Node>>;

Layers layers_of(const ResultTable& table, const Chart& chart) {
    Layers layers;
    const std::size_t layer = chart_place(table, chart.each);
    const std::size_t size = chart_place(table, chart.numbers.at(0).column);
    const std::size_t need = chart_place(table, chart.parts.at(0));
    const std::vector<ChartLabel> name(chart.across.begin(), chart.across.begin() + 1);
    const std::vector<ChartLabel> remark(chart.across.begin() + 1, chart.across.end());
    for (const auto& row : table.rows) {
        const std::string label = chart_label(table, row, name);
        std::vector<Node>& nodes = layers[chart_number(row[layer])];
        auto found = std::ranges::find(nodes, label, &Node::name);
        if (found == nodes.end()) {
            nodes.push_back({label, chart_number(row[size])});
            found = nodes.end() - 1;
        }
        Node& node = *found;
        if (!is_null(row[need])) {
            node.needs.insert(to_text(row[need]));
        }
        if (!remark.empty()) {
            if (std::string said = chart_label(table, row, remark); said != "–") {
                node.remarks.insert(std::move(said));
            }
        }
    }
    return layers;
}

}  // namespace

BarChart graph_chart(const ResultTable& table, const Chart& chart, const Units& units) {
    const std::string unit = unit_of(units, chart.numbers.at(0).column);
    BarChart made;
    PictureBlock block;
    std::map<std::string, Node> before;
    std::string edges;
    std::string texts;
    double x = 16;
    for (const auto& [number, nodes] : layers_of(table, chart)) {
        std::vector<Node> drawn = nodes;
        const std::size_t left_out = drawn.size() - std::min(drawn.size(), most_nodes);
        drawn.resize(drawn.size() - left_out);
        double y = 0;
        double widest = 0;
        std::map<std::string, Node> here;
        for (Node& node : drawn) {
            node.y = y + line_height - 5;
            std::vector<std::string> lines = {
                fmt::format("{} {}", node.name, chart_text(node.size, ""))};
            lines.insert(lines.end(), node.remarks.begin(), node.remarks.end());
            for (const std::string& line : lines) {
                y += line_height;
                texts += svg_text(x + 8, y - 1, "start", line);
                widest = std::max(widest, svg_width(line) + 14);
            }
            node.end = x + svg_width(lines.front()) + 14;
            texts += svg_dot(x, node.y, 4, chart_colours.at(number == 0 ? 2 : 0));
            for (const std::string& need : node.needs) {
                if (const auto other = before.find(need); other != before.end()) {
                    if (!std::exchange(other->second.has_line, true)) {
                        edges += svg_line(other->second.end, other->second.y, x - layer_gap + 4,
                                          other->second.y, 0.25);
                    }
                    edges += svg_line(x - layer_gap + 4, other->second.y, x - 5, node.y, 0.25);
                }
            }
            made.words += fmt::format("{}: {}. ", node.name, chart_text(node.size, ""));
            y += node_gap;
            here.emplace(node.name, node);
        }
        if (left_out > 0) {
            const std::string more = fmt::format("{} more packages", left_out);
            y += line_height;
            texts += svg_text(x + 8, y - 1, "start", more);
            widest = std::max(widest, svg_width(more) + 14);
        }
        block.height = std::max(block.height, y + 8);
        x += widest + layer_gap;
        before = std::move(here);
    }
    if (before.empty()) {
        made.blocks.push_back(text_block("no rows", 13));
        made.words = "no rows";
        return made;
    }
    if (!unit.empty()) {
        made.blocks.push_back(text_block(fmt::format("with how many {}", unit), 12));
    }
    block.width = std::max(picture_width, x - layer_gap + 16);
    block.svg = fmt::format("<g fill=\"currentColor\" font-size=\"12\">\n{}{}</g>\n", edges, texts);
    made.blocks.push_back(std::move(block));
    return made;
}

}  // namespace cacheledger
