// What the task sheet of exercise 5 says of its mutants.
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/json_reader.hpp"
#include "mutation/curated.hpp"
#include "mutation/miter.hpp"
#include "mutation/patch_check.hpp"

#include <gtest/gtest.h>

namespace capra::mutation {
namespace {

const std::string kFolder = CAPRA_SOURCE "/exercises/5-equivalent-or-gap/";

class ExerciseMutants : public testing::Test {
  protected:
    static std::vector<Mutant> mutants() {
        const JsonDocument document = parse_strict_json(read_file(kFolder + "mutants.json"), "");
        const JsonReader list = JsonReader(document).at("mutants");
        std::vector<Mutant> result;
        for (std::size_t i = 0; i < list.size(); ++i) {
            CuratedMutant curated;
            curated.file = list.at(i).at("file").string();
            curated.anchor = list.at(i).at("line").string();
            curated.replacement = curated.anchor;
            const std::string& was = list.at(i).at("was").string();
            curated.replacement.replace(curated.anchor.find(was), was.size(),
                                        list.at(i).at("is").string());
            result.push_back(locate(curated, read_file(CAPRA_SOURCE "/" + curated.file)).mutant);
        }
        return result;
    }
};

TEST_F(ExerciseMutants, all_survive_the_test_that_is_handed_out) {
    const auto program = isa::assemble(read_file(kFolder + "test.s"), "test.s");
    const RtlCheck check{"test", program, isa::initial_memory(program), {}};
    const auto all = mutants();
    EXPECT_EQ(all.size(), 6U);
    for (const Mutant& mutant : all)
        EXPECT_EQ(run_patched(CAPRA_SOURCE, mutant, isa::reference_target(), {&check, 1}),
                  DesignResult::equal)
            << mutant.file << ": " << mutant.replacement;
}

/// The fifth, a clock gate, differs in states that are never reached: mutation/equivalents.json.
TEST_F(ExerciseMutants, the_second_and_the_fourth_are_proved_equivalent) {
    const auto all = mutants();
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(proves_equal(CAPRA_SOURCE, all[i]), i == 1 || i == 3) << all[i].replacement;
}

}  // namespace
}  // namespace capra::mutation
