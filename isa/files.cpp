#include "isa/files.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace capra {
namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const char* what, const std::string& path, int error) {
    throw Error(fmt::format("cannot {} '{}': {}", what, path, std::strerror(error)));
}

/// Where the path leads through symbolic links, whether that exists or not.
std::string behind_links(const std::string& path) {
    constexpr int kMostLinks = 40;  // as many as Linux follows
    std::error_code ignored;
    std::filesystem::path place = path;
    for (int links = 0; std::filesystem::is_symlink(place, ignored); ++links) {
        if (links == kMostLinks) fail("write", path, ELOOP);
        place = place.parent_path() / std::filesystem::read_symlink(place, ignored);
    }
    return place.string();
}

}  // namespace

std::string read_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail("read", path, EISDIR);
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) fail("read", path, errno);
    std::string text;
    char buffer[65536];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get()))
        text.append(buffer, got);
    if (std::ferror(file.get()) != 0) fail("read", path, EIO);
    return text;
}

void write_file(const std::string& path, std::string_view text) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail("write", path, EISDIR);
    // A device or a pipe (/dev/stdout) cannot be replaced by a rename.
    const auto status = std::filesystem::status(path, ignored);
    const bool replace =
        !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
    const std::string place = replace ? behind_links(path) : path;
    const std::string written = replace ? fmt::format("{}.{}.tmp", place, ::getpid()) : path;
    File file(std::fopen(written.c_str(), "wb"));
    if (!file) fail("write", path, errno);
    const bool complete = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                          std::fflush(file.get()) == 0;
    const int error = errno;
    file.reset();
    if (complete && (!replace || std::rename(written.c_str(), place.c_str()) == 0)) return;
    const int reason = complete ? errno : error;
    if (replace) std::remove(written.c_str());
    fail("write", path, reason);
}

}  // namespace capra
