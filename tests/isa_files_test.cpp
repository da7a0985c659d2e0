// Whole files: written completely or not at all, and where the path leads.
#include "isa/files.hpp"

#include "isa/error.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace capra {
namespace {

namespace fs = std::filesystem;

std::string error_of(auto call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(IsaFiles, an_output_that_is_a_link_stays_one_and_its_file_is_written) {
    const TemporaryDirectory directory;
    const fs::path root = directory.path();
    fs::create_directory(root / "elsewhere");
    write_file(root / "elsewhere/file", "old");
    fs::create_symlink("elsewhere/file", root / "link");
    fs::create_symlink("link", root / "link to link");
    write_file(root / "link to link", "new");
    EXPECT_TRUE(fs::is_symlink(root / "link to link"));
    EXPECT_TRUE(fs::is_symlink(root / "link"));
    EXPECT_FALSE(fs::is_symlink(root / "elsewhere/file"));
    EXPECT_EQ(read_file(root / "elsewhere/file"), "new");
    fs::create_symlink(root / "elsewhere/not yet", root / "dangling");
    write_file(root / "dangling", "there");
    EXPECT_TRUE(fs::is_symlink(root / "dangling"));
    EXPECT_EQ(read_file(root / "elsewhere/not yet"), "there");
    EXPECT_EQ(std::distance(fs::directory_iterator(root / "elsewhere"), {}), 2);
}

TEST(IsaFiles, links_in_a_circle_and_names_too_long_are_errors) {
    const TemporaryDirectory directory;
    const std::string circle = directory.path() + "/circle";
    fs::create_symlink("circle", circle);
    EXPECT_EQ(error_of([&] { write_file(circle, "x"); }),
              "cannot write '" + circle + "': Too many levels of symbolic links");
    const std::string deep = directory.path() + "/" + std::string(300, 'a') + "/x";
    EXPECT_EQ(error_of([&] { write_file(deep, "x"); }),
              "cannot write '" + deep + "': File name too long");
    EXPECT_EQ(error_of([&] { read_file(deep); }), "cannot read '" + deep + "': File name too long");
}

}  // namespace
}  // namespace capra
