// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <string>
#include <string_view>
#include <vector>

#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kTraceRule =
    "-----------+-------------------------------------------------------\n";
// The widths of values and of the gap before names.
constexpr size_t kValueWidth = 10;
constexpr std::string_view kGap = "   ";

}  // namespace

void WriteTraces(const TraceTable& table, Unit unit, size_t width,
                 ByteSink& out) {
  std::vector<std::string> labels;
  for (const std::string& label : table.labels)
    labels.push_back(FitName(label, kValueWidth + kGap.size(), width));
  for (const Trace& trace : table.traces) {
    out.Append(kTraceRule);
    std::string value = FormatCell(static_cast<double>(trace.whole), unit);
    for (const uint32_t frame : table.FramesOf(trace)) {
      out.Format("{:>{}}{}{}\n", value, kValueWidth, kGap, labels[frame]);
      value.clear();
    }
  }
  if (!table.traces.empty()) out.Append(kTraceRule);
}

}  // namespace heapprof
