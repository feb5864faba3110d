// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/recorded_dumps.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDumpExtension = ".heap";

std::unexpected<Error> CannotWrite(const fs::path& folder,
                                   const std::string& why) {
  return Fail(ErrorKind::kIo, fmt::format("cannot write dumps to {}: {}",
                                          folder.string(), why));
}

struct Dump {
  int64_t seconds = 0, nanoseconds = 0;
  uint64_t sequence = 0;
  std::string path;

  auto Key() const { return std::tie(seconds, nanoseconds, sequence, path); }
};

// Reads "PID.SEQ.KIND.heap", the part of a name after the prefix. Returns false
// for other names.
bool ReadName(std::string_view rest, int& process, uint64_t& sequence) {
  if (!rest.ends_with(kDumpExtension)) return false;
  const char* const end = rest.data() + rest.size();
  const auto number = std::from_chars(rest.data(), end, process);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != '.')
    return false;
  const auto next = std::from_chars(number.ptr + 1, end, sequence);
  return next.ec == std::errc() && next.ptr != end && *next.ptr == '.';
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
  const std::string start = std::string(BaseName(prefix)) + '.';
  std::vector<Dump> dumps;
  std::error_code error;
  for (fs::directory_iterator it(fs::path(prefix).parent_path(), error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    Dump dump{.path = it->path().string()};
    int found = 0;
    struct stat status = {};
    if (!name.starts_with(start) ||
        !ReadName(std::string_view(name).substr(start.size()), found,
                  dump.sequence) ||
        (process != 0 && found != process) ||
        stat(dump.path.c_str(), &status) != 0)
      continue;
    dump.seconds = status.st_mtim.tv_sec;
    dump.nanoseconds = status.st_mtim.tv_nsec;
    dumps.push_back(std::move(dump));
  }
  std::ranges::sort(dumps, {}, &Dump::Key);
  std::vector<std::string> paths;
  for (Dump& dump : dumps) paths.push_back(std::move(dump.path));
  return paths;
}

}  // namespace heapprof
