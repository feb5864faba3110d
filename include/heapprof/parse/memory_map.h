// SPDX-License-Identifier: Apache-2.0
//
// A process's memory map, from the section MAPPED_LIBRARIES: of a dump or from
// /proc/PID/maps. These forms are read:
//   Linux     5629c5505000-5629c5507000 r-xp 00001000 fe:00 1096  /srv/prog
//   cooked    0000000102ce0000-0000000102e64000: /usr/lib/x.dylib
//   FreeBSD   0x400000 0x401000 1 0 0xfff r-x 1 0 0x0 COW NC vnode /bin/x
//   brief     400000 401000 /bin/x (@1000) <build id>
// The prefix of a logging library may precede any line. A line "build=<dir>",
// which gperftools writes, says what "$build" stands for in the paths of the
// lines after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

struct MapEntry {
  uint64_t start = 0;
  uint64_t limit = 0;  // the first address after the region
  uint64_t file_offset = 0;
  std::string device;  // "fe:00"; empty if the form has none
  uint64_t inode = 0;
  bool executable = false;
  bool writable = false;      // only known from the Linux form
  bool inaccessible = false;  // no access: "---p"
  bool is_private = false;    // not shared; only known from the Linux form
  bool deleted = false;
  std::string path;      // without " (deleted)"; empty for anonymous memory
  std::string build_id;  // only the brief form has one

  // True if `path` is a path on disk, or a memory file "/memfd:x" from which a
  // program or a library was loaded, for its code. False if it is empty or
  // another name, such as "[vdso]", "//anon" or that of heapprof's recorder.
  bool IsFile() const;
};

class MemoryMap {
 public:
  // Reads a memory map. `name` is the input's name in messages. Counts
  // malformed lines in `diagnostics`. Lines may overlap, because the map may
  // change while the kernel is writing it. Then the later line wins.
  //
  // A program may copy its code to huge pages. Its map then has anonymous
  // executable memory between two lines of the same file. The memory is treated
  // as part of the file if it is as large as the part of the file that the two
  // lines leave out, or as a segment that has a page in common with each of
  // them.
  static MemoryMap Parse(std::string_view text, const std::string& name,
                         Diagnostics& diagnostics);

  // Returns the entry that contains `address`; null if there is none.
  const MapEntry* Find(uint64_t address) const;
  // Counts the entries that look like the stack of a thread. The stack of the
  // main thread is not counted.
  uint32_t CountThreadStacks() const;
  // Disjoint, sorted by address.
  const std::vector<MapEntry>& entries() const { return entries_; }

 private:
  std::vector<MapEntry> entries_;
};

// True if a path in a memory map, without " (deleted)", is a path on disk.
// False if it is empty, a name such as "[vdso]", "//anon" or "/memfd:x", or
// that of heapprof's recorder.
bool IsDiskPath(std::string_view path);

// True if `stack`, the entry after `guard`, looks like the stack of a thread
// other than the main thread.
bool LooksLikeThreadStack(const MapEntry& guard, const MapEntry& stack);

// Parses one line of a memory map. Returns nothing if it has none of the forms
// at the top of this file.
std::optional<MapEntry> ParseMapLine(std::string_view line);

}  // namespace heapprof
