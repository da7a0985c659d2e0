#include "tools/ch17_run/chapter.hpp"

namespace capra::tools {

Decode::Decode(model::CompiledModel programs, std::uint32_t steps, std::uint32_t start)
    : compiled(std::move(programs)) {
    const auto engine = sim::make_engine("model", compiled.target);
    run = model::decode(compiled, *engine, steps, start);
}

std::string Decode::name() const {
    return std::string(model::decoder_name(compiled.decoder));
}

bool Decode::follows_rule() const {
    for (std::size_t i = 1; i < run.tokens.size(); ++i)
        if (run.tokens[i] != model::successor(run.tokens[i - 1])) return false;
    return true;
}

Decodes decode_all(std::uint32_t steps, std::uint32_t start) {
    Decodes decodes;
    const auto add = [&](const model::LanguageModel& language_model, model::DecoderKind kind) {
        decodes.push_back(std::make_unique<Decode>(
            model::compile_model(language_model, kind, steps), steps, start));
    };
    add(model::tiny_model(1), model::DecoderKind::single);
    add(model::structured_model(1), model::DecoderKind::routed);
    add(model::structured_model(1), model::DecoderKind::dense);
    return decodes;
}

std::vector<ReplayTask> replay_tasks(const Decodes& decodes) {
    std::vector<ReplayTask> tasks;
    for (const auto& decode : decodes)
        tasks.push_back({decode->name(), decode->compiled.target, model::jobs_of(decode->run.runs),
                         decode->run.total().total});
    return tasks;
}

}  // namespace capra::tools
