#include "reports/render/html/html_text.hpp"

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

std::string html_line(std::string_view text) {
    std::string html;
    for (const char c : visible(text)) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

std::string html_text(std::string_view text) {
    std::string html;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        html += html_line(line) + "<br>";
        text.remove_prefix(end + 1);
    }
    return html + html_line(text);
}

std::string html_prose(std::string_view text) {
    std::string html;
    for (auto begin = text.find('`'); begin != std::string_view::npos; begin = text.find('`')) {
        const auto end = text.find('`', begin + 1);
        if (end == std::string_view::npos) {
            break;
        }
        html += html_text(text.substr(0, begin)) + "<code>" +
                html_text(text.substr(begin + 1, end - begin - 1)) + "</code>";
        text.remove_prefix(end + 1);
    }
    return html + html_text(text);
}

}  // namespace cacheledger
