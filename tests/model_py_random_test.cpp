// The generator against vectors printed by CPython 3.11.
#include "model/py_random.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

TEST(PyRandom, words_equal_cpython_getrandbits) {
    struct Vector {
        std::uint32_t seed, w0, w1, w2;
    };
    const Vector vectors[] = {{0, 3626764237U, 1654615998U, 3255389356U},
                              {1, 577090037U, 2444712010U, 3639700191U},
                              {2, 4106135923U, 3707026329U, 4070888059U},
                              {12345, 1789368711U, 3146859322U, 43676229U},
                              {4294967295U, 2728839433U, 2661025012U, 872737089U}};
    for (const auto& v : vectors) {
        PyRandom rng(v.seed);
        EXPECT_EQ(rng.next_u32(), v.w0) << "seed " << v.seed;
        EXPECT_EQ(rng.next_u32(), v.w1) << "seed " << v.seed;
        EXPECT_EQ(rng.next_u32(), v.w2) << "seed " << v.seed;
    }
}

TEST(PyRandom, uniforms_equal_cpython_random_to_the_last_bit) {
    PyRandom rng(1);
    EXPECT_EQ(rng.uniform(), 0x1.132d8f91b7584p-3);
    EXPECT_EQ(rng.uniform(), 0x1.b1e2d5b3584f8p-1);
    EXPECT_EQ(rng.uniform(), 0x1.870d778409f13p-1);
    PyRandom other(12345);
    EXPECT_EQ(other.uniform(), 0x1.aa9e665dc8a18p-2);
}

TEST(PyRandom, the_state_is_regenerated_as_cpython_does) {
    PyRandom rng(1);
    for (int i = 0; i < 2000; ++i) rng.uniform();
    EXPECT_EQ(rng.next_u32(), 1673902236U);
}

TEST(PyRandom, gauss_returns_the_cosine_first_and_keeps_the_sine) {
    PyRandom rng(1);
    EXPECT_DOUBLE_EQ(rng.gauss(), 1.2881847531554629);
    EXPECT_DOUBLE_EQ(rng.gauss(), 1.449445608699771);
    EXPECT_DOUBLE_EQ(rng.gauss(), 0.06633580893826191);
    PyRandom scaled(2);
    EXPECT_DOUBLE_EQ(scaled.gauss(0.5), 0.5 * 2.338166736175902);
    EXPECT_DOUBLE_EQ(scaled.gauss(2), 2 * -0.6628539080668208);
}

}  // namespace
}  // namespace capra::model
