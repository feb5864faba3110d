// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/draw_graph.h"

#include <algorithm>
#include <ctime>
#include <string_view>

#include "heapprof/process/run_process.h"

namespace heapprof {
namespace {

// Graphviz's name of a format.
const char* FormatName(OutputMode mode) {
  switch (mode) {
    case OutputMode::kSvg:
      return "svg";
    case OutputMode::kPdf:
      return "pdf";
    case OutputMode::kPs:
      return "ps2";  // what ps2pdf is made for
    case OutputMode::kPng:
      return "png";
    default:
      return "gif";
  }
}

// Overwrites when a PDF was made: "/CreationDate (D:20260131235959Z)". The
// length stays, as PDF counts bytes.
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

}  // namespace

Result<std::string> DrawGraph(const std::string& dot, OutputMode mode,
                              int64_t time_seconds) {
  auto picture =
      RunProcess({.program = "dot",
                  .package = "graphviz",
                  .arguments = {"-T" + std::string(FormatName(mode))}},
                 dot);
  if (picture && mode == OutputMode::kPdf)
    SetCreationDate(time_seconds, *picture);
  return picture;
}

}  // namespace heapprof
