// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/write_check.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/inputs/comparison.h"
#include "cli/outputs/gzip_output.h"
#include "cli/outputs/pprof_file.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/terminal.h"
#include "heapprof/check/detectable.h"
#include "heapprof/check/finding.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/check.h"

namespace heapprof {
namespace {

std::string CurrentDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// A report and where it goes.
struct Report {
  CheckOutput output;
  std::string text;
};

CheckReport MakeReport(const Judgement& judgement, const Budgets& budgets,
                       std::span<const InputFacts> inputs,
                       const std::vector<StoryChain>& story,
                       const Options& options) {
  return {.comparison = judgement.comparison,
          .budgets = budgets,
          .result = judgement.result,
          .dumps = DumpsBySide(inputs),
          .source_root = CurrentDirectory(),
          .story = story,
          .detectable =
              FindDetectable(judgement.comparison, budgets, judgement.result),
          .explains = options.check.explain};
}

// Writes the report in all formats that the options ask for.
std::vector<Report> WriteReports(CheckReport report, const Options& options) {
  std::vector<Report> reports;
  for (const CheckOutput& output : options.check.outputs) {
    const TerminalStyle style = output.IsStandardOutput()
                                    ? StyleOfStandardOutput(options.color)
                                    : TerminalStyle();
    report.width = style.columns;
    report.height = style.rows;
    report.color = style.color;
    reports.push_back({output, CheckFormats()[output.format].write(report)});
  }
  return reports;
}

// Files alone would leave a failed job without its reason.
void NoteFailure(const CheckReport& report, const Options& options,
                 Diagnostics& diagnostics) {
  if (StatusOf(report.result.verdict, report.budgets.settings.FailsFrom()) !=
          0 &&
      std::ranges::none_of(options.check.outputs,
                           &CheckOutput::IsStandardOutput))
    diagnostics.Note(CheckHeadline(report));
}

}  // namespace

Result<std::string> MakeBaseline(const Profile& profile,
                                 const Options& options) {
  std::string baseline;
  if (options.check.save_baseline.empty()) return baseline;
  ByteSink sink([&baseline](std::string_view block) -> Result<void> {
    baseline += block;
    return {};
  });
  const auto written = WritePprofFile(
      profile, {.default_metric = options.metric, .is_baseline = true},
      options.check.save_baseline, options, sink);
  if (!written) return std::unexpected(written.error());
  if (auto finished = sink.Finish(); !finished)
    return std::unexpected(finished.error());
  return baseline;
}

Result<void> WriteCheck(const std::optional<Judgement>& judgement,
                        const Budgets& budgets,
                        std::span<const InputFacts> inputs,
                        const std::vector<StoryChain>& story,
                        const std::string& baseline, const Options& options,
                        Diagnostics& diagnostics) {
  std::vector<Report> reports;
  if (judgement) {
    const CheckReport report =
        MakeReport(*judgement, budgets, inputs, story, options);
    reports = WriteReports(report, options);
    NoteFailure(report, options, diagnostics);
  }
  std::vector<OutputFile> files;
  const auto add = [&files](Result<OutputFile> written) -> Result<void> {
    if (!written) return std::unexpected(written.error());
    files.push_back(*std::move(written));
    return {};
  };
  if (!options.check.save_baseline.empty())
    if (auto added =
            add(OutputFile::Write(options.check.save_baseline, baseline));
        !added)
      return added;
  for (const auto& [output, text] : reports)
    if (!output.IsStandardOutput())
      if (auto added = add(WriteTextFile(output.path, text)); !added)
        return added;
  for (const auto& [output, text] : reports)
    if (output.IsStandardOutput())
      if (auto shown = WriteReport(text, Output()); !shown) return shown;
  for (OutputFile& file : files)
    if (auto published = file.Publish(); !published) return published;
  return {};
}

}  // namespace heapprof
