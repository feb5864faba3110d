// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/recorded_dumps.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/record/dump_name.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDumpExtension = ".heap";
constexpr std::string_view kUnfinishedExtension = ".part";

std::unexpected<Error> CannotWrite(const fs::path& folder,
                                   const std::string& why) {
  return Fail(ErrorKind::kIo, fmt::format("cannot write dumps to {}: {}",
                                          folder.string(), why));
}

struct Dump {
  int64_t time_ns = 0;
  uint64_t sequence = 0;
  std::string path;

  auto Key() const { return std::tie(time_ns, sequence, path); }
};

// True for "PREFIX.PID.SEQ.KIND.heap" of `process`; of any process if that is
// 0. `start` is the prefix with its dot.
bool IsDumpOf(const DumpName& name, std::string_view start, int process) {
  return name.process.starts_with(start) &&
         name.process.substr(start.size()) == name.pid &&
         (process == 0 || ParseNumber<int>(name.pid) == process);
}

// Returns the dumps of `process` whose names end with ".heap" and `extension`,
// the last one written last.
std::vector<std::string> FindFiles(const std::string& prefix, int process,
                                   std::string_view extension) {
  const std::string start = std::string(BaseName(prefix)) + '.';
  std::vector<Dump> dumps;
  std::error_code error;
  for (fs::directory_iterator it(fs::path(prefix).parent_path(), error), end;
       !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (!file.ends_with(extension)) continue;
    const std::string_view dump_name =
        std::string_view(file).substr(0, file.size() - extension.size());
    const auto name = ParseDumpName(dump_name);
    if (!name || !IsDumpOf(*name, start, process) ||
        !dump_name.ends_with(kDumpExtension))
      continue;
    Dump dump{.sequence = name->sequence, .path = it->path().string()};
    struct stat status = {};
    if (stat(dump.path.c_str(), &status) != 0) continue;
    dump.time_ns = Nanoseconds(status.st_mtim);
    dumps.push_back(std::move(dump));
  }
  std::ranges::sort(dumps, {}, &Dump::Key);
  std::vector<std::string> paths;
  for (Dump& dump : dumps) paths.push_back(std::move(dump.path));
  return paths;
}

}  // namespace

Result<std::string> DumpPrefix(std::string_view output,
                               std::string_view program) {
  std::error_code error;
  fs::path prefix = output.empty() ? fs::path("./") : fs::path(output);
  const bool is_folder =
      !prefix.has_filename() || fs::is_directory(prefix, error);
  if (is_folder) prefix /= BaseName(program);
  prefix = fs::absolute(prefix, error).lexically_normal();
  if (error) return CannotWrite(prefix, error.message());
  const fs::path folder = prefix.parent_path();
  fs::create_directories(folder, error);
  if (error) return CannotWrite(folder, error.message());
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return CannotWrite(folder, std::strerror(errno));
  constexpr size_t kLongest = 4000;
  if (prefix.native().size() > kLongest)
    return CannotWrite(folder, std::strerror(ENAMETOOLONG));
  return prefix.native();
}

std::string RssFileBeside(const std::string& dump, std::string_view extension) {
  if (!dump.ends_with(kDumpExtension)) return "";
  std::string path = dump.substr(0, dump.size() - kDumpExtension.size());
  path += extension;
  std::error_code error;
  return fs::is_regular_file(path, error) ? path : "";
}

std::vector<std::string> FindDumps(const std::string& prefix, int process) {
  return FindFiles(prefix, process, "");
}

void RemoveUnfinishedDumps(const std::string& prefix, int process) {
  std::error_code ignored;
  for (const std::string& part :
       FindFiles(prefix, process, kUnfinishedExtension)) {
    const size_t extensions =
        kDumpExtension.size() + kUnfinishedExtension.size();
    const std::string start = part.substr(0, part.size() - extensions);
    for (const char* rss_file : {kStatsExtension, kSmapsExtension,
                                 kStatusExtension, kRecentExtension}) {
      const std::string path = start + rss_file;
      fs::remove(path, ignored);
      fs::remove(fmt::format("{}{}", path, kUnfinishedExtension), ignored);
    }
    fs::remove(part, ignored);
  }
}

}  // namespace heapprof
