// SPDX-License-Identifier: Apache-2.0
//
// Keeps outputs from replacing what is read: a dump of a process that has ended
// cannot be made again.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/read_series.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Files that must not be replaced, by whatever path.
class KeptFiles {
 public:
  void Add(const std::vector<std::string>& paths);
  bool Contain(const std::string& path) const;

 private:
  std::set<std::pair<dev_t, ino_t>> ids_;
};

// Returns what a run reads, apart from programs: the files that are named, are
// in a folder that is named, or are next to a dump for 'heapprof explain'.
// `arguments` are those of `options`.
KeptFiles InputsOf(const Options& options, const SeriesArguments& arguments);

// False also for what does not exist. Nothing can replace a device.
bool IsRegularFile(const std::string& path);

// True for a program or a library. No output may replace one: the memory map of
// a dump names more of them than the command line.
bool IsProgramFile(const std::string& path);

// Fails if an output would replace a program or an input. Does not check the
// outputs of --each, whose paths are patterns; see PlanEachDump().
Result<void> CheckInputsAreKept(const Options& options);

}  // namespace heapprof
