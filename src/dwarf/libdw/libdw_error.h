// SPDX-License-Identifier: Apache-2.0
//
// Why a call of libdw failed. libdw keeps the error of each thread until
// somebody asks for it, and some calls fail without setting one: without
// ClearLibdwError() in front of the call, the text is that of an older failure.
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
