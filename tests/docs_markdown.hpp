// What the tests of docs/ read in a Markdown page: headings, fenced blocks and links.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace capra {

/// A fenced block: its language, and its lines. `line` is that of the opening fence, from 1.
struct FencedBlock {
    std::string language;
    std::size_t line = 0;
    std::vector<std::string> lines;
};

struct Heading {
    std::size_t line = 0;
    std::size_t level = 0;
    std::string text;  ///< as written, back-quotes included

    /// The names in code font.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (std::size_t open = text.find('`'); open != std::string::npos;) {
            const std::size_t close = text.find('`', open + 1);
            if (close == std::string::npos) break;
            result.push_back(text.substr(open + 1, close - open - 1));
            open = text.find('`', close + 1);
        }
        return result;
    }
};

struct Link {
    std::size_t line = 0;
    std::string target;
};

struct Page {
    std::vector<Heading> headings;
    std::vector<FencedBlock> blocks;
    std::vector<Link> links;
    std::size_t lines = 0;
    bool open_fence = false;  ///< the page ends inside a block

    /// Anchors as GitHub makes them: lower case, punctuation dropped, spaces as hyphens, a number
    /// behind what has been there before.
    [[nodiscard]] std::set<std::string> anchors() const {
        std::set<std::string> result;
        for (const Heading& heading : headings) {
            std::string slug;
            for (const char c : heading.text) {
                const auto u = static_cast<unsigned char>(c);
                if (std::isalnum(u) != 0 || c == '-' || c == '_')
                    slug += static_cast<char>(std::tolower(u));
                else if (c == ' ')
                    slug += '-';
            }
            std::string anchor = slug;
            for (int again = 1; result.contains(anchor); ++again)
                anchor = slug + "-" + std::to_string(again);
            result.insert(anchor);
        }
        return result;
    }
};

class PageReader {
  public:
    Page read(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++page_.lines;
            if (line.starts_with("```"))
                fence(line);
            else if (page_.open_fence)
                page_.blocks.back().lines.push_back(line);
            else
                prose(line);
        }
        return std::move(page_);
    }

  private:
    void fence(const std::string& line) {
        if (!page_.open_fence) page_.blocks.push_back({line.substr(3), page_.lines, {}});
        page_.open_fence = !page_.open_fence;
    }

    void prose(const std::string& line) {
        const std::size_t level = line.find_first_not_of('#');
        if (level != 0 && level != std::string::npos && line[level] == ' ')
            page_.headings.push_back({page_.lines, level, line.substr(level + 1)});
        for (std::size_t at = line.find("]("); at != std::string::npos;
             at = line.find("](", at + 2)) {
            const std::size_t close = line.find(')', at);
            if (close == std::string::npos) break;
            page_.links.push_back({page_.lines, line.substr(at + 2, close - at - 2)});
        }
    }

    Page page_;
};

inline Page parse_page(const std::string& text) {
    return PageReader().read(text);
}

}  // namespace capra
