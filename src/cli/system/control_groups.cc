// SPDX-License-Identifier: Apache-2.0
#include "cli/system/control_groups.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "heapprof/base/kernel_file.h"
#include "heapprof/base/split.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

bool Contains(const std::vector<std::string_view>& parts,
              std::string_view part) {
  return std::ranges::find(parts, part) != parts.end();
}

// A mounted hierarchy of control groups that can limit what is asked for.
struct Hierarchy {
  std::string_view root;   // the group that is mounted
  std::string_view mount;  // where
  bool is_version_2 = false;
};

// Parses a line of /proc/self/mountinfo:
//   id parent device ROOT MOUNT options ... - TYPE source SUPER-OPTIONS
std::optional<Hierarchy> ParseMount(std::string_view line,
                                    std::string_view controller) {
  constexpr std::string_view kSeparator = " - ";
  const size_t separator = line.find(kSeparator);
  if (separator == line.npos) return std::nullopt;
  const auto mount = Split(line.substr(0, separator), ' ');
  const auto system = Split(line.substr(separator + kSeparator.size()), ' ');
  if (mount.size() < 5 || system.size() < 3) return std::nullopt;
  const bool is_version_2 = system[0] == "cgroup2";
  const bool is_version_1 =
      system[0] == "cgroup" && Contains(Split(system[2], ','), controller);
  if (!is_version_1 && !is_version_2) return std::nullopt;
  return Hierarchy{mount[3], mount[4], is_version_2};
}

// Returns the path of the process's group in a hierarchy. Each line of
// /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers.
std::string_view GroupIn(const Hierarchy& hierarchy, std::string_view groups,
                         std::string_view controller) {
  for (const std::string_view line : Split(groups, '\n')) {
    const auto parts = Split(line, ':');
    if (parts.size() < 3) continue;
    const bool is_it = hierarchy.is_version_2
                           ? parts[1].empty()
                           : Contains(Split(parts[1], ','), controller);
    if (is_it) return line.substr(parts[0].size() + parts[1].size() + 2);
  }
  return "/";
}

// A folder with the limits of a group.
struct GroupFolder {
  fs::path path;
  bool is_version_2 = false;
};

// Returns the groups of this process in which `controller` may set limits, and
// those that contain them.
std::vector<GroupFolder> FindGroups(std::string_view controller,
                                    const std::string& root) {
  const std::string groups =
      ReadKernelFile(root + "/proc/self/cgroup").value_or("");
  const std::string mounts =
      ReadKernelFile(root + "/proc/self/mountinfo").value_or("");
  std::vector<GroupFolder> found;
  for (const std::string_view line : Split(mounts, '\n')) {
    const auto hierarchy = ParseMount(line, controller);
    if (!hierarchy) continue;
    std::string_view path = GroupIn(*hierarchy, groups, controller);
    // In a container, the path may begin with the group that is mounted.
    if (hierarchy->root != "/" && path.starts_with(hierarchy->root))
      path.remove_prefix(hierarchy->root.size());
    fs::path folder = root + std::string(hierarchy->mount);
    found.push_back({folder, hierarchy->is_version_2});
    for (const std::string_view part : Split(path, '/')) {
      if (part.empty()) continue;
      folder /= part;
      found.push_back({folder, hierarchy->is_version_2});
    }
  }
  return found;
}

// Returns the number at the start of `text`, and removes it. Returns nothing if
// there is none, as for "max" or -1, which mean no limit.
std::optional<uint64_t> TakeNumber(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

std::optional<uint64_t> NumberIn(const fs::path& file) {
  const std::string text = ReadKernelFile(file.string()).value_or("");
  std::string_view rest = text;
  return TakeNumber(rest);
}

// Returns how many processors' time a group may use. Of version 2, cpu.max has
// "TIME PERIOD".
std::optional<double> ProcessorsOf(const GroupFolder& group) {
  std::optional<uint64_t> time;
  std::optional<uint64_t> period;
  if (group.is_version_2) {
    const std::string text =
        ReadKernelFile((group.path / "cpu.max").string()).value_or("");
    std::string_view rest = text;
    time = TakeNumber(rest);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    period = TakeNumber(rest);
  } else {
    time = NumberIn(group.path / "cpu.cfs_quota_us");
    period = NumberIn(group.path / "cpu.cfs_period_us");
  }
  if (!time || !period || *period == 0) return std::nullopt;
  return static_cast<double>(*time) / static_cast<double>(*period);
}

}  // namespace

uint64_t MemoryOfGroups(const std::string& root) {
  uint64_t least = UINT64_MAX;
  for (const GroupFolder& group : FindGroups("memory", root)) {
    const char* const name =
        group.is_version_2 ? "memory.max" : "memory.limit_in_bytes";
    least = std::min(least, NumberIn(group.path / name).value_or(UINT64_MAX));
  }
  return least;
}

double ProcessorsOfGroups(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  for (const GroupFolder& group : FindGroups("cpu", root))
    least = std::min(least, ProcessorsOf(group).value_or(least));
  return least;
}

}  // namespace heapprof
