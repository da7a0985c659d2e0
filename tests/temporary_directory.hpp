// A directory of its own for a test, removed with everything in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace capra {

class TemporaryDirectory {
  public:
    TemporaryDirectory() : path_(testing::TempDir() + "capra-XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp: " + path_);
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace capra
