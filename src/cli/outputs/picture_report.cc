// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/report_request.h"
#include "heapprof/process/run_process.h"
#include "heapprof/report/dot.h"
#include "heapprof/report/pan_zoom.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

constexpr const OutputFormat* kDot = OutputNamed("dot");
constexpr const OutputFormat* kPdf = OutputNamed("pdf");
constexpr const OutputFormat* kSvg = OutputNamed("svg");

// Returns Graphviz's name for a format. For PostScript, this is "ps2", a
// variant that ps2pdf can convert.
std::string_view GraphvizName(const OutputFormat& format) {
  return format.name == "ps" ? "ps2" : format.name;
}

// Overwrites the creation date of a PDF, "/CreationDate (D:20260131235959Z)".
// The length stays the same, because PDF stores byte offsets.
void SetCreationDate(int64_t time_seconds, std::string& pdf) {
  constexpr std::string_view kMark = "/CreationDate (D:";
  constexpr size_t kDigits = 14;
  const size_t mark = pdf.rfind(kMark);
  if (mark == pdf.npos || pdf.size() - mark < kMark.size() + kDigits) return;
  const time_t time = time_seconds;
  std::tm parts = {};
  char text[kDigits + 1] = {};
  if (gmtime_r(&time, &parts) == nullptr ||
      strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts) != kDigits)
    return;
  std::copy_n(text, kDigits,
              pdf.begin() + static_cast<std::ptrdiff_t>(mark + kMark.size()));
}

// Returns the unit of the numbers in a graph. It is jeprof's in --dot; in a
// picture, it suits the largest number.
Unit UnitOfGraph(const CallGraph& graph, const ReportRequest& request) {
  const Unit unit = UnitOf(request.options);
  return unit == Unit::kMegabytes && request.output.format != kDot
             ? TableUnit(Difference(graph.nodes.front().cumulative))
             : unit;
}

Result<std::string> DotText(const ReportRequest& request) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  const CallGraph graph =
      MakeCallGraph(profile, {.metric = options.metric,
                              .labels = LabelsOf(options),
                              .limits = options.graph,
                              .judges_changes = profile.is_comparison});
  if (graph.nodes.empty())
    return Fail(ErrorKind::kNoData,
                graph.hidden_nodes != 0
                    ? "nothing to draw: no function is above --nodefraction"
                : profile.is_comparison
                    ? "nothing to draw: no function changed"
                    : "nothing to draw: no function holds anything");
  const std::string_view program = profile.String(profile.main_binary);
  return WriteDot(
      graph, {.title = std::string(program.empty() ? "heap profile" : program),
              .unit = UnitOfGraph(graph, request),
              .mark_leaks = options.mark_leaks,
              .fit_page = request.output.format == kPdf});
}

}  // namespace

Result<void> MakeDotReport(const ReportRequest& request, ByteSink& out) {
  const auto dot = DotText(request);
  if (!dot) return std::unexpected(dot.error());
  out.Append(*dot);
  return {};
}

// Draws the call graph with Graphviz. A PDF gets the date of the dump, so that
// the same input always gives the same bytes.
Result<void> MakePictureReport(const ReportRequest& request, ByteSink& out) {
  const auto dot = DotText(request);
  if (!dot) return std::unexpected(dot.error());
  const OutputFormat* format = request.output.format;
  auto picture =
      RunProcess({.program = "dot",
                  .package = "graphviz",
                  .arguments = {fmt::format("-T{}", GraphvizName(*format))}},
                 *dot);
  if (!picture) return std::unexpected(picture.error());
  if (format == kPdf) SetCreationDate(request.profile.time_seconds, *picture);
  if (format == kSvg) picture = WithPanAndZoom(std::move(*picture));
  out.Append(*picture);
  return {};
}

}  // namespace heapprof
