#include "mutation/report_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <tuple>
#include <utility>

namespace capra::mutation {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kCut = "...";

bool is_blank(char c) {
    return kBlanks.find(c) != std::string_view::npos;
}

/// Blanks at the left end removed.
std::string_view trimmed_left(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string_view trimmed_right(std::string_view text) {
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Every run of blanks that holds a line end becomes one blank.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_blank(text[end])) ++end;
        const std::string_view run = text.substr(at, end - at);
        if (run.find('\n') != std::string_view::npos)
            line += ' ';
        else
            line += run;
        at = end;
        while (at < text.size() && !is_blank(text[at])) line += text[at++];
    }
    return line;
}

/// Every run of blanks becomes one blank.
std::string single_spaced(const std::string& text) {
    std::string line;
    for (const char c : text)
        if (!is_blank(c))
            line += c;
        else if (line.empty() || line.back() != ' ')
            line += ' ';
    return line;
}

/// The last `room` characters.
std::string cut_left(const std::string& text, std::size_t room) {
    if (text.size() <= room) return text;
    assert(room >= kCut.size());
    return std::string(kCut) + text.substr(text.size() - (room - kCut.size()));
}

/// The first `room` characters.
std::string cut_right(const std::string& text, std::size_t room) {
    if (text.size() <= room) return text;
    assert(room >= kCut.size());
    return text.substr(0, room - kCut.size()) + std::string(kCut);
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// What the original and the replacement begin and end with in common moves to head and tail; words
/// are not torn apart.
SourceChange narrowed(const SourceChange& change) {
    const std::string& a = change.original;
    const std::string& b = change.replacement;
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t front = 0;
    while (front < shorter && a[front] == b[front]) ++front;
    while (front > 0 && is_word(a[front - 1])) --front;
    std::size_t back = 0;
    while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
    while (back > 0 && is_word(a[a.size() - back])) --back;
    return {.head = change.head + a.substr(0, front),
            .original = a.substr(front, a.size() - front - back),
            .replacement = b.substr(front, b.size() - front - back),
            .tail = a.substr(a.size() - back) + change.tail};
}

auto place_key(const Trial& trial) {
    const Mutant& m = trial.mutant;
    return std::tie(m.file, m.line, m.column, m.id);
}

/// Position among the unresolved, by verdict; nothing for what is resolved.
int attention(const Trial& trial) {
    switch (trial.verdict) {
        case Verdict::survived:
            return 1;
        case Verdict::not_reached:
            return 2;
        case Verdict::timeout:
            return is_undecided(trial) ? 3 : 0;
        case Verdict::not_applied:
            return 4;
        case Verdict::not_built:
            // A generated change that the compiler refuses is nobody's mistake.
            return trial.mutant.op == kCuratedOperator ? 5 : 0;
        case Verdict::killed:
        case Verdict::equivalent:
            return 0;
    }
    return 0;
}

}  // namespace

bool is_undecided(const Trial& trial) {
    return trial.verdict == Verdict::timeout && trial.killers.empty();
}

std::vector<const Trial*> unresolved(std::span<const Trial> trials) {
    std::vector<const Trial*> chosen;
    for (const Trial& trial : trials)
        if (attention(trial) != 0) chosen.push_back(&trial);
    std::ranges::sort(chosen, {}, [](const Trial* trial) {
        return std::tuple_cat(std::make_tuple(attention(*trial)), place_key(*trial));
    });
    return chosen;
}

std::vector<const Trial*> equivalents_of(std::span<const Trial> trials) {
    std::vector<const Trial*> chosen;
    for (const Trial& trial : trials)
        if (trial.verdict == Verdict::equivalent) chosen.push_back(&trial);
    std::ranges::sort(chosen, {}, [](const Trial* trial) { return place_key(*trial); });
    return chosen;
}

std::string place_of(const Mutant& mutant) {
    if (mutant.line == 0) return mutant.file;
    return fmt::format("{}:{}:{}", mutant.file, mutant.line, mutant.column);
}

SourceChange source_change(const Mutant& mutant, const Sources& sources) {
    SourceChange change{.original = on_one_line(mutant.original),
                        .replacement = on_one_line(mutant.replacement)};
    const auto found = sources.find(mutant.file);
    if (mutant.line == 0 || found == sources.end()) return change;
    const std::string_view text = found->second;
    const std::size_t length = mutant.original.size();
    if (mutant.begin > text.size() || text.substr(mutant.begin, length) != mutant.original)
        return change;
    // npos + 1 is 0, the beginning of the first line.
    const std::size_t begin = text.substr(0, mutant.begin).rfind('\n') + 1;
    const std::size_t end = std::min(text.find('\n', mutant.begin + length), text.size());
    change.head = trimmed_left(text.substr(begin, mutant.begin - begin));
    change.tail = trimmed_right(text.substr(mutant.begin + length, end - (mutant.begin + length)));
    return change;
}

SourceChange shortened(const SourceChange& change, std::size_t width) {
    assert(width >= 16);
    if (std::max(change.before().size(), change.after().size()) <= width) return change;
    SourceChange cut = narrowed({.head = single_spaced(change.head),
                                 .original = single_spaced(change.original),
                                 .replacement = single_spaced(change.replacement),
                                 .tail = single_spaced(change.tail)});
    // A little of what stands around tells where one is, even if the change itself is long.
    const std::size_t least_head = std::min(width / 4, cut.head.size());
    const std::size_t least_tail = std::min(kCut.size(), cut.tail.size());
    const std::size_t longest = width - least_head - least_tail;
    cut.original = cut_right(cut.original, longest);
    cut.replacement = cut_right(cut.replacement, longest);
    const std::size_t room = width - std::max(cut.original.size(), cut.replacement.size());
    const std::size_t for_tail = std::clamp(room / 2, least_tail, room - least_head);
    cut.head = cut_left(cut.head, room - std::min(for_tail, cut.tail.size()));
    cut.tail = cut_right(cut.tail, room - cut.head.size());
    return cut;
}

}  // namespace capra::mutation
