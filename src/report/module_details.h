// SPDX-License-Identifier: Apache-2.0
//
// Writes all details of one module, one per line.
#pragma once

#include "heapprof/view/module_table.h"
#include "report/field_writer.h"

namespace heapprof {

// Returns the path of a module. If the path is empty, the row stands for
// addresses outside the memory map, and the result says so.
std::string ModuleTitle(const ModuleRow& row);

void WriteModuleDetails(const ModuleRow& row, FieldWriter& out);

}  // namespace heapprof
