// SPDX-License-Identifier: Apache-2.0
//
// In place of demangle_name.cc, for a build without libiberty: names stay as
// they are.
#include "demangle/demangle_name.h"
#include "heapprof/demangle/demangle.h"

namespace heapprof {

bool CanDemangle() { return false; }

bool IsMangled(std::string_view /*name*/) { return false; }

bool DemangleName(const std::string& /*mangled*/, DemangleSink& /*sink*/) {
  return false;
}

}  // namespace heapprof
