#include "mutation/verilog_schema.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/mutant_list.hpp"
#include "mutation/verilog_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace capra::mutation {
namespace {

constexpr std::string_view kMacros = R"(`ifndef CAPRA_MUTANT
`define CAPRA_MUTANT {}.mutant_q
`endif
`ifdef CAPRA_MUTANT_HIT
`define CAPRA_HIT $c("{{ extern void capra_mutant_hit(); capra_mutant_hit(); }}");
`else
`define CAPRA_HIT
`endif
)";
constexpr std::string_view kPorts = R"(`ifdef VERILATOR
`ifndef CAPRA_MUTANT_PLUSARG
    , input wire [15:0] mutant_i, input wire mutant_load_i
`endif
`endif
)";
constexpr std::string_view kSelector = R"(
  reg [15:0] mutant_q = 16'd0;
`ifdef VERILATOR
`ifdef CAPRA_MUTANT_PLUSARG
  initial if (!$value$plusargs("mutant=%d", mutant_q)) mutant_q = 16'd0;
`else
  always @(posedge mutant_load_i) mutant_q <= mutant_i;
`endif
`else
  initial if (!$value$plusargs("mutant=%d", mutant_q)) mutant_q = 16'd0;
`endif
)";

/// Text to put in place of a span; an empty span is an insertion.
struct Edit {
    Span span;
    std::string text;
};

/// Edits do not overlap; insertions at one place keep their order.
std::string apply_edits(std::string_view text, std::vector<Edit> edits) {
    std::ranges::stable_sort(
        edits, {}, [](const Edit& edit) { return std::tuple(edit.span.begin, edit.span.end); });
    std::string result;
    std::size_t done = 0;
    for (const Edit& edit : edits) {
        result += text.substr(done, edit.span.begin - done);
        result += edit.text;
        done = edit.span.end;
    }
    return result += text.substr(done);
}

/// Writes the versions of the sites of one file.
class Renderer {
  public:
    Renderer(const SourceFile& source, std::uint32_t first) : source_(source), next_(first) {}

    void render(const Site& site) {
        const std::string variable = fmt::format("mut_{}", next_);
        switch (site.kind) {
            case Site::Kind::statement:
                edits_.push_back({site.region, "begin\n" + versions(site, [](std::string s) {
                                                   return s;
                                               }) + "end"});
                break;
            case Site::Kind::condition:
                render_condition(site, variable);
                break;
            case Site::Kind::driver:
            case Site::Kind::connection:
                render_value(site, variable);
                break;
        }
        next_ += static_cast<std::uint32_t>(site.changes.size());
    }

    void insert(std::size_t at, std::string text) { edits_.push_back({{at, at}, std::move(text)}); }

    [[nodiscard]] std::string text() const { return apply_edits(source_.text, edits_); }

  private:
    /// The condition is worked out before the `if`, as the one bit that `if` makes of it.
    void render_condition(const Site& site, const std::string& variable) {
        const auto assign = [&](const std::string& text) {
            return fmt::format("{} = !(!({}));", variable, text);
        };
        insert(site.owner.begin,
               fmt::format("begin : {0}_block reg {0};\n{1}", variable, versions(site, assign)));
        edits_.push_back({site.region, variable});
        insert(site.owner.end, " end");
    }

    /// The value goes through a variable of the target's own shape.
    void render_value(const Site& site, const std::string& variable) {
        const auto assign = [&](const std::string& text) {
            return fmt::format("{} = {};", variable, text);
        };
        insert(site.owner.begin, fmt::format("reg {} {};\nalways_comb begin\n{}end\n", site.declare,
                                             variable, versions(site, assign)));
        edits_.push_back({site.region, variable});
    }

    /// if (none of them is selected) original else if (the first one is) ...
    template <typename Wrap>
    std::string versions(const Site& site, Wrap wrap) const {
        const std::size_t count = site.changes.size();
        const auto last = next_ + static_cast<std::uint32_t>(count) - 1;
        const std::string none =
            count == 1
                ? fmt::format("`CAPRA_MUTANT != 16'd{}", next_)
                : fmt::format("`CAPRA_MUTANT < 16'd{} || `CAPRA_MUTANT > 16'd{}", next_, last);
        std::string text =
            fmt::format("if ({}) {}\n", none, wrap(std::string(source_.at(site.region))));
        for (std::size_t i = 0; i < count; ++i) {
            if (i + 1 == count)
                text += "else";
            else
                text += fmt::format("else if (`CAPRA_MUTANT == 16'd{})", next_ + i);
            text += fmt::format(" begin `CAPRA_HIT {} end\n",
                                wrap(version(site.region, site.changes[i])));
        }
        return text;
    }

    [[nodiscard]] std::string version(Span region, const Change& change) const {
        const Span inner{change.span.begin - region.begin, change.span.end - region.begin};
        return apply_edits(source_.at(region), {{inner, change.replacement}});
    }

    const SourceFile& source_;
    std::uint32_t next_;
    std::vector<Edit> edits_;
};

std::vector<Site> all_sites(const VerilogFile& file) {
    std::vector<Site> sites;
    for (const Module& module : file.modules)
        std::ranges::move(find_sites(file.source, module, file.constants),
                          std::back_inserter(sites));
    return sites;
}

}  // namespace

VerilogFile load_verilog(const std::string& path) {
    const std::filesystem::path full = std::filesystem::absolute(path);
    const std::filesystem::path folder = full.parent_path();
    VerilogFile file;
    file.source = {(folder.filename() / full.filename()).string(), read_file(path)};
    file.modules = parse_verilog(file.source);
    for (const Module& module : file.modules) {
        for (const Span quoted : module.includes) {
            const std::string name(file.source.at({quoted.begin + 1, quoted.end - 1}));
            const SourceFile header{(folder.filename() / name).string(),
                                    read_file((folder / name).string())};
            std::ranges::move(parse_constants(header), std::back_inserter(file.constants));
        }
    }
    return file;
}

std::vector<Mutant> find_mutants(const VerilogFile& file) {
    std::vector<Change> changes;
    for (const Site& site : all_sites(file))
        std::ranges::copy(site.changes, std::back_inserter(changes));
    return mutants_of("rtl", file.source, changes);
}

std::string render_schema(const VerilogFile& file, const std::string& top, std::uint32_t first) {
    Renderer renderer(file.source, first);
    renderer.insert(0, fmt::format(kMacros, top));
    for (const Module& module : file.modules) {
        if (module.name != top) continue;
        renderer.insert(module.ports_end, std::string(kPorts));
        renderer.insert(module.body_begin, std::string(kSelector));
    }
    for (const Site& site : all_sites(file)) renderer.render(site);
    return renderer.text();
}

}  // namespace capra::mutation
