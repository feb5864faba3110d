// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/info_text.h"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/short_build_id.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/view/confidence_text.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/module_overview.h"
#include "heapprof/view/units.h"
#include "heapprof/view/whole_values.h"
#include "report/field_writer.h"
#include "report/fit_name.h"
#include "report/module_details.h"

namespace heapprof {
namespace {

const MetricTotal* FindTotal(const Info& info, Metric metric) {
  const auto it = std::ranges::find(info.totals, metric, &MetricTotal::metric);
  return it == info.totals.end() ? nullptr : &*it;
}

std::string FormatSampling(uint64_t period) {
  if (period == 0) return "period not known: no error bars";
  if (SamplesEverything(period)) return "none: the totals are exact";
  return fmt::format("one sample per {} on average", FormatSize(period));
}

// Returns, for example, "1.2 MiB (1.0 MiB to 1.4 MiB with 95 % confidence), 35
// objects".
std::string FormatTotals(const MetricTotal& bytes, const MetricTotal* objects,
                         bool is_difference) {
  std::string text = FormatBytes(bytes.value);
  if (is_difference)
    text = fmt::format("a change of {}{}", PlusOf(bytes.value), text);
  if (bytes.interval && !bytes.is_exact) {
    const Interval bounds = RoundedOutwards(*bytes.interval);
    const std::string lower = FormatBytes(bounds.lower);
    const std::string upper = FormatBytes(bounds.upper);
    if (lower != upper)
      text += fmt::format(" ({} to {} with {} confidence)", lower, upper,
                          ConfidenceText());
  }
  if (objects == nullptr) return text;
  const bool is_estimate = bytes.interval && !bytes.is_exact;
  return text + (is_estimate ? ", about " : ", ") +
         FormatAmount(objects->value, Unit::kObjects);
}

void WriteTotals(const Info& info, FieldWriter& out) {
  for (const auto& [key, space, objects] :
       {std::tuple("live", Metric::kInuseSpace, Metric::kInuseObjects),
        std::tuple("allocated", Metric::kAllocSpace, Metric::kAllocObjects)})
    if (const MetricTotal* bytes = FindTotal(info, space))
      out.Field(key, FormatTotals(*bytes, FindTotal(info, objects),
                                  info.is_difference));
}

std::string FormatStacks(const Info& info) {
  if (info.threads == 0) return fmt::format("{}", info.stacks);
  return fmt::format(
      "{}, of {}{}", info.stacks, Counted(info.threads, "thread"),
      info.threads_share_errors
          ? ", more than the memory map has stacks for: some may share "
            "sampling errors, so all bounds are wider (heapprof help accuracy)"
          : "");
}

double FreeBytes(const SlabClass& slabs) {
  return static_cast<double>(slabs.slab_bytes - slabs.used_bytes);
}

// Returns, for example, "8.1 MiB free of 20.4 MiB (39.7%), most for objects of
// 224 B (5.0 MiB)".
std::string FormatSlabs(const std::vector<SlabClass>& classes) {
  double all = 0, free = 0;
  for (const SlabClass& slabs : classes) {
    all += static_cast<double>(slabs.slab_bytes);
    free += FreeBytes(slabs);
  }
  const SlabClass& most = *std::ranges::max_element(classes, {}, FreeBytes);
  std::string text =
      fmt::format("{} free of {} ({})", FormatBytes(free), FormatBytes(all),
                  FormatShare(Percent(free, all)));
  if (free > 0)
    text += fmt::format(", most for objects of {} B ({})", most.region_size,
                        FormatBytes(FreeBytes(most)));
  return text;
}

std::string FormatNamed(const Info& info) {
  const char* words = MetricWords(info.modules.metric);
  const double named = 100 - info.modules.nameless_percent;
  return fmt::format("{} of the {}, {} with source lines", FormatShare(named),
                     words, FormatShare(info.modules.lined_percent));
}

// Says which modules got their names from portable indexes: those of which this
// is assumed, and the number of the others.
std::string FormatIndexes(const ModuleTable& modules) {
  std::string assumed;
  size_t others = 0;
  for (const ModuleRow& row : modules.rows) {
    if (row.info.is_assumed)
      assumed +=
          fmt::format("{}{} (build {})", assumed.empty() ? "" : ", ",
                      BaseName(row.path), ShortBuildId(row.info.build_id));
    else if (!row.info.index_file.empty())
      ++others;
  }
  std::string text;
  if (others != 0) text = "name the frames of " + Counted(others, "module");
  if (!assumed.empty())
    text += fmt::format(
        "{}{}, chosen by size and return addresses: no build id proves that {} "
        "ran",
        text.empty() ? "name the frames of " : ", and of ", assumed,
        assumed.contains(", ") ? "these builds" : "this build");
  return text;
}

void WriteDump(const Info& info, FieldWriter& out) {
  out.Line(info.dump.path);
  if (!info.program.empty()) out.Field("program", info.program);
  out.Field("format", info.dump.produced_by.empty()
                          ? info.dump.format
                          : fmt::format("{} ({})", info.dump.format,
                                        info.dump.produced_by));
  if (info.time_seconds != 0) out.Field("written", UtcTime(info.time_seconds));
  out.Field("sampling", FormatSampling(info.sampling_period));
  if (!info.has_memory_map && !info.is_symbolized)
    out.Field("memory map", "none; --maps FILE takes that of FILE");
  if (info.is_symbolized) out.Field("names", "in the file");
  WriteTotals(info, out);
  out.Field("stacks", FormatStacks(info));
  if (!info.more_sample_types.empty())
    out.Field("other types",
              fmt::format("{}; --sample-type=TYPE shows one",
                          fmt::join(info.more_sample_types, ", ")));
  if (info.lists_objects)
    out.Field("objects",
              "sizes and ages known; --min-age 2m shows only old ones");
  if (!info.slab_classes.empty())
    out.Field("slabs", FormatSlabs(info.slab_classes));
  if (!info.modules.rows.empty()) out.Field("named", FormatNamed(info));
  if (const std::string indexes = FormatIndexes(info.modules); !indexes.empty())
    out.Field("indexes", indexes);
  for (const std::string& file : info.dump.unused_files)
    out.Field("does not fit", file);
}

std::string FormatMore(const ModuleOverview& overview) {
  std::string text =
      fmt::format("  {} with {}:", Counted(overview.more, "more module"),
                  FormatShare(overview.more_percent));
  for (const auto& [status, count] : overview.more_by_status)
    text += fmt::format(
        "{} {} {}",
        &count == &overview.more_by_status.front().second ? "" : ",", count,
        StatusName(status));
  return text;
}

void WriteTable(const Info& info, const ModuleOverview& overview, size_t width,
                FieldWriter& out) {
  out.Line(fmt::format("Modules by their share of the {}",
                       MetricWords(info.modules.metric)));
  out.Line("  share  no names  status       module");
  for (const ModuleRow* row : overview.rows) {
    const std::string nameless =
        row->nameless_percent == 0 ? "" : FormatShare(row->nameless_percent);
    std::string line =
        fmt::format("{:>7}  {:>8}  {:<11}  ", FormatShare(row->percent),
                    nameless, StatusName(row->status));
    line += FitName(ModuleTitle(*row), line.size(), width);
    out.Line(line);
  }
  if (overview.more != 0) out.Line(FormatMore(overview));
}

std::string HeadOf(const ModuleGap& gap) {
  if (gap.is_outside_map) return fmt::format("Addresses {}", kOutsideMap);
  switch (gap.file_state) {
    case FileState::kFound:
      return "Not all addresses have a name or a line";
    case FileState::kNoDebugInfo:
      return "No debug information";
    case FileState::kKernelCode:
      return "Code of the kernel";
    case FileState::kGenerated:
      return "Code made at run time";
    case FileState::kNotFound:
      return "File not found";
    case FileState::kUnreadable:
      return "File not readable";
    case FileState::kAnotherBuild:
      return "Not the file that ran";
    case FileState::kNoAddresses:
      return "Addresses of unknown kind";
  }
  return "";
}

// `gap` stands for modules in which names are missing for the same reason.
// Returns true if its heading does not give that reason.
bool NeedsReason(const ModuleGap& gap) {
  return gap.file_state != FileState::kNoDebugInfo &&
         gap.file_state != FileState::kNotFound;
}

void WriteGap(const ModuleGap& gap, size_t most_suggestions, FieldWriter& out) {
  std::string names;
  for (const ModuleRow* row : gap.modules)
    if (!row->path.empty())
      names += fmt::format("{}{}", names.empty() ? ": " : ", ",
                           gap.file_state == FileState::kNotFound
                               ? std::string_view(row->path)
                               : BaseName(row->path));
  out.Blank();
  if (gap.more != 0) names += fmt::format(" and {} more", gap.more);
  out.Paragraph(HeadOf(gap) + names);
  for (const ModuleRow* row : gap.modules)
    if (NeedsReason(gap) && !row->info.reason.empty())
      out.Sentence(
          row->path.empty()
              ? row->info.reason
              : fmt::format("{}: {}", BaseName(row->path), row->info.reason));
  for (const auto& [text, command, arguments] :
       gap.suggestions | std::views::take(most_suggestions)) {
    out.Item(text);
    if (!command.empty()) out.Command(command, arguments);
  }
}

void WriteProblems(const Info& info, FieldWriter& out) {
  for (const ModuleRow& row : info.modules.rows) {
    for (const std::string& problem : row.info.problems)
      out.Field("problem", fmt::format("{}: {}", BaseName(row.path), problem));
    if (HasDoubtfulNames(row))
      out.Field(
          "problem",
          fmt::format("{}: {} of {} return addresses follow no call; this may "
                      "be another build than the one that ran, or a library "
                      "that was unloaded was at these addresses before: some "
                      "names are wrong then",
                      BaseName(row.path),
                      row.info.return_addresses - row.info.after_call,
                      row.info.return_addresses));
    if (HasUncheckedNames(row))
      out.Field(
          "problem",
          fmt::format("{}: {} has no code, so nothing shows whether it is of "
                      "the build that ran; if it is not, the names are wrong. "
                      "Give the stripped program, too",
                      BaseName(row.path), BaseName(row.info.file)));
  }
}

// Says how Java code gets names, if that is what dominates.
void WriteJavaRecipe(const Info& info, FieldWriter& out) {
  if (!LacksJavaNames(info)) return;
  out.Blank();
  out.Paragraph(fmt::format("Java code without names calls for {} of the {}",
                            FormatShare(info.generated_percent),
                            MetricWords(Metric::kInuseSpace)));
  out.Item(
      "list the compiled code while the JVM runs, and keep /tmp/perf-PID.map "
      "next to the dump:");
  out.Command("jcmd PID Compiler.perfmap");
  out.Item(
      "start the JVM with this, and use a jemalloc built with "
      "--enable-prof-frameptr, or stacks end at the first Java frame:");
  out.Command("export JAVA_TOOL_OPTIONS=-XX:+PreserveFramePointer");
}

// How much a text says.
struct InfoLimits {
  size_t gaps = SIZE_MAX;
  size_t suggestions = SIZE_MAX;  // for each gap
  size_t modules = SIZE_MAX;
};

std::string TextWithin(const InfoLimits& limits, const Info& info,
                       const InfoTextOptions& options) {
  FieldWriter out(ProseWidth(options.width));
  WriteDump(info, out);
  WriteProblems(info, out);
  if (info.modules.rows.empty()) return std::move(out).Finish();
  const ModuleOverview overview = MakeModuleOverview(
      info.modules, std::min(limits.modules, options.modules));
  out.Blank();
  WriteTable(info, overview, options.width, out);
  size_t gaps = 0;
  for (const ModuleGap& gap : overview.gaps)
    if ((info.has_memory_map || !gap.is_outside_map) && gaps++ < limits.gaps)
      WriteGap(gap, limits.suggestions, out);
  WriteJavaRecipe(info, out);
  if (options.details)
    for (const ModuleRow& row : info.modules.rows) {
      out.Blank();
      WriteModuleDetails(row, out);
    }
  else if (!overview.gaps.empty() && limits.suggestions != SIZE_MAX)
    out.Sentence(
        "--verbose shows all modules, more remedies, and where files were "
        "looked for");
  else if (overview.more != 0 || !overview.gaps.empty()) {
    out.Blank();
    out.Sentence(
        "--verbose shows all modules, and where files were looked for");
  }
  return std::move(out).Finish();
}

}  // namespace

std::string WriteInfoText(const Info& info, const InfoTextOptions& options) {
  std::string text = TextWithin({}, info, options);
  // The first line should still be on the screen when the shell prompts again.
  for (const InfoLimits& limits :
       {InfoLimits{.suggestions = 1}, InfoLimits{.gaps = 1, .suggestions = 1},
        InfoLimits{.gaps = 1, .suggestions = 1, .modules = 2}}) {
    if (options.rows == 0 || LineCount(text) < options.rows) break;
    text = TextWithin(limits, info, options);
  }
  return text;
}

}  // namespace heapprof
