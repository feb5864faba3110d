// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/sources.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/source_names.h"
#include "heapprof/base/base_name.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/io/regular_file.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

// Larger files are not read. No source file is larger, but the debug
// information of a hostile binary may name any file as its source.
constexpr uint64_t kMostSource = 64 << 20;

// An open regular file, which keeps naming the same file although paths change.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) {
    if (const auto fd = OpenRegularFile(path, status_)) fd_ = *fd;
  }
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return fd_ >= 0; }
  uint64_t size() const { return static_cast<uint64_t>(status_.st_size); }
  // A path by which this very file can be opened again.
  std::string Alias() const { return fmt::format("/proc/self/fd/{}", fd_); }
  // The path without symbolic links; empty if unknown.
  std::string Path() const {
    std::error_code error;
    return fs::read_symlink(Alias(), error).string();
  }
  // True for what the kernel makes up, such as /proc/self/environ.
  bool IsVirtual() const {
    struct statfs system = {};
    if (fstatfs(fd_, &system) != 0) return true;
    return system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC;
  }

 private:
  int fd_ = -1;
  struct stat status_ = {};
};

std::string AndMore(const std::vector<std::string>& files) {
  return files.size() == 1
             ? files.front()
             : fmt::format("{} and {} more", files.front(), files.size() - 1);
}

}  // namespace

Sources::Sources(const Options& options)
    : search_({.folders = options.source_path,
               .path_map = options.locator.debug.path_map,
               .sysroots = options.locator.debug.sysroots}) {
  std::vector<std::string> named = search_.folders;
  for (const PathMapping& mapping : search_.path_map)
    named.push_back(mapping.to);
  for (const std::string& folder : named) {
    std::error_code error;
    if (auto path = fs::canonical(folder, error); !error)
      folders_.push_back(path.string());
  }
}

bool Sources::IsAllowed(const std::string& path) const {
  if (IsBelow(path, "/proc") || IsBelow(path, "/sys")) return false;
  return HasSourceName(path) ||
         std::ranges::any_of(folders_, [&path](const std::string& folder) {
           return IsBelow(path, folder);
         });
}

std::optional<Sources::SourceFile> Sources::Read(const std::string& path) {
  const OpenFile open(path);
  if (!open.is_open()) return std::nullopt;
  std::string resolved = open.Path();
  if (open.IsVirtual() || !IsAllowed(resolved)) {
    refused_.push_back(path);
    return std::nullopt;
  }
  if (open.size() > kMostSource) return std::nullopt;
  auto file = InputFile::Open(open.Alias(), {}, kMostSource);
  if (!file) return std::nullopt;
  SourceFile source = {.file = std::move(*file), .lines = {}};
  LineCursor cursor(source.file.bytes());
  while (const auto line = cursor.Next()) source.lines.push_back(*line);
  if (!source.lines.empty()) files_read_.push_back(std::move(resolved));
  return source;
}

std::optional<Sources::SourceFile> Sources::Find(const std::string& path) {
  for (const std::string& candidate : SourceCandidates(path, search_))
    if (auto source = Read(candidate)) return source;
  return std::nullopt;
}

const std::vector<std::string_view>& Sources::LinesOf(const std::string& path) {
  auto [it, added] = files_.try_emplace(path);
  if (added && !path.empty()) {
    const size_t refused = refused_.size();
    it->second = Find(path);
    if (!it->second && refused_.size() == refused) missing_.push_back(path);
  }
  return it->second ? it->second->lines : none_;
}

std::string Sources::MissingNote() const {
  std::string note;
  if (!missing_.empty())
    note = fmt::format(
        "source file not found: {}; name the folder with --source-path, or use "
        "--path-map or --sysroot",
        AndMore(missing_));
  if (!refused_.empty())
    note += fmt::format(
        "{}not read, because it does not look like a source file: {}; "
        "--source-path allows the files of a folder",
        note.empty() ? "" : "; ", AndMore(refused_));
  return note;
}

}  // namespace heapprof
