// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the line number program of a unit, for our reader and for the
// line table of the libdw engine.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <dwarf.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/line_table.h"
#include "fuzz/dwarf_fuzzing.h"

namespace heapprof {
namespace {

// A file with one unit, whose line number program is `lines`.
std::string FileWith(std::span<const uint8_t> lines) {
  DwarfBytes abbreviations;
  constexpr uint64_t kAbbreviations[] = {1,
                                         DW_TAG_compile_unit,
                                         0,
                                         DW_AT_stmt_list,
                                         DW_FORM_sec_offset,
                                         DW_AT_low_pc,
                                         DW_FORM_addr,
                                         DW_AT_high_pc,
                                         DW_FORM_data4,
                                         0,
                                         0,
                                         0};
  for (const uint64_t value : kAbbreviations) abbreviations.Uleb(value);
  DwarfBytes unit = UnitHeader5();
  unit.U8(1).U32(0).U64(kCodeStart).U32(kCodeSize);
  return MakeElf({{".debug_abbrev", abbreviations},
                  {".debug_info", DwarfBytes().Unit(unit)},
                  {".debug_line", DwarfBytes(lines)},
                  {".debug_line_str", DwarfBytes().Text("a.cc")}});
}

}  // namespace
}  // namespace heapprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heapprof;
  const std::span<const uint8_t> lines(data, size);
  ResolveIn(FileWith(lines));
  for (const bool big_endian : {false, true}) {
    LineTable program(lines, 0, big_endian);
    LineSequence sequence;
    while (program.Next(sequence)) continue;
  }
  return 0;
}
