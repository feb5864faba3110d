// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/write_outputs.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/outputs/gzip_output.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_documents.h"
#include "cli/system/terminal.h"
#include "heapprof/io/output_file.h"
#include "heapprof/io/pipe.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"
#include "heapprof/transform/threads.h"
#include "heapprof/view/info.h"

namespace heapprof {
namespace {

// Returns the chosen metric. If no sample has a value of it, returns another
// metric that has values.
Metric InfoMetric(const Profile& profile, const Options& options) {
  return HasChange(profile, options.metric)
             ? options.metric
             : MetricWithValues(profile).value_or(options.metric);
}

InfoTextOptions InfoTextOf(const Output& output, const Options& options,
                           const Diagnostics& diagnostics) {
  InfoTextOptions text = {.details = options.verbose};
  if (output.IsStandardOutput()) {
    const TerminalStyle style = StyleWithMessages(options, diagnostics);
    text.width = style.columns;
    // Whoever asks for more gets it all.
    if (!options.verbose && !options.top) text.rows = style.rows;
  }
  if (options.verbose) text.modules = 0;
  if (options.top) text.modules = *options.top;
  return text;
}

// Returns true if the output itself shows threads separately.
bool ShowsThreads(const Output& output, const Options& options) {
  return output.format->traits.shows_threads ||
         (options.pprof.thread_labels && output.format == OutputNamed("proto"));
}

// Returns true if threads are the roots of the output's stacks.
bool HasThreadRoots(const Output& output, const Options& options) {
  return options.thread == "*" && !ShowsThreads(output, options);
}

// Returns the outputs with files first.
std::vector<Output> FilesFirst(std::vector<Output> outputs) {
  std::ranges::stable_partition(
      outputs, [](const Output& output) { return !output.IsStandardOutput(); });
  return outputs;
}

// A pprof profile is compressed by its own rules.
bool IsToBeGzipped(const Output& output) {
  return IsGzipName(output.path) && output.format != OutputNamed("proto");
}

Result<void> MakeReport(const ReportRequest& request, ByteSink& out) {
  const auto write = [&request](ByteSink& to) {
    return request.output.format->write(request, to);
  };
  return IsToBeGzipped(request.output)
             ? WriteGzipped(out, JobCount(request.options) > 1, write)
             : write(out);
}

Result<void> WriteToStandardOutput(const ReportRequest& request) {
  EnlargePipe(STDOUT_FILENO);
  ByteSink out([](std::string_view block) {
    return WriteAll(STDOUT_FILENO, block, "standard output");
  });
  if (auto made = MakeReport(request, out); !made) return made;
  return out.Finish();
}

// Returns the completed file, which is not published.
Result<OutputFile> WriteToFile(const ReportRequest& request) {
  return MakeOutputFile(request.output.path, [&request](ByteSink& out) {
    return MakeReport(request, out);
  });
}

// Makes and writes the outputs of a run. Standard output comes last, because
// what it has received cannot be taken back if a file cannot be written. The
// files appear only after it.
class OutputsWriter {
 public:
  explicit OutputsWriter(const OutputContext& context)
      : context_(context), outputs_(FilesFirst(context.options.outputs)) {}

  Result<void> Write(Profile profile) {
    const Options& options = context_.options;
    Diagnostics& diagnostics = context_.diagnostics;
    const auto stacks = TransformProfile(profile, options,
                                         NothingToShow::kNoChange, diagnostics);
    if (!stacks) return std::unexpected(stacks.error());
    diagnostics.Note(
        FilterSummary(stacks->effects, UnitOf(options), profile.is_comparison));
    const ModuleTable modules =
        ModulesOf(profile, context_.symbolizer, options);
    WarnOfDoubtfulNames(modules, diagnostics);
    const std::string summary = CoverageNote(profile, modules, options);
    const bool last_has_roots = HasThreadRoots(outputs_.back(), options);
    for (const bool thread_roots : {!last_has_roots, last_has_roots}) {
      const bool is_last = thread_roots == last_has_roots;
      if (!is_last && !HasOutputs(thread_roots)) continue;
      auto written = WriteSome(is_last ? std::exchange(profile, {}) : profile,
                               thread_roots, *stacks, modules, summary);
      if (!written) return written;
    }
    context_.progress.Stop();
    for (OutputFile& file : files_)
      if (auto published = file.Publish(); !published) return published;
    diagnostics.Note(summary);
    return {};
  }

 private:
  bool HasOutputs(bool thread_roots) const {
    return std::ranges::any_of(outputs_, [&](const Output& output) {
      return HasThreadRoots(output, context_.options) == thread_roots;
    });
  }

  // Writes the outputs with threads as roots, or the others.
  Result<void> WriteSome(Profile profile, bool thread_roots,
                         const TransformedStacks& stacks,
                         const ModuleTable& modules,
                         std::string_view last_message) {
    if (thread_roots) AddThreadRoots(profile);
    for (const Output& output : outputs_) {
      if (HasThreadRoots(output, context_.options) != thread_roots) continue;
      auto written =
          WriteOne({.profile = profile,
                    .inputs = context_.inputs,
                    .symbolizer = context_.symbolizer,
                    .output = output,
                    .options = context_.options,
                    .diagnostics = context_.diagnostics,
                    .filters = stacks.effects,
                    .own_code = stacks.own_code ? &*stacks.own_code : nullptr,
                    .modules = &modules,
                    .last_message = last_message});
      if (!written) return written;
    }
    return {};
  }

  Result<void> WriteOne(const ReportRequest& request) {
    if (request.output.IsStandardOutput()) {
      context_.progress.Stop();
      return WriteToStandardOutput(request);
    }
    auto file = WriteToFile(request);
    if (!file) return std::unexpected(file.error());
    files_.push_back(std::move(*file));
    return {};
  }

  const OutputContext& context_;
  const std::vector<Output> outputs_;
  std::vector<OutputFile> files_;  // completed, but without their names
};

}  // namespace

std::string CoverageNote(const Profile& profile, const ModuleTable& modules,
                         const Options& options) {
  constexpr size_t kColumnsOfALog = 120;
  constexpr size_t kPrefix = std::string_view("heapprof: ").size();
  CoverageStyle style = {.is_comparison = profile.is_comparison,
                         .is_verbose = options.verbose};
  if (options.verbose) return CoverageSummary(modules, style);
  const size_t columns = ColumnsOfStandardError();
  style.columns = columns == 0 ? kColumnsOfALog - kPrefix
                               : std::max(columns, kPrefix + 1) - kPrefix;
  return CoverageSummary(modules, style);
}

Result<void> WriteReport(const ReportRequest& request) {
  if (request.output.IsStandardOutput()) return WriteToStandardOutput(request);
  auto file = WriteToFile(request);
  return file ? file->Publish() : std::unexpected(file.error());
}

Result<void> WriteReports(Profile profile, const OutputContext& context) {
  return OutputsWriter(context).Write(std::move(profile));
}

Result<Info> DescribeDump(Profile& profile, bool with_dwarf,
                          const OutputContext& context) {
  const auto& [inputs, symbolizer, options, progress, diagnostics] = context;
  const auto stacks =
      TransformProfile(profile, options, NothingToShow::kNoChange, diagnostics);
  if (!stacks) return std::unexpected(stacks.error());
  diagnostics.Note(
      FilterSummary(stacks->effects, UnitOf(options), profile.is_comparison));
  return MakeInfo(
      profile,
      DumpInfoOf(inputs.first_dump, *inputs.first_format,
                 symbolizer.unused_files()),
      MakeModuleTable(profile, InfoMetric(profile, options),
                      ModuleInfosOf(profile, symbolizer, with_dwarf)));
}

Result<void> WriteInfo(Profile profile, const OutputContext& context) {
  const Options& options = context.options;
  const Output& output = options.outputs.front();
  const bool is_json = output.format == OutputNamed("json");
  const auto info = DescribeDump(profile, is_json || options.verbose, context);
  if (!info) return std::unexpected(info.error());
  context.progress.Stop();
  return WriteDocuments(
      {{is_json ? WriteInfoJson(*info)
                : WriteInfoText(
                      *info, InfoTextOf(output, options, context.diagnostics)),
        output.path}});
}

}  // namespace heapprof
