// SPDX-License-Identifier: Apache-2.0
//
// Files and folders of a test, removed when their objects are destroyed.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <stdlib.h>

namespace heapprof {

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  EXPECT_TRUE(out.good()) << path;
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "heapprof-XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr) << path_;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  const std::string& path() const { return path_; }
  std::string Path(std::string_view name) const {
    return (std::filesystem::path(path_) / name).string();
  }
  // Returns the path of the new file.
  std::string Write(std::string_view name, std::string_view bytes) const {
    WriteFile(Path(name), bytes);
    return Path(name);
  }

 private:
  std::string path_;
};

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes)
      : path_(folder_.Write("file", bytes)) {}

  const std::string& path() const { return path_; }
  void Write(std::string_view bytes) const { WriteFile(path_, bytes); }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace heapprof
