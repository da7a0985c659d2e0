// mutrun: grades the checks by breaking the project.
#include "mutation/chapter_suite.hpp"
#include "mutation/cpp_suite.hpp"
#include "mutation/rtl_suite.hpp"
#include "tools/mutrun/cli.hpp"

namespace {

using namespace capra;

std::unique_ptr<mutation::Suite> make_suite(std::string_view name,
                                            const tools::SuiteSettings& settings) {
    if (name == "chapter")
        return std::make_unique<mutation::ChapterSuite>(CAPRA_SOURCE, settings.jobs);
    if (name == "cpp")
        return std::make_unique<mutation::CppSuite>(mutation::CppSuiteOptions{
            .toolchain = {.source_dir = CAPRA_SOURCE,
                          .compile_commands = CAPRA_BUILD "/compile_commands.json",
                          .link_list = CAPRA_BUILD "/mutation/patch_link.txt"},
            .judge = CAPRA_BUILD "/bin/cxx_judge",
            .mutants = CAPRA_BUILD "/mutation/cxx_schema/mutants.json",
            .jobs = settings.jobs,
            .full = settings.full});
    return std::make_unique<mutation::RtlSuite>(
        mutation::RtlSuiteOptions{.source_dir = CAPRA_SOURCE,
                                  .jobs = settings.jobs,
                                  .full = settings.full,
                                  .fuzz_programs = settings.fuzz_programs});
}

}  // namespace

int main(int argc, char** argv) {
    return tools::mutrun_main(argc, argv,
                              {.source_dir = CAPRA_SOURCE,
                               .cache_dir = CAPRA_BUILD "/mutants",
                               .suites = {"chapter", "cpp", "rtl"},
                               .make_suite = make_suite});
}
