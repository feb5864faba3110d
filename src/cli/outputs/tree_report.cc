// SPDX-License-Identifier: Apache-2.0
//
// --tree and --peek.
#include "cli/outputs/report_request.h"
#include "cli/outputs/requested_tables.h"
#include "heapprof/report/tree.h"

namespace heapprof {
namespace {

void Write(const CallersCalleesTable& table, const ReportRequest& request,
           ByteSink& out) {
  WriteTree(table, UnitOf(request.options), request.Style().columns, out);
}

}  // namespace

Result<void> MakeTreeReport(const ReportRequest& request, ByteSink& out) {
  Write(CallersCalleesOfAll(request), request, out);
  return {};
}

Result<void> MakePeekReport(const ReportRequest& request, ByteSink& out) {
  const auto table = CallersCalleesOfMatches(request);
  if (!table) return std::unexpected(table.error());
  Write(*table, request, out);
  return {};
}

}  // namespace heapprof
