// SPDX-License-Identifier: Apache-2.0
//
// A folder of its own for one test, removed with this object.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <stdlib.h>

namespace heapprof {

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
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

 private:
  std::string path_;
};

}  // namespace heapprof
