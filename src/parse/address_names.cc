// SPDX-License-Identifier: Apache-2.0
#include "parse/address_names.h"

#include <cstddef>

namespace heapprof {

bool IsLowerHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool StandsForAddress(std::string_view name) {
  const size_t mark = name.rfind("0x");
  if (mark == name.npos) return false;
  const std::string_view digits = name.substr(mark + 2);
  return !digits.empty() && IsLowerHex(digits) &&
         (mark == 0 || name[mark - 1] == '+');
}

}  // namespace heapprof
