// SPDX-License-Identifier: Apache-2.0
#include "cli/system/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/system/emergency_exit.h"
#include "heapprof/base/kernel_file.h"
#include "heapprof/base/split.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

bool Contains(const std::vector<std::string_view>& parts,
              std::string_view part) {
  return std::ranges::find(parts, part) != parts.end();
}

// Returns the number in a file of the control group; UINT64_MAX if there is no
// such file or if it says "max".
uint64_t LimitIn(const fs::path& file) {
  const std::string text = ReadKernelFile(file.string()).value_or("");
  uint64_t limit = UINT64_MAX;
  std::from_chars(text.data(), text.data() + text.size(), limit);
  return limit;
}

// A mounted hierarchy of control groups that can limit memory.
struct Hierarchy {
  std::string_view root;   // the group that is mounted
  std::string_view mount;  // where
  bool is_version_2 = false;
};

// Parses a line of /proc/self/mountinfo:
//   id parent device ROOT MOUNT options ... - TYPE source SUPER-OPTIONS
std::optional<Hierarchy> ParseMount(std::string_view line) {
  constexpr std::string_view kSeparator = " - ";
  const size_t separator = line.find(kSeparator);
  if (separator == line.npos) return std::nullopt;
  const auto mount = Split(line.substr(0, separator), ' ');
  const auto system = Split(line.substr(separator + kSeparator.size()), ' ');
  if (mount.size() < 5 || system.size() < 3) return std::nullopt;
  const bool is_version_2 = system[0] == "cgroup2";
  const bool is_version_1 =
      system[0] == "cgroup" && Contains(Split(system[2], ','), "memory");
  if (!is_version_1 && !is_version_2) return std::nullopt;
  return Hierarchy{mount[3], mount[4], is_version_2};
}

// Returns the path of the process's group in a hierarchy. Each line of
// /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers.
std::string_view GroupIn(const Hierarchy& hierarchy, std::string_view groups) {
  for (const std::string_view line : Split(groups, '\n')) {
    const auto parts = Split(line, ':');
    if (parts.size() < 3) continue;
    const bool is_it = hierarchy.is_version_2
                           ? parts[1].empty()
                           : Contains(Split(parts[1], ','), "memory");
    if (is_it) return line.substr(parts[0].size() + parts[1].size() + 2);
  }
  return "/";
}

// Returns the smallest limit of the group and of those that contain it.
uint64_t LimitIn(const Hierarchy& hierarchy, std::string_view groups,
                 const std::string& root) {
  std::string_view group = GroupIn(hierarchy, groups);
  // In a container, the path may begin with the group that is mounted.
  if (hierarchy.root != "/" && group.starts_with(hierarchy.root))
    group.remove_prefix(hierarchy.root.size());
  const char* const name =
      hierarchy.is_version_2 ? "memory.max" : "memory.limit_in_bytes";
  fs::path folder = root + std::string(hierarchy.mount);
  uint64_t limit = LimitIn(folder / name);
  for (const std::string_view part : Split(group, '/')) {
    if (part.empty()) continue;
    folder /= part;
    limit = std::min(limit, LimitIn(folder / name));
  }
  return limit;
}

uint64_t BytesOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGESIZE);
  return pages <= 0 || size <= 0
             ? UINT64_MAX
             : static_cast<uint64_t>(pages) * static_cast<uint64_t>(size);
}

}  // namespace

uint64_t DefaultMemoryLimit(uint64_t machine, const std::string& root) {
  uint64_t limit = machine;
  const std::string groups =
      ReadKernelFile(root + "/proc/self/cgroup").value_or("");
  const std::string mounts =
      ReadKernelFile(root + "/proc/self/mountinfo").value_or("");
  for (const std::string_view line : Split(mounts, '\n'))
    if (const auto hierarchy = ParseMount(line))
      limit = std::min(limit, LimitIn(*hierarchy, groups, root));
  return limit / 4 * 3;
}

void LimitMemory(std::optional<uint64_t> limit) {
  const uint64_t bytes = limit.value_or(DefaultMemoryLimit(BytesOfMachine()));
  rlimit current = {};
  // A sanitizer reserves terabytes, which count.
  const bool has_more = !limit && DataInUse().value_or(0) > bytes;
  if (has_more || getrlimit(RLIMIT_DATA, &current) != 0 ||
      current.rlim_cur <= bytes)
    return;
  current.rlim_cur = bytes;
  if (setrlimit(RLIMIT_DATA, &current) == 0) NoteMemoryLimit(bytes);
}

}  // namespace heapprof
