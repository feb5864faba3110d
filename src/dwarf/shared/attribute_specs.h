// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <dwarf.h>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

// Moves `cursor` past the attribute specifications of an abbreviation, and
// calls `f` with the attribute (DW_AT_*) and the form (DW_FORM_*) of each.
// Stops if `f` returns false.
template <typename F>
void ForEachAttributeSpec(LittleEndianCursor& cursor, const F& f) {
  while (cursor.ok()) {
    const uint64_t attribute = cursor.Uleb();
    const uint64_t form = cursor.Uleb();
    if ((attribute == 0 && form == 0) || !cursor.ok()) return;
    if (!f(attribute, form)) return;
    if (form == DW_FORM_implicit_const) cursor.SkipLeb();
  }
}

}  // namespace heapprof
