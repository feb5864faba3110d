// SPDX-License-Identifier: Apache-2.0
//
// Where to look for the other files that hold a program's debug information:
// split DWARF (.dwo, .dwp), and the alternate file that dwz writes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct SplitSearch {
  // Paths where a package (.dwp) may be, best first.
  std::vector<std::string> packages = {};
  // Returns the paths where a .dwo file may be, best first. The arguments are
  // the compilation directory and the file name that the skeleton unit records.
  // May be null.
  std::function<std::vector<std::string>(std::string_view directory,
                                         std::string_view name)>
      candidates = {};
  // The alternate file, to which dwz has moved DIEs that several files share;
  // null if there is none. Must outlive the resolver.
  const ElfImage* alternate = nullptr;
};

}  // namespace heapprof
