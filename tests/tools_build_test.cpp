// Where the project can be built.
#include "tests/tools_support.hpp"

namespace capra {
namespace {

class Build : public ToolsTest {
  protected:
    /// Configures, up to what has to be known of the compiler, in these folders.
    static ProcessResult configure(const std::string& source, const std::string& build) {
        fs::create_directories(source);
        fs::copy_file(CAPRA_SOURCE "/CMakeLists.txt", source + "/CMakeLists.txt");
        return sim::run_process(
            {CAPRA_CMAKE, "-S", source, "-B", build, "-DCMAKE_CXX_COMPILER=/no/compiler"});
    }

    static void expect_refused(const ProcessResult& result, const std::string& folder) {
        EXPECT_EQ(result.status, 1) << result.output;
        EXPECT_NE(result.output.find("\n   '" + folder +
                                     "' has a blank in it: Verilator cannot build there.\n"),
                  std::string::npos)
            << result.output;
    }
};

TEST_F(Build, a_folder_with_a_blank_is_refused_by_name) {
    const TemporaryDirectory plain;
    expect_refused(configure(path("source"), plain.path() + "/b"), path("source"));
    expect_refused(configure(plain.path() + "/s", path("build")), path("build"));
    const ProcessResult other = configure(plain.path() + "/t", plain.path() + "/c");
    EXPECT_EQ(other.output.find("blank"), std::string::npos) << other.output;
    EXPECT_NE(other.output.find("/no/compiler"), std::string::npos) << other.output;
}

}  // namespace
}  // namespace capra
