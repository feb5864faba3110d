// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace heapprof {

// Returns how many KiB of a file that this process has mapped are in memory.
inline size_t ResidentSize(const std::string& path) {
  std::ifstream maps("/proc/self/smaps");
  size_t size = 0;
  bool is_file = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with("Rss:")) {
      if (is_file) size += std::stoul(line.substr(4));
    } else if (line.find(" r--p ") != line.npos ||
               line.find(" rw-p ") != line.npos) {
      is_file = line.ends_with(path);
    } else if (line.find("-p ") != line.npos) {
      is_file = false;
    }
  }
  return size;
}

}  // namespace heapprof
