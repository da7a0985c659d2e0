#include "mutation/work_directory.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

namespace capra::mutation {

WorkDirectory::WorkDirectory()
    : path_(std::filesystem::temp_directory_path() / "capra-mutants-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr)
        throw Error(fmt::format("cannot make the directory {}", path_));
}

WorkDirectory::~WorkDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

TemporaryFilesHere::TemporaryFilesHere() {
    if (const char* before = ::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", directory_.path().c_str(), 1);
}

TemporaryFilesHere::~TemporaryFilesHere() {
    if (before_)
        ::setenv("TMPDIR", before_->c_str(), 1);
    else
        ::unsetenv("TMPDIR");
}

}  // namespace capra::mutation
