#include "mutation/mutant_json.hpp"

#include "mutation/baseline.hpp"

#include <filesystem>
#include <limits>
#include <set>

namespace capra::mutation {

nlohmann::ordered_json mutant_json(const Mutant& mutant) {
    return {{"id", mutant.id},
            {"suite", mutant.suite},
            {"file", mutant.file},
            {"line", mutant.line},
            {"column", mutant.column},
            {"op", mutant.op},
            {"begin", mutant.begin},
            {"end", mutant.end},
            {"original", mutant.original},
            {"replacement", mutant.replacement}};
}

Mutant mutant_from(const JsonReader& reader) {
    const auto text = [&](const char* key) { return reader.at(key).string(); };
    const auto number = [&](const char* key) {
        constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
        return static_cast<std::uint32_t>(reader.at(key).integer(0, kMost));
    };
    return {.id = text("id"),
            .suite = text("suite"),
            .file = text("file"),
            .line = number("line"),
            .column = number("column"),
            .op = text("op"),
            .begin = number("begin"),
            .end = number("end"),
            .original = text("original"),
            .replacement = text("replacement")};
}

std::string mutants_to_json(const std::vector<Mutant>& mutants) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const Mutant& mutant : mutants) {
        nlohmann::ordered_json entry = {{"number", array.size() + 1}};
        entry.update(mutant_json(mutant));
        array.push_back(std::move(entry));
    }
    return array.dump(1) + "\n";
}

std::vector<Mutant> parse_mutants(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader list(document);
    std::vector<Mutant> mutants;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i) + 1;
        static_cast<void>(list.at(i).at("number").integer(number, number));
        mutants.push_back(mutant_from(list.at(i)));
    }
    return mutants;
}

void require_built_from(const std::string& list, const std::string& source_dir,
                        const std::vector<Mutant>& mutants) {
    namespace fs = std::filesystem;
    std::set<std::string> files;
    for (const Mutant& mutant : mutants) files.insert(mutant.file);
    for (const std::string& file : files) {
        const fs::path source = source_dir + "/" + file;
        if (!fs::exists(source) || fs::last_write_time(source) > fs::last_write_time(list))
            throw BaselineFails(file + " is newer than its mutants: build mutrun again");
    }
}

}  // namespace capra::mutation
