// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_format.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace heapprof {
namespace {

using enum OutputMode;

constexpr OutputFormat kFormats[] = {
    {kOverview, "overview", ""},
    {kText, "text", ".txt"},
    {kCollapsed, "collapsed", ".collapsed .folded"},
    {kProto, "proto", ".pb.gz .pb", true},
    {kRaw, "raw", ".raw"},
    {kDot, "dot", ".dot .gv"},
    {kSvg, "svg", ".svg"},
    {kPdf, "pdf", ".pdf", true},
    {kPs, "ps", ".ps"},
    {kPng, "png", ".png", true},
    {kGif, "gif", ".gif", true},
    {kCallgrind, "callgrind", ".callgrind"},
    {kTree, "tree", ""},
    {kPeek, "peek", "", false, true},
    {kCallers, "callers", "", false, true},
    {kCallees, "callees", "", false, true},
    {kTraces, "traces", ""},
    {kThreads, "threads", ""},
    {kSymbols, "symbols", ""},
    {kList, "list", "", false, true},
    {kDisasm, "disasm", "", false, true},
};

std::string_view FileName(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

// Nothing if the name ends in no extension that is known.
std::optional<OutputMode> ModeOfName(std::string_view path) {
  for (const OutputFormat& format : kFormats)
    for (const auto part : std::views::split(format.extensions, ' ')) {
      const std::string_view extension(part.begin(), part.end());
      if (FileName(path).size() > extension.size() && path.ends_with(extension))
        return format.mode;
    }
  return std::nullopt;
}

// ".svg" of "mem.svg"; empty for "report", "-" and ".hidden".
std::string_view Extension(std::string_view path) {
  const std::string_view name = FileName(path);
  const size_t dot = name.find_last_of('.');
  return dot == 0 || dot == name.npos ? "" : name.substr(dot);
}

Result<OutputMode> ModeByName(const std::string& path) {
  if (const auto mode = ModeOfName(path)) return *mode;
  const std::string_view extension = Extension(path);
  if (extension.empty()) return kText;
  // A file called mem.html with a table inside helps nobody.
  return Fail(ErrorKind::kUsage,
              fmt::format("-o {}: no output has files called {}; choose an "
                          "output, such as --text",
                          path, extension));
}

Result<void> CheckDistinct(std::span<const std::string> paths) {
  std::vector<std::string> sorted(paths.begin(), paths.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted);
      twice != sorted.end())
    return Fail(ErrorKind::kUsage, fmt::format("-o {}: named twice", *twice));
  return {};
}

}  // namespace

std::span<const OutputFormat> OutputFormats() { return kFormats; }

const OutputFormat& FormatOf(OutputMode mode) {
  return *std::ranges::find(kFormats, mode, &OutputFormat::mode);
}

Result<std::vector<Output>> ChooseOutputs(std::optional<OutputMode> mode,
                                          std::span<const std::string> paths) {
  if (auto distinct = CheckDistinct(paths); !distinct)
    return std::unexpected(distinct.error());
  if (paths.empty()) return std::vector<Output>{{.mode = mode.value_or(kText)}};
  std::vector<Output> outputs;
  for (const std::string& path : paths) {
    if (mode &&
        (paths.size() == 1 || ModeOfName(path).value_or(kText) == kText)) {
      outputs.push_back({*mode, path});
      continue;
    }
    const auto by_name = ModeByName(path);
    if (!by_name) return std::unexpected(by_name.error());
    outputs.push_back({*by_name, path});
  }
  return outputs;
}

}  // namespace heapprof
