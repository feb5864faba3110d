// SPDX-License-Identifier: Apache-2.0
//
// Checks what no profile may contain, whatever its input was.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/core.h>

#include "heapprof/profile/profile.h"

namespace heapprof {

inline bool InRange(RowRange range, size_t size) {
  return range.first <= size && range.count <= size - range.first;
}

// Describes the first string id that is out of range; empty if there is none.
inline std::string CheckNames(const Profile& profile) {
  const auto bad = [&profile](StringId id) {
    return id.index() >= profile.strings.size();
  };
  for (const Function& f : profile.functions)
    for (StringId id : {f.name, f.system_name, f.filename})
      if (bad(id)) return fmt::format("function names string {}", id.value);
  for (const Mapping& m : profile.mappings)
    for (StringId id : {m.filename, m.build_id, m.elf_path})
      if (bad(id)) return fmt::format("mapping names string {}", id.value);
  for (const Thread& thread : profile.threads)
    if (bad(thread.name))
      return fmt::format("thread names string {}", thread.name.value);
  if (bad(profile.main_binary))
    return fmt::format("main binary is string {}", profile.main_binary.value);
  for (StringId id : profile.other_programs)
    if (bad(id)) return fmt::format("a program is string {}", id.value);
  return "";
}

inline std::string CheckSample(const Profile& profile, const Sample& sample) {
  if (sample.stack.index() >= profile.stacks.size())
    return fmt::format("sample names stack {}", sample.stack.value);
  if (sample.thread.index() >= profile.threads.size())
    return fmt::format("sample names thread {}", sample.thread.value);
  if (sample.run >= std::max<size_t>(1, profile.runs[sample.side].size()))
    return fmt::format("sample is of run {}", sample.run);
  return "";
}

// Returns a description of the first id or run that is out of range; empty if
// all are valid.
inline std::string CheckValid(const Profile& profile) {
  for (const Sample& sample : profile.samples)
    if (auto bad = CheckSample(profile, sample); !bad.empty()) return bad;
  for (const Sample& sample : profile.thread_samples)
    if (auto bad = CheckSample(profile, sample); !bad.empty()) return bad;
  for (const RowRange& stack : profile.stacks)
    if (!InRange(stack, profile.frames.size()))
      return fmt::format("stack leaves the frames at {}", stack.first);
  for (LocationId frame : profile.frames)
    if (frame.IsNone() || frame.index() >= profile.locations.size())
      return fmt::format("frame names location {}", frame.value);
  for (const Location& location : profile.locations) {
    if (location.mapping.index() >= profile.mappings.size())
      return fmt::format("location names mapping {}", location.mapping.value);
    if (!InRange(location.lines, profile.lines.size()))
      return fmt::format("location leaves the lines at {}",
                         location.lines.first);
  }
  for (const Line& line : profile.lines)
    if (line.function.index() >= profile.functions.size())
      return fmt::format("line names function {}", line.function.value);
  return CheckNames(profile);
}

}  // namespace heapprof
