// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/base/text_table.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

class StackWriter {
 public:
  StackWriter(const StackTable& table, ByteSink& out)
      : table_(table), out_(out) {
    for (const std::string& label : table.labels) frames_.Add(label + ';');
  }

  // Writes "main;Serve;Open ".
  void Write(const StackRow& row) {
    const auto frames = table_.FramesOf(row);
    size_t size = TextTable::kChunk;
    for (const uint32_t frame : frames) size += frames_.SizeOf(frame);
    out_.AppendBy(size, [&](char* to) {
      char* const begin = to;
      for (const uint32_t frame : frames) to = frames_.Write(frame, to);
      to = std::max(to, begin + 1);
      to[-1] = ' ';  // instead of the last semicolon
      return to;
    });
  }

 private:
  const StackTable& table_;
  ByteSink& out_;
  TextTable frames_;  // "main;", by label
};

}  // namespace

double WriteCollapsed(const StackTable& table, ByteSink& out) {
  double shrunk = 0;
  WholeValues whole;
  StackWriter stacks(table, out);
  for (const StackRow& row : table.rows) {
    const int64_t value = whole.Next(row.change());
    if (value < 0) shrunk -= static_cast<double>(value);
    if (value <= 0) continue;
    stacks.Write(row);
    out.Format("{}\n", value);
  }
  return shrunk;
}

void WriteTwoColumns(const StackTable& table, ByteSink& out) {
  std::vector<Sides<int64_t>> columns(table.rows.size());
  RoundSides(
      table.rows.size(), [&](size_t row) { return table.rows[row].values; },
      [&](size_t row, const Sides<int64_t>& whole) { columns[row] = whole; });
  StackWriter stacks(table, out);
  for (size_t row = 0; row < columns.size(); ++row) {
    const auto [now, base] = columns[row];
    if (now == 0 && base == 0) continue;
    stacks.Write(table.rows[row]);
    out.Format("{} {}\n", base, now);
  }
}

}  // namespace heapprof
