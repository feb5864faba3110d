// SPDX-License-Identifier: Apache-2.0
//
// The members of a JSON report for --tree, --peek, --callers, --callees and
// --traces.
#pragma once

#include "heapprof/report/report_json.h"
#include "report/member_lines.h"

namespace heapprof {

// Adds the members for `table`; nothing if there is no table.
void AddTable(const RequestedTable& table, MemberLines& out);

}  // namespace heapprof
