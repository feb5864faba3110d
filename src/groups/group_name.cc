// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/printable.h"
#include "heapprof/groups/groups_file.h"

namespace heapprof {

std::string_view ExpectedGroupName(std::string_view name) {
  constexpr size_t kLongest = 60;
  if (name.size() > kLongest) return "a name of at most 60 bytes";
  if (name == "other" || Printable(name) != name ||
      name.find_first_of("()[]{}<>;\"'") != name.npos || name.contains("::"))
    return "a name other than 'other', without brackets, quotes, ';' and '::'";
  return "";
}

}  // namespace heapprof
