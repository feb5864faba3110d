// SPDX-License-Identifier: Apache-2.0
//
// src/report/assets/html/folded.js does the same on the page;
// tests/assets/agreement/folded.mjs compares them.
#include "heapprof/report/collapsed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
    // A copy of long labels would touch much memory to save little.
    constexpr size_t kLong = 8 * TextTable::kChunk;
    for (const std::string& label : table.labels)
      if (label.size() < kLong)
        short_.Add(label, ";");
      else
        short_.Add("");
  }

  // Writes "main;Serve;Open ".
  void Write(const StackRow& row) {
    auto frames = table_.FramesOf(row);
    do frames = WriteSome(frames);
    while (!frames.empty());
  }

 private:
  // Writes the first of the frames, and returns the others: those of a deep
  // stack with long names are too much for one block.
  std::span<const uint32_t> WriteSome(std::span<const uint32_t> frames) {
    size_t count = 0, size = 0;
    while (count < frames.size() && size < ByteSink::kBlockSize)
      size += SizeOf(frames[count++]);
    out_.AppendBy(size + TextTable::kChunk, [&](char* to) {
      char* const begin = to;
      for (const uint32_t frame : frames.first(count)) to = Write(frame, to);
      if (count < frames.size()) return to;
      to = std::max(to, begin + 1);
      to[-1] = ' ';  // instead of the last semicolon
      return to;
    });
    return frames.subspan(count);
  }

  bool IsLong(uint32_t frame) const { return short_.SizeOf(frame) == 0; }

  // The size of "main;".
  size_t SizeOf(uint32_t frame) const {
    return IsLong(frame) ? table_.labels[frame].size() + 1
                         : short_.SizeOf(frame);
  }

  // Writes "main;" to `to`, and returns its end.
  char* Write(uint32_t frame, char* to) const {
    if (!IsLong(frame)) return short_.Write(frame, to);
    to = std::ranges::copy(table_.labels[frame], to).out;
    *to++ = ';';
    return to;
  }

  const StackTable& table_;
  ByteSink& out_;
  TextTable short_;  // "main;", by label; "" for long ones
};

// Returns the values of the rows as integers.
std::vector<Sides<int64_t>> WholeRows(const StackTable& table) {
  std::vector<Sides<int64_t>> rows(table.rows.size());
  RoundSides(
      rows.size(), [&](size_t row) { return table.rows[row].values; },
      [&](size_t row, const Sides<int64_t>& whole) { rows[row] = whole; });
  return rows;
}

}  // namespace

double WriteCollapsed(const StackTable& table, ByteSink& out) {
  double shrunk = 0;
  const std::vector<Sides<int64_t>> rows = WholeRows(table);
  StackWriter stacks(table, out);
  for (size_t row = 0; row < rows.size(); ++row) {
    const int64_t value = rows[row].now - rows[row].base;
    if (value < 0) shrunk -= static_cast<double>(value);
    if (value <= 0) continue;
    stacks.Write(table.rows[row]);
    out.Format("{}\n", value);
  }
  return shrunk;
}

void WriteTwoColumns(const StackTable& table, ByteSink& out) {
  const std::vector<Sides<int64_t>> rows = WholeRows(table);
  StackWriter stacks(table, out);
  for (size_t row = 0; row < rows.size(); ++row) {
    const auto [now, base] = rows[row];
    if (now == 0 && base == 0) continue;
    stacks.Write(table.rows[row]);
    out.Format("{} {}\n", base, now);
  }
}

}  // namespace heapprof
