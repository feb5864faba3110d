// SPDX-License-Identifier: Apache-2.0
//
// Writes all details of one module, one per line.
#pragma once

#include "heapprof/view/module_table.h"
#include "report/field_writer.h"

namespace heapprof {

// The path of a module or, if `path` is empty, words that say that its
// addresses are outside the memory map.
std::string ModuleTitle(const ModuleRow& row);

void WriteModuleDetails(const ModuleRow& row, FieldWriter& out);

}  // namespace heapprof
