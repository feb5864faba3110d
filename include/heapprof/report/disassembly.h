// SPDX-License-Identifier: Apache-2.0
//
// Annotated machine code, in jeprof's layout:
//
//   ROUTINE ====================== demo::Grow
//      0.0    4.0 MB (flat, cumulative) 80.0% of total
//   -------------------- /src/grow.cc
//        .      .    18: void Grow() {
//        .      .        11a0: push   %rbx
//   -------------------- /src/hold.h (hold::Keep inlined at grow.cc:19)
//        .    4.0    31: block = std::malloc(4 << 20);
//        .      .        11a1: mov    $0x400000,%edi
//        .    4.0        11a6: call   1030 <malloc@plt>
//
// Columns: flat, cumulative, line number or file address, text. A line of
// dashes precedes code from another file or from another inlined call. (jeprof
// writes such a line only for another file.)
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/disassembly.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Takes the path of a source file and returns its lines, or no lines if the
// file was not found.
using SourceLines =
    std::function<const std::vector<std::string_view>&(const std::string&)>;

// On a terminal, the columns are called as in WriteListing().
std::string WriteDisassembly(const ListedRoutine& routine,
                             const SourceLines& source, Unit unit,
                             bool is_terminal = false, size_t width = 0);

}  // namespace heapprof
