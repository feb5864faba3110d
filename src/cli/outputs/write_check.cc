// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/write_check.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "cli/args/choose_outputs.h"
#include "cli/outputs/compared_dumps.h"
#include "cli/outputs/pprof_file.h"
#include "cli/system/terminal.h"
#include "heapprof/check/detectable.h"
#include "heapprof/check/finding.h"
#include "heapprof/report/check.h"

namespace heapprof {
namespace {

std::string CurrentDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

CheckReport MakeReport(const CheckOutcome& outcome, const Options& options) {
  const auto& [comparison, result] = outcome.judgement;
  return {.comparison = comparison,
          .budgets = outcome.budgets,
          .result = result,
          .dumps = DumpsBySide(outcome.inputs),
          .source_root = CurrentDirectory(),
          .story = outcome.story,
          .detectable = FindDetectable(comparison, outcome.budgets, result),
          .explains = options.check.explain};
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

Result<std::vector<OutputFile>> MakeBaseline(const Profile& profile,
                                             const Options& options) {
  std::vector<OutputFile> files;
  const std::string& path = options.check.save_baseline;
  if (path.empty()) return files;
  const PprofOptions pprof = {.default_metric = options.metric,
                              .is_baseline = true};
  auto file = MakeOutputFile(path, [&](ByteSink& out) {
    return WritePprofFile(profile, pprof, path, options, out);
  });
  if (!file) return std::unexpected(file.error());
  files.push_back(*std::move(file));
  return files;
}

std::vector<Document> CheckReports(const CheckOutcome& outcome,
                                   const Options& options,
                                   Diagnostics& diagnostics) {
  CheckReport report = MakeReport(outcome, options);
  NoteFailure(report, options, diagnostics);
  std::vector<Document> documents;
  for (const CheckOutput& output : options.check.outputs) {
    const TerminalStyle style = output.IsStandardOutput()
                                    ? StyleOfStandardOutput(options.color)
                                    : TerminalStyle();
    report.width = style.columns;
    report.height = style.rows;
    report.color = style.color;
    const CheckFormat& format = CheckFormats()[output.format];
    documents.push_back({format.write(report), output.path});
    diagnostics.Note(MisnamedNote(output.path,
                                  fmt::format("format {}", format.name),
                                  kFormatExtensions[output.format]));
  }
  return documents;
}

void WriteCheckError(std::string_view error, const Options& options) {
  std::vector<Document> documents;
  for (const CheckOutput& output : options.check.outputs)
    if (!output.IsStandardOutput() || !output.IsText())
      documents.push_back(
          {CheckFormats()[output.format].write_error(error), output.path});
  // That this fails, too, would hide `error`.
  (void)WriteDocuments(documents, {});
}

}  // namespace heapprof
