#include "mutation/cxx_schema.hpp"

#include "mutation/mutant_list.hpp"

#include "mutation/cxx_operators.hpp"
#include "mutation/cxx_parser.hpp"

#include <fmt/format.h>

#include <map>

namespace capra::mutation::cxx {
namespace {

using Form = Site::Form;

/// The same tokens on one line, without comments.
std::string flatten(const std::string& text) {
    const SourceFile source{"", text};
    std::string flat;
    for (const Token& token : tokenize(source)) {
        if (token.spaced && !flat.empty()) flat += ' ';
        flat += source.at(token.span);
    }
    return flat;
}

/// What a site puts around its region, and in the place of its operator.
struct Wrapping {
    std::string opening;
    std::string op;
    std::string closing;
};

class Renderer {
  public:
    Renderer(const SourceFile& source, std::uint32_t first) : source_(source), next_(first) {}

    /// Sites come with outer regions first.
    void add(const Site& site) {
        const Wrapping around = wrapping(site);
        openings_[site.region.begin] += around.opening;
        closings_[site.region.end].insert(0, around.closing);
        if (site.op != Span{}) replaced_[site.op.begin] = {site.op.end, around.op};
        next_ += static_cast<std::uint32_t>(site.versions.size());
    }

    [[nodiscard]] std::string text() const {
        std::string result;
        for (std::size_t at = 0; at <= source_.text.size();) {
            if (const auto found = closings_.find(at); found != closings_.end())
                result += found->second;
            if (const auto found = openings_.find(at); found != openings_.end())
                result += found->second;
            if (const auto found = replaced_.find(at); found != replaced_.end()) {
                result += found->second.text;
                at = found->second.end;
            } else {
                if (at < source_.text.size()) result += source_.text[at];
                ++at;
            }
        }
        return result;
    }

  private:
    struct Replacement {
        std::size_t end = 0;
        std::string text;
    };

    [[nodiscard]] Wrapping wrapping(const Site& site) const {
        switch (site.form) {
            case Form::operands:
                return {operation(site), ",", ")"};
            case Form::operand:
                return {operation(site), "", ")"};
            case Form::value:
                return {choice(site) + "(", "", "))"};
            case Form::truth:
                return {choice(site) + "static_cast<bool>(", "", "))"};
            case Form::statement:
                return {fmt::format("{{ if (!capra_mut::on({})) ", next_), "", " }"};
            case Form::declared:
                return {"", "",
                        fmt::format("; capra_mut::on({0}) ? !{1} : static_cast<bool>({1})", next_,
                                    site.original)};
        }
        return {};
    }

    /// A call of the runtime's function for the operator and its versions.
    [[nodiscard]] std::string operation(const Site& site) const {
        std::string functors = "capra_mut::" + site.original;
        for (const Site::Version& version : site.versions)
            functors += ", " + qualified(version.functor);
        return fmt::format("capra_mut::operate<{}, {}>(", next_, functors);
    }

    static std::string qualified(const std::string& functor) {
        const std::size_t inner = functor.find('<');
        if (inner == std::string::npos) return "capra_mut::" + functor;
        return fmt::format("capra_mut::{}<capra_mut::{}", functor.substr(0, inner),
                           functor.substr(inner + 1));
    }

    /// `(selected ? version : ... :`
    [[nodiscard]] std::string choice(const Site& site) const {
        std::string text = "(";
        std::uint32_t number = next_;
        const bool is_truth = site.form == Form::truth;
        for (const Site::Version& version : site.versions)
            text += fmt::format("capra_mut::on({}) ? {}({}) : ", number++,
                                is_truth ? "static_cast<bool>" : "",
                                flatten(changed(site.region, version.change)));
        return text;
    }

    [[nodiscard]] std::string changed(Span region, const Change& change) const {
        std::string text(source_.at({region.begin, change.span.begin}));
        text += change.replacement;
        return text += source_.at({change.span.end, region.end});
    }

    const SourceFile& source_;
    std::uint32_t next_;
    std::map<std::size_t, std::string> openings_;
    std::map<std::size_t, std::string> closings_;
    std::map<std::size_t, Replacement> replaced_;
};

}  // namespace

Schema make_schema(const SourceFile& source, std::uint32_t first) {
    const BracketedTokens tokens(source);
    Renderer renderer(source, first);
    Schema schema;
    std::vector<Change> changes;
    for (const Site& site : find_sites(source, Parser(tokens).functions())) {
        renderer.add(site);
        for (const Site::Version& version : site.versions) changes.push_back(version.change);
    }
    schema.mutants = mutants_of("cpp", source, changes);
    schema.text = renderer.text();
    return schema;
}

}  // namespace capra::mutation::cxx
