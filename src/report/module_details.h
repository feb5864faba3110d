// SPDX-License-Identifier: Apache-2.0
//
// Writes all details of one module, one per line.
#pragma once

#include "heapprof/view/module_table.h"
#include "report/field_writer.h"

namespace heapprof {

// The title of a row, whose `path` may be empty.
std::string ModuleTitle(const ModuleRow& row);

void WriteModuleDetails(const ModuleRow& row, FieldWriter& out);

}  // namespace heapprof
