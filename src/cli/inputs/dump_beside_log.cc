// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/dump_beside_log.h"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "heapprof/record/dump_name.h"

namespace heapprof {

namespace fs = std::filesystem;

std::string DumpBesideLog(const std::string& path) {
  const std::string_view process = ProcessOfLog(path);
  if (process.empty()) return "";
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::string last;
  uint64_t last_sequence = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end;
       !error && it != end; it.increment(error)) {
    const std::string dump = folder + it->path().filename().string();
    const auto name = ParseDumpName(dump);
    if (!name || name->process != process) continue;
    if (!last.empty() && name->sequence < last_sequence) continue;
    last = dump;
    last_sequence = name->sequence;
  }
  return last;
}

}  // namespace heapprof
