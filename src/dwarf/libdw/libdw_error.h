// SPDX-License-Identifier: Apache-2.0
//
// Tells why a libdw call failed. libdw keeps the last error of each thread
// until it is read, and some calls fail without setting an error. So call
// ClearLibdwError() before the libdw call; otherwise TakeLibdwError() may
// return the text of an earlier error.
#pragma once

#include <string_view>

#include <elfutils/libdw.h>

namespace heapprof {

inline void ClearLibdwError() { dwarf_errno(); }

inline std::string_view TakeLibdwError() {
  const int error = dwarf_errno();
  return error == 0 ? "unknown error" : dwarf_errmsg(error);
}

}  // namespace heapprof
