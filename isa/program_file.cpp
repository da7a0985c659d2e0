#include "isa/program_file.hpp"

#include "isa/codec.hpp"
#include "isa/json_reader.hpp"
#include "isa/layout.hpp"
#include "isa/names.hpp"
#include "isa/notes_file.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <limits>

namespace capra::isa {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "capra-program";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kNoun = "symbol";

std::uint32_t address(const JsonReader& reader) {
    return static_cast<std::uint32_t>(reader.integer(0, kMaxExtWords));
}

SymbolKind kind_of(const JsonReader& reader) {
    const auto kind = symbol_kind_by_name(reader.string());
    if (!kind) reader.expected("input, weight or output");
    return *kind;
}

Word code_word(const JsonReader& reader) {
    const auto word = word_from_hex(reader.string());
    if (!word) reader.expected("32 hex digits");
    return *word;
}

DataBlock data_block(const JsonReader& reader) {
    reader.only_keys({"address", "values"});
    DataBlock block{.address = address(reader.at("address")), .values = {}};
    const JsonReader values = reader.at("values");
    for (std::size_t i = 0; i < values.size(); ++i)
        block.values.push_back(static_cast<std::int8_t>(values.at(i).integer(-128, 127)));
    return block;
}

/// The symbol in question, labelled with its name.
JsonReader symbol_reader(const JsonReader& element) {
    return element.labelled({kNoun, element.at("name").string()});
}

Symbol symbol(const JsonReader& reader) {
    reader.only_keys({"kind", "name", "address", "rows", "cols", "scale"});
    return {.kind = kind_of(reader.at("kind")),
            .name = reader.at("name").string(),
            .address = address(reader.at("address")),
            .rows = address(reader.at("rows")),
            .cols = address(reader.at("cols")),
            .scale = reader.at("scale").number()};
}

/// Where in the file the part with the problem is.
JsonReader reader_of(const JsonReader& root, const LayoutProblem& problem) {
    switch (problem.part) {
        case Part::name:
            return root.at("name");
        case Part::target:
            return root.at("target");
        case Part::memory:
            return root.at("memory_words");
        case Part::data:
            return root.at("data").at(problem.index);
        case Part::symbol:
            break;
    }
    const JsonReader element = root.at("symbols").at(problem.index);
    if (problem.key == "name") return element.at("name");
    const JsonReader reader = symbol_reader(element);
    return problem.key.empty() ? reader : reader.at(std::string(problem.key));
}

}  // namespace

std::string program_to_json(const Program& program) {
    json document = {{"format", kFormat},     {"version", kVersion},
                     {"name", program.name},  {"target", program.target},
                     {"code", json::array()}, {"memory_words", program.memory_words},
                     {"data", json::array()}, {"symbols", json::array()}};
    for (const Word& word : program.code) document["code"].push_back(to_hex(word));
    for (const DataBlock& block : program.data)
        document["data"].push_back({{"address", block.address}, {"values", block.values}});
    for (const Symbol& s : program.symbols)
        document["symbols"].push_back({{"kind", symbol_kind_name(s.kind)},
                                       {"name", s.name},
                                       {"address", s.address},
                                       {"rows", s.rows},
                                       {"cols", s.cols},
                                       {"scale", s.scale}});
    if (program.notes) document["notes"] = notes_to_json(*program.notes);
    return document.dump(1) + "\n";
}

Program program_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file, kNoun);
    const JsonReader root(document);
    root.only_keys({"format", "version", "name", "target", "code", "memory_words", "data",
                    "symbols", "notes"});
    if (root.at("format").string() != kFormat)
        root.at("format").expected(fmt::format("\"{}\"", kFormat));
    if (root.at("version").integer(0, std::numeric_limits<std::int32_t>::max()) != kVersion)
        root.at("version").expected(fmt::format("version {}", kVersion));
    Program program{.name = root.at("name").string(),
                    .target = root.at("target").string(),
                    .memory_words = address(root.at("memory_words"))};
    const JsonReader code = root.at("code");
    for (std::size_t i = 0; i < code.size(); ++i) program.code.push_back(code_word(code.at(i)));
    const JsonReader data = root.at("data");
    for (std::size_t i = 0; i < data.size(); ++i) program.data.push_back(data_block(data.at(i)));
    const JsonReader symbols = root.at("symbols");
    for (std::size_t i = 0; i < symbols.size(); ++i)
        program.symbols.push_back(symbol(symbol_reader(symbols.at(i))));
    if (const auto problem = layout_problem(program)) reader_of(root, *problem).fail(problem->what);
    if (const auto notes = root.find("notes"))
        program.notes = notes_from_json(*notes, program.code.size());
    return program;
}

}  // namespace capra::isa
