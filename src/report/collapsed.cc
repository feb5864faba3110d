// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <cstddef>
#include <cstdint>
#include <vector>

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
  std::vector<Sides<int64_t>> columns(table.rows.size());
  RoundSides(
      table.rows.size(), [&](size_t row) { return table.rows[row].values; },
      [&](size_t row, const Sides<int64_t>& whole) { columns[row] = whole; });
  for (size_t row = 0; row < columns.size(); ++row) {
    const auto [now, base] = columns[row];
    if (now == 0 && base == 0) continue;
    WriteStack(table, table.rows[row], out);
    out.Format(" {} {}\n", base, now);
  }
}

}  // namespace heapprof
