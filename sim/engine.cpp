#include "sim/engine.hpp"

#include "isa/error.hpp"
#include "sim/icarus_engine.hpp"
#include "sim/model_engine.hpp"
#include "sim/verilator_engine.hpp"

#include <fmt/format.h>

namespace capra::sim {

Result Engine::run_one(const isa::Program& program, std::span<const std::int32_t> memory) {
    const Job job{&program, memory};
    return std::move(run({&job, 1}).front());
}

void unknown_engine(const std::string& name) {
    throw Error(fmt::format("unknown engine '{}': the engines are {}", name,
                            fmt::join(kEngineNames, ", ")));
}

std::unique_ptr<Engine> make_engine(const std::string& name, const isa::Target& target) {
    if (name == "model") return std::make_unique<ModelEngine>(target);
    if (name == "verilator") return std::make_unique<VerilatorEngine>(target);
    if (name == "icarus") return std::make_unique<IcarusEngine>(target);
    unknown_engine(name);
}

}  // namespace capra::sim
