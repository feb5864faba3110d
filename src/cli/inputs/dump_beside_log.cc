// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/dump_beside_log.h"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "heapprof/record/dump_name.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {

namespace fs = std::filesystem;

namespace {

// Returns NAME.heap for the log NAME.recent.json of `heapprof record`, if that
// file exists; otherwise nothing.
std::string RecordedDump(const std::string& path) {
  const std::string_view log = kRecentExtension;
  if (!path.ends_with(log)) return "";
  const std::string dump = path.substr(0, path.size() - log.size()) + ".heap";
  std::error_code error;
  return fs::is_regular_file(dump, error) ? dump : "";
}

}  // namespace

std::string DumpBesideLog(const std::string& path) {
  if (std::string dump = RecordedDump(path); !dump.empty()) return dump;
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
