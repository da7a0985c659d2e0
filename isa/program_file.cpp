#include "isa/program_file.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/json_reader.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace capra::isa {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "capra-program";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kNoun = "symbol";
constexpr std::string_view kKindNames[] = {"input", "weight", "output"};

std::uint32_t address(const JsonReader& reader) {
    return static_cast<std::uint32_t>(reader.integer(0, kMaxExtWords));
}

SymbolKind kind_of(const JsonReader& reader) {
    const std::string name = reader.string();
    for (unsigned kind = 0; kind < std::size(kKindNames); ++kind)
        if (name == kKindNames[kind]) return static_cast<SymbolKind>(kind);
    reader.expected("input, weight or output");
}

Word code_word(const JsonReader& reader) {
    const auto word = word_from_hex(reader.string());
    if (!word) reader.expected("32 hex digits");
    return *word;
}

void require_inside(const JsonReader& reader, std::uint64_t end, std::uint32_t memory_words) {
    if (end > memory_words)
        reader.fail(
            fmt::format("ends at word {}, outside the program's memory of {}", end, memory_words));
}

DataBlock data_block(const JsonReader& reader, std::uint32_t memory_words) {
    reader.only_keys({"address", "values"});
    DataBlock block{.address = address(reader.at("address")), .values = {}};
    const JsonReader values = reader.at("values");
    for (std::size_t i = 0; i < values.size(); ++i)
        block.values.push_back(static_cast<std::int8_t>(values.at(i).integer(-128, 127)));
    require_inside(reader, std::uint64_t{block.address} + block.values.size(), memory_words);
    return block;
}

Symbol symbol(const JsonReader& element, std::uint32_t memory_words) {
    const JsonReader reader = element.labelled({kNoun, element.at("name").string()});
    reader.only_keys({"kind", "name", "address", "rows", "cols", "scale"});
    const JsonReader scale = reader.at("scale");
    if (scale.number() < 0) scale.expected("a scale of at least 0");
    const Symbol result{.kind = kind_of(reader.at("kind")),
                        .name = reader.at("name").string(),
                        .address = address(reader.at("address")),
                        .rows = address(reader.at("rows")),
                        .cols = address(reader.at("cols")),
                        .scale = scale.number()};
    require_inside(reader, result.address + std::uint64_t{result.rows} * result.cols, memory_words);
    return result;
}

void require_disjoint(const JsonReader& reader, const std::vector<DataBlock>& data) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const DataBlock& block : data)
        ranges.emplace_back(block.address, block.address + block.values.size());
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].first < ranges[i - 1].second)
            reader.fail(fmt::format("two data blocks hold word {}", ranges[i].first));
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
        document["symbols"].push_back({{"kind", kKindNames[static_cast<unsigned>(s.kind)]},
                                       {"name", s.name},
                                       {"address", s.address},
                                       {"rows", s.rows},
                                       {"cols", s.cols},
                                       {"scale", s.scale}});
    return document.dump(1) + "\n";
}

Program program_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file, kNoun);
    const JsonReader root(document);
    root.only_keys(
        {"format", "version", "name", "target", "code", "memory_words", "data", "symbols"});
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
    for (std::size_t i = 0; i < data.size(); ++i)
        program.data.push_back(data_block(data.at(i), program.memory_words));
    require_disjoint(data, program.data);
    const JsonReader symbols = root.at("symbols");
    for (std::size_t i = 0; i < symbols.size(); ++i)
        program.symbols.push_back(symbol(symbols.at(i), program.memory_words));
    return program;
}

}  // namespace capra::isa
