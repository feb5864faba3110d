// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <cstdint>

#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

void WriteStack(const StackTable& table, const StackRow& row, ByteSink& out) {
  bool is_root = true;
  for (const uint32_t frame : table.FramesOf(row)) {
    if (!is_root) out.Append(";");
    out.Append(table.labels[frame]);
    is_root = false;
  }
}

}  // namespace

double WriteCollapsed(const StackTable& table, ByteSink& out) {
  double shrunk = 0;
  WholeValues whole;
  for (const StackRow& row : table.rows) {
    const int64_t value = whole.Next(row.change());
    if (value < 0) shrunk -= static_cast<double>(value);
    if (value <= 0) continue;
    WriteStack(table, row, out);
    out.Format(" {}\n", value);
  }
  return shrunk;
}

void WriteTwoColumns(const StackTable& table, ByteSink& out) {
  WholeValues whole_now, whole_before;
  for (const StackRow& row : table.rows) {
    const int64_t now = whole_now.Next(row.now);
    const int64_t before = whole_before.Next(row.before);
    if (now == 0 && before == 0) continue;
    WriteStack(table, row, out);
    out.Format(" {} {}\n", before, now);
  }
}

}  // namespace heapprof
