// SPDX-License-Identifier: Apache-2.0
//
// Where to look for the other files that hold a program's debug information:
// split DWARF (.dwo, .dwp) and the alternate file that dwz makes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct SplitSearch {
  // Packages (.dwp), best first.
  std::vector<std::string> packages = {};
  // The paths at which a .dwo file may be, best first, given the directory of
  // compilation and the name that are recorded for it. May be null.
  std::function<std::vector<std::string>(std::string_view directory,
                                         std::string_view name)>
      candidates = {};
  // The file that dwz moved DIEs to; null if there is none. Must outlive
  // the resolver.
  const ElfImage* alternate = nullptr;
};

}  // namespace heapprof
