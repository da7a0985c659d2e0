#include "isa/notes_file.hpp"

#include "isa/names.hpp"
#include "isa/numerics.hpp"
#include "isa/printable.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace capra::isa {
namespace {

using nlohmann::json;

/// In the order of `Holds`.
constexpr std::array<std::string_view, 4> kHoldsNames = {"value", "column_table",
                                                         "activation_table", "winners"};

std::string_view holds_name(Holds holds) {
    return kHoldsNames[static_cast<std::size_t>(holds)];
}

/// Cells of the largest scratchpad that an address can reach.
constexpr std::uint32_t kMaxSpadBytes = field_max(Opcode::ld, &Instruction::d) + 1;

std::uint32_t number(const JsonReader& reader, std::int64_t min, std::int64_t max) {
    return static_cast<std::uint32_t>(reader.integer(min, max));
}

/// One of the first `count` nodes.
NoteIndex node_index(const JsonReader& reader, std::size_t count) {
    if (count == 0) reader.fail("there is no earlier node");
    return number(reader, 0, static_cast<std::int64_t>(count) - 1);
}

std::string name(const JsonReader& reader) {
    if (!is_name(reader.string()))
        reader.fail(fmt::format("\"{}\": {}", printable(reader.string()), kNameRule));
    return reader.string();
}

double scale(const JsonReader& reader) {
    if (reader.number() < 0) reader.expected("a scale of at least 0");
    return reader.number();
}

/// None, or one for each of the columns of a node without another scale.
std::vector<double> column_scales(const JsonReader& reader, const NodeNote& node) {
    std::vector<double> scales;
    for (std::size_t i = 0; i < reader.size(); ++i) scales.push_back(scale(reader.at(i)));
    if (scales.empty()) return scales;
    if (scales.size() != node.cols)
        reader.expected(fmt::format("a scale for each of the {} columns", node.cols));
    if (node.scale != 0) reader.fail("there is one scale for all columns already");
    return scales;
}

/// A node; `index` nodes stand before it.
NodeNote node(const JsonReader& reader, std::size_t index) {
    reader.only_keys({"name", "op", "inputs", "rows", "cols", "scale", "column_scales", "factor",
                      "transpose_b", "position", "in_place"});
    NodeNote node{.name = name(reader.at("name")),
                  .op = name(reader.at("op")),
                  .inputs = {},
                  .rows = number(reader.at("rows"), 1, kMaxExtWords),
                  .cols = number(reader.at("cols"), 1, kMaxExtWords),
                  .scale = scale(reader.at("scale")),
                  .column_scales = {},
                  .factor = reader.at("factor").number(),
                  .transpose_b = reader.at("transpose_b").boolean(),
                  .position = number(reader.at("position"), 0, kMaxExtWords - 1),
                  .in_place = reader.at("in_place").boolean()};
    node.column_scales = column_scales(reader.at("column_scales"), node);
    const JsonReader inputs = reader.at("inputs");
    for (std::size_t i = 0; i < inputs.size(); ++i)
        node.inputs.push_back(node_index(inputs.at(i), index));
    if (node.in_place && node.inputs.empty())
        reader.at("in_place").fail("there is no operand that could hold the result");
    return node;
}

std::vector<NodeNote> read_nodes(const JsonReader& reader) {
    std::vector<NodeNote> nodes;
    std::set<std::string> names;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        nodes.push_back(node(reader.at(i), i));
        if (!names.insert(nodes.back().name).second)
            reader.at(i).at("name").fail(
                fmt::format("two nodes are called \"{}\"", nodes.back().name));
    }
    return nodes;
}

std::vector<NoteIndex> read_instructions(const JsonReader& reader, std::size_t code_size,
                                         std::size_t nodes) {
    if (reader.size() != code_size)
        reader.expected(fmt::format("a node for each of the {} instructions", code_size));
    std::vector<NoteIndex> instructions;
    for (std::size_t i = 0; i < reader.size(); ++i)
        // -1 is the index of no node.
        instructions.push_back(number(reader.at(i), -1, static_cast<std::int64_t>(nodes) - 1));
    return instructions;
}

Holds holds(const JsonReader& reader) {
    const auto found = std::find(kHoldsNames.begin(), kHoldsNames.end(), reader.string());
    if (found == kHoldsNames.end())
        reader.expected(fmt::format("one of {}", fmt::join(kHoldsNames, ", ")));
    return static_cast<Holds>(found - kHoldsNames.begin());
}

/// Of a buffer that holds no value, whose size its node does not tell.
void check_size(const JsonReader& reader, const BufferNote& buffer, const NodeNote& node) {
    if (buffer.holds == Holds::value) return;
    const bool entries = buffer.holds == Holds::activation_table;
    const std::uint64_t bytes = entries ? kLutEntries : std::uint64_t{2} * node.cols;
    if (buffer.bytes != bytes)
        reader.fail(fmt::format("the {} of \"{}\" has {} bytes{}", holds_name(buffer.holds),
                                node.name, bytes, entries ? "" : ", two a column"));
}

BufferNote buffer(const JsonReader& reader, std::size_t code_size,
                  const std::vector<NodeNote>& nodes) {
    reader.only_keys({"value", "scale_of", "holds", "address", "bytes", "first", "last"});
    BufferNote buffer{.value = node_index(reader.at("value"), nodes.size()),
                      .scale_of = node_index(reader.at("scale_of"), nodes.size()),
                      .holds = holds(reader.at("holds")),
                      .address = number(reader.at("address"), 0, kMaxSpadBytes - 1)};
    buffer.bytes = number(reader.at("bytes"), 1, kMaxSpadBytes - buffer.address);
    buffer.last = number(reader.at("last"), 0, static_cast<std::int64_t>(code_size) - 1);
    buffer.first = number(reader.at("first"), 0, buffer.last);
    check_size(reader.at("bytes"), buffer, nodes[buffer.value]);
    return buffer;
}

bool share_a_cell(const BufferNote& a, const BufferNote& b) {
    return a.first <= b.last && b.first <= a.last && a.address < b.address + b.bytes &&
           b.address < a.address + a.bytes;
}

std::vector<BufferNote> read_buffers(const JsonReader& reader, std::size_t code_size,
                                     const std::vector<NodeNote>& nodes) {
    std::vector<BufferNote> buffers;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        buffers.push_back(buffer(reader.at(i), code_size, nodes));
        for (std::size_t other = 0; other < i; ++other)
            if (share_a_cell(buffers[i], buffers[other]))
                reader.at(i).fail(
                    fmt::format("shares a cell with buffer {} while both are alive", other));
    }
    return buffers;
}

}  // namespace

json notes_to_json(const Notes& notes) {
    json document = {
        {"nodes", json::array()}, {"instructions", json::array()}, {"buffers", json::array()}};
    for (const NodeNote& n : notes.nodes)
        document["nodes"].push_back({{"name", n.name},
                                     {"op", n.op},
                                     {"inputs", n.inputs},
                                     {"rows", n.rows},
                                     {"cols", n.cols},
                                     {"scale", n.scale},
                                     {"column_scales", n.column_scales},
                                     {"factor", n.factor},
                                     {"transpose_b", n.transpose_b},
                                     {"position", n.position},
                                     {"in_place", n.in_place}});
    for (const NoteIndex node : notes.instructions)
        document["instructions"].push_back(node == kNoNode ? json(-1) : json(node));
    for (const BufferNote& b : notes.buffers)
        document["buffers"].push_back({{"value", b.value},
                                       {"scale_of", b.scale_of},
                                       {"holds", holds_name(b.holds)},
                                       {"address", b.address},
                                       {"bytes", b.bytes},
                                       {"first", b.first},
                                       {"last", b.last}});
    return document;
}

Notes notes_from_json(const JsonReader& reader, std::size_t code_size) {
    reader.only_keys({"nodes", "instructions", "buffers"});
    Notes notes;
    notes.nodes = read_nodes(reader.at("nodes"));
    notes.instructions =
        read_instructions(reader.at("instructions"), code_size, notes.nodes.size());
    notes.buffers = read_buffers(reader.at("buffers"), code_size, notes.nodes);
    return notes;
}

}  // namespace capra::isa
