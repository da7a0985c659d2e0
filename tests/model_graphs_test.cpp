// The graphs that are compiled and the float decoder were written separately: evaluated in double
// precision they must say the same.
#include "compiler/float_interpreter.hpp"
#include "model/float_decoder.hpp"
#include "model/graphs.hpp"

#include "isa/error.hpp"

#include <map>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

constexpr double kTolerance = 1e-12;

std::map<std::string, Vector> outputs(const compiler::Graph& graph,
                                      const compiler::Inputs& inputs) {
    const auto values = compiler::evaluate(graph, inputs);
    std::map<std::string, Vector> result;
    for (std::size_t id = 0; id < values.size(); ++id)
        if (graph.nodes[id].op == compiler::Op::output)
            result[graph.nodes[id].name] = values[id].values;
    return result;
}

void expect_near(const Vector& a, const Vector& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], kTolerance) << what << i;
}

/// Inputs of the program that follows what `decoder` has read so far.
compiler::Inputs context_inputs(const LanguageModel& model, const FloatDecoder& decoder,
                                std::uint32_t token) {
    compiler::Inputs inputs{{"x", embedding(model, token)}};
    if (decoder.keys().rows > 0) {
        inputs["k_cache"] = decoder.keys();
        inputs["v_cache"] = decoder.values();
    }
    return inputs;
}

TEST(Graphs, attention_and_experts_equal_the_float_decoder) {
    for (const auto& model : {structured_model(1), random_model(4), random_model(9, 8)}) {
        FloatDecoder decoder(model);
        std::uint32_t token = 7;
        for (std::uint32_t context = 1; context <= 6; ++context) {
            const auto inputs = context_inputs(model, decoder, token);
            const auto step = decoder.step(token);
            const auto a = outputs(attention_router_graph(model, context), inputs);
            expect_near(a.at("h"), step.h, "h");
            expect_near(a.at("router"), step.router, "router");
            expect_near(a.at("k"), step.k, "k");
            expect_near(a.at("v"), step.v, "v");
            EXPECT_EQ(a.at("route").at(0), step.route);
            for (std::uint32_t e = 0; e < model.experts; ++e) {
                FloatDecoder forced(model);
                const auto first = forced.step(token, {e});
                const auto b = outputs(expert_graph(model, e, 1), {{"h", {1, kWidth, first.h}}});
                expect_near(b.at("logits"), first.logits, "logits");
                EXPECT_EQ(b.at("token").at(0), first.token);
            }
            token = step.token;
        }
    }
}

TEST(Graphs, the_single_block_equals_the_float_decoder) {
    const auto model = tiny_model(1);
    FloatDecoder decoder(model);
    std::uint32_t token = 2;
    for (std::uint32_t context = 1; context <= 4; ++context) {
        const auto inputs = context_inputs(model, decoder, token);
        const auto step = decoder.step(token);
        const auto s = outputs(single_graph(model, context), inputs);
        expect_near(s.at("logits"), step.logits, "logits");
        expect_near(s.at("h"), step.h, "h");
        expect_near(s.at("k"), step.k, "k");
        expect_near(s.at("v"), step.v, "v");
        EXPECT_EQ(s.at("token").at(0), step.token);
        token = step.token;
    }
}

/// On a random model every expert contributes, so leaving one out changes the logits.
TEST(Graphs, the_dense_decoder_adds_the_output_of_every_expert) {
    const auto model = random_model(5);
    FloatDecoder decoder(model);
    const auto step = decoder.step(3);
    const auto graph = dense_graph(model, 1);
    const auto values = compiler::evaluate(graph, {{"x", embedding(model, 3)}});
    Vector sum(kVocabulary);  // logits are linear in the experts' outputs
    Vector of_h(kVocabulary);
    for (std::uint32_t j = 0; j < kVocabulary; ++j)
        for (std::uint32_t d = 0; d < kWidth; ++d) of_h[j] += step.h[d] * model.wout.at(d, j);
    for (std::uint32_t e = 0; e < model.experts; ++e) {
        const auto logits = FloatDecoder(model).step(3, {e}).logits;
        for (std::uint32_t j = 0; j < kVocabulary; ++j) sum[j] += logits[j] - of_h[j];
    }
    for (std::uint32_t j = 0; j < kVocabulary; ++j) sum[j] += of_h[j];
    bool found = false;
    for (std::size_t id = 0; id < graph.nodes.size(); ++id)
        if (graph.nodes[id].name == "scored") {
            expect_near(values[id].values, sum, "logits");
            found = true;
        }
    EXPECT_TRUE(found);
    EXPECT_EQ(outputs(graph, {{"x", embedding(model, 3)}}).at("token").at(0), argmax(sum));
}

TEST(Graphs, several_rows_are_the_rows_one_by_one) {
    const auto model = random_model(2);
    Matrix h{3, kWidth, {}};
    for (std::uint32_t t = 0; t < 3; ++t) {
        const auto row = FloatDecoder(model).step(t).h;
        h.values.insert(h.values.end(), row.begin(), row.end());
    }
    const auto together = outputs(expert_graph(model, 1, 3), {{"h", h}});
    for (std::uint32_t t = 0; t < 3; ++t)
        EXPECT_EQ(together.at("token").at(t), FloatDecoder(model).step(t, {1}).token);
}

TEST(Graphs, a_decoder_the_model_does_not_fit_is_refused) {
    EXPECT_THROW(attention_router_graph(tiny_model(1), 1), Error);
    EXPECT_THROW(single_graph(structured_model(1), 1), Error);
}

TEST(Graphs, a_context_of_0_is_refused) {
    EXPECT_THROW(attention_router_graph(structured_model(1), 0), Error);
    EXPECT_THROW(dense_graph(structured_model(1), 0), Error);
    EXPECT_THROW(single_graph(tiny_model(1), 0), Error);
}

TEST(Graphs, a_graph_is_named_after_its_kind_and_size) {
    const auto model = structured_model(1);
    EXPECT_EQ(attention_router_graph(model, 3).name, "A3");
    EXPECT_EQ(expert_graph(model, 2, 1).name, "B2");
    EXPECT_EQ(expert_graph(model, 2, 2).name, "B2x2");
    EXPECT_EQ(dense_graph(model, 3).name, "D3");
    EXPECT_EQ(single_graph(tiny_model(1), 3).name, "S3");
}

}  // namespace
}  // namespace capra::model
