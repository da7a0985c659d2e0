#include "exercises/13-row-cache/exercise.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace capra::exercise {
namespace {

struct Row {
    bool cached = false;
    std::uint64_t count = 0;
    std::uint64_t last = 0;
};

class Cache {
  public:
    explicit Cache(const Store& store) : store_(store) {}

    void request(std::uint32_t token) {
        ++traffic_.requests;
        if (rows_[token].cached) {
            ++traffic_.hits;
        } else {
            ++traffic_.words;
            if (cached_ == store_.rows) evict();
            ++cached_;
        }
        Row& row = rows_[token];
        row.cached = true;
        ++row.count;
        row.last = traffic_.requests;
    }

    [[nodiscard]] const Traffic& traffic() const { return traffic_; }

  private:
    void evict() {
        Row* worst = nullptr;
        for (auto& [token, row] : rows_) {
            if (!row.cached) continue;
            if (worst == nullptr || worse(row, *worst)) worst = &row;
        }
        worst->cached = false;
        --cached_;
    }

    static bool worse(const Row& a, const Row& b) {
        return a.count != b.count ? a.count < b.count : a.last < b.last;
    }

    Store store_;
    std::map<std::uint32_t, Row> rows_;
    std::size_t cached_ = 0;
    Traffic traffic_;
};

}  // namespace

Traffic answer(const std::vector<std::uint32_t>& tokens, const Store& store) {
    Cache cache(store);
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i % store.batch == 0) seen.clear();
        if (seen.insert(tokens[i]).second) cache.request(tokens[i]);
    }
    return cache.traffic();
}

}  // namespace capra::exercise
