// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kTraceRule =
    "-----------+-------------------------------------------------------";
// The widths of values and of the gap before names.
constexpr size_t kValueWidth = 10;
constexpr std::string_view kGap = "   ";

}  // namespace

void WriteTraces(const TraceTable& table, Unit unit, size_t width,
                 ByteSink& out) {
  std::vector<NameInLine> names;
  for (const std::string& label : table.labels)
    names.push_back({label, kValueWidth + kGap.size()});
  const std::vector<std::string> labels = FitNames(names, width);
  std::string rule(kTraceRule);
  if (width != 0) rule.resize(std::min(rule.size(), width));
  rule += '\n';
  for (const Trace& trace : table.traces) {
    out.Append(rule);
    std::string value = FormatCell(static_cast<double>(trace.whole), unit);
    for (const uint32_t frame : table.FramesOf(trace)) {
      out.Format("{:>{}}{}{}\n", value, kValueWidth, kGap, labels[frame]);
      value.clear();
    }
  }
  if (!table.traces.empty()) out.Append(rule);
}

}  // namespace heapprof
