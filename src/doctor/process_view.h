// SPDX-License-Identifier: Apache-2.0
//
// What /proc tells about a process. The process may be in a container, with
// other files and another number; it may be hostile, too.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"

namespace heapprof {

struct ProcessView {
  int process = 0;
  int inner_process = 0;       // its number in its own namespace
  bool has_own_files = false;  // another root or mount namespace
  // Where its root is here, if only that differs: it has called chroot().
  std::string root = {};
  bool has_own_network = false;  // and so its own abstract sockets
  // Why it cannot be looked into; empty: it can. Then all below is unknown.
  std::string denied = {};
  // From /proc, without " (deleted)"; like the paths in `map`, as the process
  // sees it or, after chroot(), as we do.
  std::string program = {};
  bool is_program_deleted = false;
  std::string folder = {};  // its current one, as it sees it
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};  // as it was started
  MemoryMap map = {};
  uid_t user = 0;
  std::vector<gid_t> groups = {};

  // The error is of kind kNoData if there is no such process.
  static Result<ProcessView> Open(int process);

  // Returns a command with the rights to look into it.
  std::string MoreRights() const;
  std::optional<std::string_view> Variable(std::string_view name) const;
  // Returns the path by which this process can open a file of that one.
  std::string PathHere(std::string_view path) const;
  // Does so for `program` and the paths in `map`.
  std::string MappedHere(std::string_view path) const;
  // Does so for a path at the start of a recorded process: the threads that
  // make its dumps keep the root of then.
  std::string RecordedHere(std::string_view path) const;
  // Returns the same for the program itself, even if it is deleted.
  std::string ProgramHere() const;
  // Returns how it was started: the path of the program, or of a link to it.
  // Programs with several names do different things under each.
  std::string Command() const;
  // True if the owner and the mode of `folder`, a path of ours, let the process
  // write files there.
  bool HasPermission(const std::string& folder) const;
  // Returns why the process cannot write files to `folder`, a path of ours;
  // empty if it can.
  std::string WhyNotWritable(const std::string& folder) const;
};

}  // namespace heapprof
