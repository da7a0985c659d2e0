#include "mutation/rtl_directed_program.hpp"

#include "isa/codec.hpp"

#include <algorithm>
#include <utility>

namespace capra::mutation {

RtlCheck directed_program(std::string name, const isa::Target& target, const Code& code,
                          std::vector<std::int8_t> data) {
    isa::Program program{.name = name, .target = target.name};
    for (const isa::Instruction& insn : code) program.code.push_back(isa::encode(insn));
    program.memory_words = std::min(target.ext_words, static_cast<std::uint32_t>(2 * data.size()));
    program.data.push_back({.address = 0, .values = std::move(data)});
    std::vector<std::int32_t> memory = isa::initial_memory(program);
    return {std::move(name), std::move(program), std::move(memory), {}};
}

std::vector<std::int8_t> some_data(std::uint32_t count) {
    std::vector<std::int8_t> data;
    for (std::uint32_t i = 0; i < count; ++i)
        data.push_back(static_cast<std::int8_t>(i * 7 % 64) - 32);
    return data;
}

}  // namespace capra::mutation
