// SPDX-License-Identifier: Apache-2.0
#include "cli/system/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/system/control_groups.h"
#include "cli/system/emergency_exit.h"

namespace heapprof {
namespace {

uint64_t BytesOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGESIZE);
  return pages <= 0 || size <= 0
             ? UINT64_MAX
             : static_cast<uint64_t>(pages) * static_cast<uint64_t>(size);
}

}  // namespace

uint64_t DefaultMemoryLimit(uint64_t machine, const std::string& root) {
  return std::min(machine, MemoryOfGroups(root)) / 4 * 3;
}

uint64_t LimitMemory(std::optional<uint64_t> limit) {
  const uint64_t bytes = limit.value_or(DefaultMemoryLimit(BytesOfMachine()));
  rlimit current = {};
  if (getrlimit(RLIMIT_DATA, &current) != 0) return UINT64_MAX;
  // A sanitizer reserves terabytes, which count.
  const bool has_more = !limit && DataInUse().value_or(0) > bytes;
  if (has_more || current.rlim_cur <= bytes) return current.rlim_cur;
  const rlim_t before = std::exchange(current.rlim_cur, bytes);
  if (setrlimit(RLIMIT_DATA, &current) != 0) return before;
  NoteMemoryLimit(bytes);
  return bytes;
}

}  // namespace heapprof
