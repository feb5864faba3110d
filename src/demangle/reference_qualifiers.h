// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Removes the " &" and " &&" that follow the arguments of functions from a name
// without argument lists. Debug information has them only in other places.
inline std::string WithoutReferenceQualifiers(std::string name) {
  for (const std::string_view qualifier : {" &&", " &"}) {
    for (size_t at = name.find(qualifier); at != name.npos;
         at = name.find(qualifier, at + 1)) {
      const std::string_view next =
          std::string_view(name).substr(at + qualifier.size());
      if (next.empty() || next.starts_with("::"))
        name.erase(at, qualifier.size());
    }
  }
  return name;
}

}  // namespace heapprof
