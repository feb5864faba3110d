// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_view.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/deleted_mark.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/kernel_file.h"
#include "heapprof/base/same_file.h"
#include "heapprof/base/split.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

class ProcFolder {
 public:
  explicit ProcFolder(std::string path) : path_(std::move(path)) {}

  // Returns the content of a file; nothing, with errno, if it cannot be read.
  std::optional<std::string> Read(std::string_view name) const {
    return ReadKernelFile(Path(name));
  }

  // Returns where a link leads; nothing, with errno, if it cannot be read.
  std::optional<std::string> Link(std::string_view name) const {
    std::array<char, PATH_MAX> target;
    const ssize_t size = readlink(fmt::format("{}/{}", path_, name).c_str(),
                                  target.data(), target.size());
    if (size < 0) return std::nullopt;
    return std::string(target.data(), static_cast<size_t>(size));
  }

  std::string Path(std::string_view name) const {
    return fmt::format("{}/{}", path_, name);
  }

 private:
  std::string path_;
};

// Returns the numbers on the line of /proc/PID/status that begins with `key`.
std::vector<unsigned> NumbersAfter(std::string_view key,
                                   std::string_view status) {
  std::vector<unsigned> numbers;
  const std::string start = fmt::format("\n{}:", key);
  const size_t at = status.find(start);
  if (at == status.npos) return numbers;
  status.remove_prefix(at + start.size());
  std::istringstream line(std::string(status.substr(0, status.find('\n'))));
  for (unsigned number = 0; line >> number;) numbers.push_back(number);
  return numbers;
}

void ReadStatus(std::string_view status, ProcessView& view) {
  if (const auto users = NumbersAfter("Uid", status); users.size() > 1)
    view.user = users[1];  // the effective one
  if (const auto groups = NumbersAfter("Gid", status); groups.size() > 1)
    view.groups.push_back(groups[1]);
  std::ranges::copy(NumbersAfter("Groups", status),
                    std::back_inserter(view.groups));
  if (const auto numbers = NumbersAfter("NSpid", status); !numbers.empty())
    view.inner_process = static_cast<int>(numbers.back());
}

void ReadNamespaces(const ProcFolder& folder, ProcessView& view) {
  const ProcFolder self("/proc/self");
  const auto differs = [&](const char* name) {
    const auto there = folder.Link(name), here = self.Link(name);
    return there && here && *there != *here;
  };
  view.has_own_network = differs("ns/net");
  const bool has_own_root = !SameFile(folder.Path("root"), self.Path("root"));
  view.has_own_files = differs("ns/mnt") || has_own_root;
  if (!differs("ns/mnt") && has_own_root)
    view.root = folder.Link("root").value_or("");
}

// Returns `path`, which is one of ours, as the process sees it.
std::string PathThere(const ProcessView& view, const std::string& path) {
  if (path == view.root) return "/";
  return path.starts_with(view.root + '/') ? path.substr(view.root.size())
                                           : path;
}

std::string WhyDenied(const ProcessView& view) {
  if (geteuid() == 0)
    return "looking into it takes CAP_SYS_PTRACE, which root lacks here; a "
           "container needs";
  if (view.user != geteuid())
    return fmt::format(
        "it belongs to user {}; only that user, or one with CAP_SYS_PTRACE, "
        "may look into it",
        view.user);
  return "looking into it takes CAP_SYS_PTRACE: it is set-user-ID, has "
         "capabilities, or has made itself undumpable";
}

}  // namespace

Result<ProcessView> ProcessView::Open(int process) {
  const ProcFolder folder(fmt::format("/proc/{}", process));
  ProcessView view{.process = process, .inner_process = process};
  const auto status = folder.Read("status");
  if (!status)
    return Fail(ErrorKind::kNoData,
                fmt::format("there is no process {}", process));
  ReadStatus(*status, view);
  auto program = folder.Link("exe");
  if (!program && errno == ENOENT)
    return Fail(ErrorKind::kNoData,
                fmt::format("process {} runs no program: it has ended, or is a "
                            "thread of the kernel",
                            process));
  const auto environment = folder.Read("environ");
  const auto map = folder.Read("maps");
  if (!program || !environment || !map) {
    view.denied = WhyDenied(view);
    return view;
  }
  view.program = WithoutDeletedMark(*program);
  view.is_program_deleted = view.program.size() < program->size();
  view.arguments = SplitNonEmpty(folder.Read("cmdline").value_or(""), '\0');
  view.environment = SplitNonEmpty(*environment, '\0');
  Diagnostics ignored;
  view.map = MemoryMap::Parse(*map, folder.Path("maps"), ignored);
  ReadNamespaces(folder, view);
  view.folder = PathThere(view, folder.Link("cwd").value_or("/"));
  return view;
}

std::string ProcessView::MoreRights() const {
  const std::string command = fmt::format("heapprof doctor {}", process);
  return geteuid() == 0
             ? "docker run --cap-add=SYS_PTRACE --pid=host IMAGE " + command
             : "sudo " + command;
}

std::optional<std::string_view> ProcessView::Variable(
    std::string_view name) const {
  for (const std::string_view entry : environment)
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

std::string ProcessView::PathHere(std::string_view path) const {
  return has_own_files ? fmt::format("/proc/{}/root{}", process, path)
                       : std::string(path);
}

std::string ProcessView::MappedHere(std::string_view path) const {
  return root.empty() ? PathHere(path) : std::string(path);
}

std::string ProcessView::RecordedHere(std::string_view path) const {
  const std::string proc = fmt::format("/proc/{}", process);
  std::error_code error;
  for (std::filesystem::directory_iterator it(proc + "/task", error), end;
       !error && it != end; it.increment(error)) {
    const std::string its_root = it->path().native() + "/root";
    if (!root.empty() && SameFile(its_root, "/proc/self/root"))
      return std::string(path);
    if (!SameFile(its_root, proc + "/root"))
      return fmt::format("{}{}", its_root, path);
  }
  return PathHere(path);
}

std::string ProcessView::ProgramHere() const {
  const std::string link = fmt::format("/proc/{}/exe", process);
  const std::string path = MappedHere(program);
  return SameFile(link, path) ? path : link;
}

std::string ProcessView::Command() const {
  const std::string name = arguments.empty() ? "" : arguments.front();
  // Programs change their titles, so this is used only if it fits.
  const bool is_name = !name.contains('/') && program.ends_with('/' + name);
  const bool is_path =
      name.starts_with('/') && SameFile(MappedHere(name), ProgramHere());
  return !name.empty() && (is_name || is_path) ? name : program;
}

bool ProcessView::HasPermission(const std::string& folder) const {
  struct stat status = {};
  if (user == 0) return true;
  if (stat(folder.c_str(), &status) != 0) return false;
  constexpr unsigned kWriteAndSearch = 3;
  constexpr int kOwnerShift = 6, kGroupShift = 3;
  const bool is_in_group =
      std::ranges::find(groups, status.st_gid) != groups.end();
  const int shift = status.st_uid == user ? kOwnerShift
                    : is_in_group         ? kGroupShift
                                          : 0;
  return (status.st_mode >> shift & kWriteAndSearch) == kWriteAndSearch;
}

std::string ProcessView::WhyNotWritable(const std::string& path) const {
  struct stat status = {};
  struct statvfs system = {};
  if (stat(path.c_str(), &status) != 0 || statvfs(path.c_str(), &system) != 0)
    return std::strerror(errno);
  if (!S_ISDIR(status.st_mode)) return std::strerror(ENOTDIR);
  if ((system.f_flag & ST_RDONLY) != 0) return std::strerror(EROFS);
  if (!HasPermission(path))
    return fmt::format("user {} may not write there", user);
  // Dumps have from some KiB to some hundred MiB.
  constexpr uint64_t kLittle = uint64_t{1} << 20;
  const uint64_t free = uint64_t{system.f_bavail} * system.f_frsize;
  if (free < kLittle && system.f_blocks != 0)
    return fmt::format("only {} are free there", FormatSize(free));
  return "";
}

}  // namespace heapprof
