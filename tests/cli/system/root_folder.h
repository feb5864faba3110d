// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/temporary_files.h"

namespace heapprof {

// A root folder in which a process finds its control groups.
class RootFolder {
 public:
  void Put(std::string_view path, std::string_view text) const {
    const std::filesystem::path file = folder_.Path(path);
    std::filesystem::create_directories(file.parent_path());
    WriteFile(file.string(), text);
  }
  std::string path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

// A mounted hierarchy of version 2, in mountinfo.
inline constexpr std::string_view kVersion2 =
    "24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

}  // namespace heapprof
