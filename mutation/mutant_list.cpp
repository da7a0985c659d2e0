#include "mutation/mutant_list.hpp"

#include <fmt/format.h>

#include <map>

namespace capra::mutation {

std::vector<Mutant> mutants_of(const std::string& suite, const SourceFile& source,
                               const std::vector<Change>& changes) {
    std::vector<Mutant> mutants;
    std::map<std::string, unsigned> seen;
    for (const Change& change : changes) {
        const Position where = source.position(change.span.begin);
        const std::string place =
            fmt::format("{}:{}:{}:{}", source.name, where.line, where.column, change.op);
        mutants.push_back({.id = fmt::format("{}:{}", place, seen[place]++),
                           .suite = suite,
                           .file = source.name,
                           .line = where.line,
                           .column = where.column,
                           .op = change.op,
                           .begin = change.span.begin,
                           .end = change.span.end,
                           .original = std::string(source.at(change.span)),
                           .replacement = change.replacement});
    }
    return mutants;
}

}  // namespace capra::mutation
