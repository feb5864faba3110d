// SPDX-License-Identifier: Apache-2.0
//
// All that is known of one module, a fact per line.
#pragma once

#include "heapprof/view/module_table.h"
#include "report/field_writer.h"

namespace heapprof {

// How a row is called; `path` may be empty.
std::string ModuleTitle(const ModuleRow& row);

void WriteModuleDetails(const ModuleRow& row, FieldWriter& out);

}  // namespace heapprof
