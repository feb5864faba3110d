// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/style_names.h"

#include <string>

namespace heapprof {

void StyleNames(Profile& profile, NameStyle style) {
  for (Function& function : profile.functions) {
    if (function.unresolved) continue;
    const std::string name(profile.String(function.name));
    function.name = profile.strings.Intern(StyledName(name, style));
  }
}

}  // namespace heapprof
