#include "exercises/4-eight-experts/exercise.hpp"

namespace capra::exercise {
namespace {

constexpr std::uint32_t kTile = 4;

class Counting {
  public:
    void ld(std::uint64_t n) { dma(n + 9); }
    void st(std::uint64_t n) { dma(n + 2); }
    void rq(std::uint64_t n) { vector(n + 2); }
    void vadd(std::uint64_t n) { vector(2 * n + 2); }
    void amax(std::uint64_t n) { vector(n + 3); }
    void sm(std::uint64_t n) { vector(4 * n + 31); }
    void halt() { cost_.control += 2; }

    /// One row by k x n, in tiles of 4 columns, and the RQ of the result.
    void product(std::uint64_t k, std::uint64_t n) {
        multiply(k, n);
        rq(n);
    }
    void multiply(std::uint64_t k, std::uint64_t n) {
        for (std::uint64_t left = n; left > 0;) {
            const std::uint64_t tile = left < kTile ? left : kTile;
            cost_.matrix += k + k * tile + k + 1 + tile + tile + 5;
            cost_.control += 2;
            left -= tile;
        }
    }

    [[nodiscard]] Cost cost() const { return {cost_.matrix, cost_.dma, cost_.vector, 0}; }

  private:
    void dma(std::uint64_t cycles) {
        cost_.dma += cycles;
        cost_.control += 2;
    }
    void vector(std::uint64_t cycles) {
        cost_.vector += cycles;
        cost_.control += 2;
    }

    Cost cost_;
};

void attention(Counting& c, std::uint32_t context) {
    c.ld(16);
    for (int matrix = 0; matrix < 3; ++matrix) {  // q, k, v
        c.ld(256);
        c.product(16, 16);
    }
    for (int cache = 0; cache < 2; ++cache) {  // the rows before, then the new one
        if (context > 1) c.ld(16 * (context - 1));
        c.rq(16);
    }
    c.product(16, context);  // scores
    c.sm(context);
    c.product(context, 16);  // mixed values
    c.ld(256);
    c.product(16, 16);  // projection
    c.rq(16);
    c.vadd(16);
}

void router(Counting& c, std::uint32_t experts) {
    c.ld(16 * experts);
    c.product(16, experts);
    c.st(16);  // h
    c.amax(experts);
    c.st(1);
    c.st(experts);
    c.st(16);  // k
    c.st(16);  // v
    c.halt();
}

void expert(Counting& c) {
    c.ld(16);
    c.ld(512);
    c.product(16, 32);
    c.ld(512);
    c.product(32, 16);
    c.rq(16);
    c.vadd(16);
    c.ld(256);
    c.product(16, 16);
    c.amax(16);
    c.st(1);
    c.st(16);
    c.halt();
}

}  // namespace

Cost answer(std::uint32_t context, std::uint32_t experts) {
    Counting c;
    attention(c, context);
    router(c, experts);
    expert(c);
    return c.cost();
}

}  // namespace capra::exercise
