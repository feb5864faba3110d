// SPDX-License-Identifier: Apache-2.0
//
// A process's memory map, from the section MAPPED_LIBRARIES: of a dump or from
// /proc/PID/maps. These forms are read:
//   Linux     5629c5505000-5629c5507000 r-xp 00001000 fe:00 1096  /srv/prog
//   cooked    0000000102ce0000-0000000102e64000: /usr/lib/x.dylib
//   FreeBSD   0x400000 0x401000 1 0 0xfff r-x 1 0 0x0 COW NC vnode /bin/x
//   brief     400000 401000 /bin/x (@1000) <build id>
// plus gperftools' "build=<dir>" variable and log prefixes before a line.
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
  uint64_t limit = 0;  // first address after
  uint64_t file_offset = 0;
  std::string device;  // "fe:00"; empty if the form has none
  uint64_t inode = 0;
  bool executable = false;
  bool writable = false;      // only known from the Linux form
  bool inaccessible = false;  // "---p"
  bool deleted = false;
  std::string path;      // without " (deleted)"; empty for anonymous memory
  std::string build_id;  // only the brief form has one

  // True for a path on disk, as opposed to "[vdso]", "//anon", "/memfd:x" or
  // nothing.
  bool IsFile() const;
};

class MemoryMap {
 public:
  // Reads every line; malformed lines are counted in `diagnostics`. Where lines
  // overlap (the kernel produces the map in pieces while it changes), the later
  // line wins. An executable anonymous hole inside the text of one file, with
  // offsets that continue across it, is given to that file: text remapped to
  // huge pages looks like this.
  static MemoryMap Parse(std::string_view text, const std::string& name,
                         Diagnostics& diagnostics);

  // The entry that contains `address`.
  const MapEntry* Find(uint64_t address) const;
  // How many entries look like the stack of a thread other than the main
  // thread.
  uint32_t CountThreadStacks() const;
  // Disjoint, sorted by address.
  const std::vector<MapEntry>& entries() const { return entries_; }

 private:
  std::vector<MapEntry> entries_;
};

// One line of a memory map, in any of the forms above.
std::optional<MapEntry> ParseMapLine(std::string_view line);

}  // namespace heapprof
