#include "mutation/miter.hpp"

#include "isa/files.hpp"
#include "mutation/patch_check.hpp"
#include "mutation/work_directory.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;

/// Reads one version of the module and opens it up: registers and instances become ports.
std::string opened(const std::string& source_dir, const std::string& module,
                   const std::string& file, const std::string& name) {
    const std::string read = fmt::format("read_verilog -DSYNTHESIS -I{}/rtl", source_dir);
    std::string others;
    for (const std::string& other : design_files(source_dir + "/rtl"))
        if (fs::path(other).stem() != module) others += " " + other;
    return fmt::format(
        "{0} {1}\n"
        "{0} -lib{2}\n"
        "hierarchy -top {3}\n"
        "proc\n"
        "opt_clean\n"
        "memory_map\n"
        "opt_clean\n"
        "expose -evert\n"
        "expose -evert-dff\n"
        "rename -top {4}\n"
        "design -stash {4}\n",
        read, file, others, module, name);
}

/// Equal logic of the two sides is merged first: no solver knows that a product is itself. A
/// register that is still there would be taken for a free input, so there must be none.
constexpr const char* kProve =
    "design -copy-from original -as original original\n"
    "design -copy-from mutant -as mutant mutant\n"
    "miter -equiv -flatten -make_outputs original mutant miter\n"
    "hierarchy -top miter\n"
    "opt -full\n"
    "opt_merge -share_all\n"
    "select -assert-none t:$*dff* t:$*latch* t:$sr t:$mem*\n"
    "sat -verify -prove trigger 0 miter\n";

}  // namespace

bool proves_equal(const std::string& source_dir, const Mutant& mutant, std::chrono::seconds limit) {
    const WorkDirectory scratch;
    const std::string module = fs::path(mutant.file).stem().string();
    const std::string original = source_dir + "/" + mutant.file;
    const std::string patched = scratch.path() + "/mutant.v";
    write_file(patched, apply_mutant(read_file(original), mutant));
    const std::string script = scratch.path() + "/prove.ys";
    write_file(script, opened(source_dir, module, original, "original") +
                           opened(source_dir, module, patched, "mutant") + kProve);
    return sim::run_process({"yosys", "-q", "-s", script}, {}, limit).status == 0;
}

}  // namespace capra::mutation
