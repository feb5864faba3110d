// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

constexpr std::string_view kRule =
    "-----------+-------------------------------------------------------\n";

}  // namespace

std::string WriteTraces(const std::vector<Trace>& traces, Unit unit) {
  std::string out;
  for (const Trace& trace : traces) {
    out += kRule;
    std::string value = FormatCell(trace.value, unit);
    for (const std::string& frame : trace.frames) {
      fmt::format_to(std::back_inserter(out), "{:>10}   {}\n", value,
                     Printable(frame));
      value.clear();
    }
  }
  if (!traces.empty()) out += kRule;
  return out;
}

}  // namespace heapprof
