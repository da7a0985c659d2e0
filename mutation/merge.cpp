#include "mutation/merge.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "isa/json_reader.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace capra::mutation {
namespace {

void add_sources(Sources& sources, std::string_view text, const std::string& path) {
    const JsonDocument document = parse_strict_json(text, path);
    const JsonReader files = JsonReader(document).at("files");
    for (const std::string& name : files.keys()) {
        const JsonReader source = files.at(name).at("source");
        const auto [found, is_new] = sources.emplace(name, source.string());
        if (!is_new && found->second != source.string())
            source.fail("another part saw another source");
    }
}

/// One part of each number, of one division.
class Division {
  public:
    void add(const Part& part, const std::string& path) {
        if (shards_ == 0) shards_ = part.shards;
        if (part.shards != shards_)
            throw Error(fmt::format("{}: shard {}/{} among shards of {}", path, part.shard,
                                    part.shards, shards_));
        const auto [found, is_new] = seen_.emplace(part.shard, path);
        if (!is_new)
            throw Error(fmt::format("{}: shard {}/{} is in {} already", path, part.shard,
                                    part.shards, found->second));
    }
    void require_complete() const {
        for (std::size_t k = 1; k <= shards_; ++k)
            if (!seen_.contains(k)) throw Error(fmt::format("shard {}/{} is missing", k, shards_));
    }

  private:
    std::size_t shards_ = 0;
    std::map<std::size_t, std::string> seen_;  ///< path of each
};

}  // namespace

Merged merge_results(const std::vector<std::string>& paths) {
    Merged merged;
    Division division;
    std::set<std::string> ids;
    for (const std::string& path : paths) {
        const std::string text = read_file(path);
        CampaignResult part = result_from_json(text, path);
        for (const Part& p : part.parts) division.add(p, path);
        if (path == paths.front()) merged.result.selection = part.selection;
        if (part.selection != merged.result.selection)
            throw Error(fmt::format("{}: a part of another campaign: '{}', not '{}'", path,
                                    part.selection, merged.result.selection));
        for (const Trial& trial : part.trials)
            if (!ids.insert(trial.mutant.id).second)
                throw Error(fmt::format("{}: {} was tried by another part", path, trial.mutant.id));
        add_sources(merged.sources, text, path);
        append(merged.result, std::move(part));
    }
    division.require_complete();
    return merged;
}

}  // namespace capra::mutation
