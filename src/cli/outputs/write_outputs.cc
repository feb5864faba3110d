// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/write_outputs.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/transform_profile.h"
#include "cli/system/terminal.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"
#include "heapprof/transform/threads.h"
#include "heapprof/view/info.h"

namespace heapprof {
namespace {

// Writes the reports. No file appears if another output of the run cannot be
// written.
Result<void> WriteAllOrNone(const std::vector<std::string>& reports,
                            const std::vector<Output>& outputs) {
  std::vector<OutputFile> files;
  for (size_t i = 0; i < reports.size(); ++i) {
    if (outputs[i].IsStandardOutput()) continue;
    auto file = OutputFile::Write(outputs[i].path, reports[i]);
    if (!file) return std::unexpected(file.error());
    files.push_back(std::move(*file));
  }
  for (size_t i = 0; i < reports.size(); ++i)
    if (outputs[i].IsStandardOutput())
      if (auto written = WriteReport(reports[i], outputs[i]); !written)
        return written;
  for (OutputFile& file : files)
    if (auto published = file.Publish(); !published) return published;
  return {};
}

// Returns the chosen metric. If no sample has a value of it, returns another
// metric that has values.
Metric InfoMetric(const Profile& profile, const Options& options) {
  return HasValue(profile, options.metric)
             ? options.metric
             : MetricWithValues(profile).value_or(options.metric);
}

InfoTextOptions InfoTextOf(const Output& output, const Options& options) {
  InfoTextOptions text = {.details = options.verbose};
  if (output.IsStandardOutput())
    text.width = StyleOfStandardOutput(options.color).columns;
  if (options.verbose) text.modules = 0;
  if (options.top) text.modules = *options.top;
  return text;
}

CoverageStyle CoverageStyleOf(const Options& options, bool both_sides) {
  constexpr size_t kColumnsOfALog = 120;
  constexpr size_t kPrefix = std::string_view("heapprof: ").size();
  CoverageStyle style = {.is_difference = !options.bases.empty() && !both_sides,
                         .is_verbose = options.verbose};
  if (options.verbose) return style;
  const size_t columns = ColumnsOfStandardError();
  style.columns = columns == 0 ? kColumnsOfALog - kPrefix
                               : std::max(columns, kPrefix + 1) - kPrefix;
  return style;
}

bool NeedsThreads(const Options& options) {
  return options.thread == "*" ||
         std::ranges::find(options.outputs, OutputNamed("threads"),
                           &Output::format) != options.outputs.end();
}

// Returns true if the output shows both sides of a comparison.
bool NeedsBothSides(const Output& output, const Options& options) {
  const auto needs_both = output.format->traits.needs_both_sides;
  return needs_both != nullptr && needs_both(output, options);
}

// Makes the reports for all outputs of a run.
class ReportMaker {
 public:
  ReportMaker(const LoadedInputs& inputs, const Symbolizer& symbolizer,
              const Options& options, Diagnostics& diagnostics)
      : inputs_(inputs),
        symbolizer_(symbolizer),
        options_(options),
        diagnostics_(diagnostics),
        reports_(options.outputs.size()) {}

  // If `both_sides` is true, makes the reports that show both sides of a
  // comparison, otherwise all others.
  Result<void> Make(Profile profile, bool both_sides) {
    auto filters =
        TransformProfile(profile, both_sides, options_, diagnostics_);
    if (!filters) return std::unexpected(filters.error());
    filters_ = std::move(*filters);
    // Make() may run twice, but what the filters did is noted only the first
    // time.
    if (filtered_.empty())
      diagnostics_.Note(filtered_ = FilterSummary(filters_, UnitOf(options_)));
    modules_ = MakeModuleTable(profile, options_.metric,
                               ModuleInfosOf(profile, symbolizer_, false));
    summary_ = CoverageSummary(modules_, CoverageStyleOf(options_, both_sides));
    if (profile.thread_samples.empty() &&
        profile.filtered_thread_samples.empty() && NeedsThreads(options_))
      diagnostics_.Note("the dump has no data by thread");
    if (auto made = MakeSome(profile, both_sides, true); !made) return made;
    // The remaining outputs do not show threads themselves. With --thread=*,
    // they show them as the roots of the stacks.
    if (options_.thread == "*") AddThreadRoots(profile);
    return MakeSome(profile, both_sides, false);
  }

  const std::vector<std::string>& reports() const { return reports_; }
  const std::string& summary() const { return summary_; }

 private:
  Result<void> MakeSome(const Profile& profile, bool both_sides,
                        bool shows_threads) {
    for (size_t i = 0; i < reports_.size(); ++i) {
      const Output& output = options_.outputs[i];
      if (NeedsBothSides(output, options_) != both_sides ||
          output.format->traits.shows_threads != shows_threads)
        continue;
      auto report = output.format->write({.profile = profile,
                                          .inputs = inputs_,
                                          .symbolizer = symbolizer_,
                                          .output = output,
                                          .options = options_,
                                          .diagnostics = diagnostics_,
                                          .filters = filters_,
                                          .modules = &modules_});
      if (!report) return std::unexpected(report.error());
      reports_[i] = std::move(*report);
    }
    return {};
  }

  const LoadedInputs& inputs_;
  const Symbolizer& symbolizer_;
  const Options& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> reports_;
  std::vector<FilterEffect> filters_;
  ModuleTable modules_;
  std::string summary_;
  std::string filtered_;
};

}  // namespace

Result<void> WriteReport(const std::string& report, const Output& output) {
  return output.IsStandardOutput()
             ? WriteAll(STDOUT_FILENO, report, "standard output")
             : WriteFileAtomically(output.path, report);
}

Result<void> WriteReports(Profile profile, const LoadedInputs& inputs,
                          const Symbolizer& symbolizer, const Options& options,
                          Progress& progress, Diagnostics& diagnostics) {
  const auto needs_both = [&options](const Output& output) {
    return NeedsBothSides(output, options);
  };
  const bool both = std::ranges::any_of(options.outputs, needs_both);
  const bool one = !std::ranges::all_of(options.outputs, needs_both);
  ReportMaker maker(inputs, symbolizer, options, diagnostics);
  if (both && one)
    if (auto made = maker.Make(profile, true); !made) return made;
  if (auto made = maker.Make(std::move(profile), !one); !made) return made;
  progress.Stop();
  if (auto written = WriteAllOrNone(maker.reports(), options.outputs); !written)
    return written;
  diagnostics.Note(maker.summary());
  return {};
}

Result<void> WriteInfo(Profile profile, const LoadedInputs& inputs,
                       const Symbolizer& symbolizer, const Options& options,
                       Progress& progress, Diagnostics& diagnostics) {
  const auto filters = TransformProfile(profile, false, options, diagnostics);
  if (!filters) return std::unexpected(filters.error());
  diagnostics.Note(FilterSummary(*filters, UnitOf(options)));
  const Output& output = options.outputs.front();
  const bool is_json = output.format == OutputNamed("json");
  const Info info = MakeInfo(
      profile,
      DumpInfoOf(inputs.first_dump, *inputs.first_format,
                 symbolizer.unused_files()),
      MakeModuleTable(
          profile, InfoMetric(profile, options),
          ModuleInfosOf(profile, symbolizer, is_json || options.verbose)));
  progress.Stop();
  return WriteReport(is_json ? WriteInfoJson(info)
                             : WriteInfoText(info, InfoTextOf(output, options)),
                     output);
}

}  // namespace heapprof
