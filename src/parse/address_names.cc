// SPDX-License-Identifier: Apache-2.0
#include "parse/address_names.h"

#include <cstddef>

#include "heapprof/base/char_class.h"

namespace heapprof {

bool StandsForAddress(std::string_view name) {
  const size_t mark = name.rfind("0x");
  if (mark == name.npos) return false;
  const std::string_view digits = name.substr(mark + 2);
  return IsAllHex(digits) && (mark == 0 || name[mark - 1] == '+');
}

}  // namespace heapprof
