// SPDX-License-Identifier: Apache-2.0
#include "cli/check_command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/inputs/check_sides.h"
#include "cli/inputs/comparison.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/pprof_file.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/terminal.h"
#include "heapprof/check/detectable.h"
#include "heapprof/check/finding.h"
#include "heapprof/check/gates.h"
#include "heapprof/check/judge.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/check.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/module_table.h"

namespace heapprof {
namespace {

// Returns true if no verdict is asked for, only a baseline. A report would say
// that all is well, so none may be asked for either.
bool MayOnlySave(const Options& options) {
  return !options.check.save_baseline.empty() && options.bases.empty() &&
         options.check.outputs.size() == 1 &&
         options.check.outputs.front().IsStandardOutput();
}

// Turns the finding of a gate into the error that ends the run.
Result<void> Passed(const GateResult& gate, int& status) {
  if (gate) return {};
  status = StatusOf(gate.error());
  return Fail(ErrorKind::kNoData, gate.error().message);
}

GateOptions GateOptionsOf(const Options& options) {
  return {.metric = options.metric,
          .accept_damaged = options.check.accept_damaged,
          .allow_empty = options.check.allow_empty,
          .saves_baseline = !options.check.save_baseline.empty()};
}

std::string CurrentDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// Returns the contents of the file that --save-baseline names; empty if there
// is none.
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

// A report and where it goes.
struct Report {
  CheckOutput output;
  std::string text;
};

// Writes the reports and the baseline. If one of them cannot be written, none
// of the files appears.
Result<void> WriteAll(const std::vector<Report>& reports,
                      const std::string& baseline, const Options& options) {
  std::vector<OutputFile> files;
  const auto add = [&files](const std::string& path,
                            const std::string& text) -> Result<void> {
    auto written = OutputFile::Write(path, text);
    if (!written) return std::unexpected(written.error());
    files.push_back(*std::move(written));
    return {};
  };
  if (!options.check.save_baseline.empty())
    if (auto added = add(options.check.save_baseline, baseline); !added)
      return added;
  for (const auto& [output, text] : reports)
    if (!output.IsStandardOutput())
      if (auto added = add(output.path, text); !added) return added;
  for (const auto& [output, text] : reports)
    if (output.IsStandardOutput())
      if (auto shown = WriteReport(text, Output()); !shown) return shown;
  for (OutputFile& file : files)
    if (auto published = file.Publish(); !published) return published;
  return {};
}

// Writes the report in all formats that the options ask for.
std::vector<Report> MakeReports(const Judgement& judgement,
                                const CheckInput& input,
                                const Options& options) {
  CheckReport report = {.comparison = judgement.comparison,
                        .budgets = input.budgets,
                        .result = judgement.result,
                        .dumps = DumpsBySide(input.inputs.facts),
                        .source_root = CurrentDirectory()};
  if (options.check.explain)
    report.detectable =
        FindDetectable(judgement.comparison, input.budgets, judgement.result);
  std::vector<Report> reports;
  for (const CheckOutput& output : options.check.outputs) {
    const TerminalStyle style = output.IsStandardOutput()
                                    ? StyleOfStandardOutput(options.color)
                                    : TerminalStyle();
    report.width = style.columns;
    report.color = style.color;
    reports.push_back({output, CheckFormats()[output.format].write(report)});
  }
  return reports;
}

// Returns by line whether it is own code.
std::vector<bool> OwnLines(const Profile& profile) {
  const OwnCode own(profile);
  std::vector<bool> is_own(profile.lines.size());
  for (uint32_t i = 0; i < is_own.size(); ++i) is_own[i] = own.IsOwn(i);
  return is_own;
}

// Brings the profile into the form that is judged.
Result<void> Transform(Profile& profile, const Options& options, int& status,
                       Diagnostics& diagnostics) {
  auto filtered =
      TransformProfile(profile, ComparisonForm::kRuns, options, diagnostics);
  if (!filtered) return std::unexpected(filtered.error());
  std::array<bool, 2> lacks_own = {};
  for (const FilterEffect& effect : *filtered)
    for (const size_t side : {0, 1})
      lacks_own[side] = lacks_own[side] || effect.lacks_own[side];
  // The default of check is no news.
  std::erase_if(*filtered, [](const FilterEffect& effect) {
    return effect.filter == "--own=auto";
  });
  diagnostics.Note(FilterSummary(*filtered, UnitOf(options)));
  return Passed(CheckFiltered(profile, GateOptionsOf(options),
                              options.filters.options().own, lacks_own),
                status);
}

}  // namespace

Result<Budgets> PrepareCheck(Options& options,
                             std::chrono::year_month_day today) {
  Budgets budgets;
  const std::string& path = options.check.budgets;
  if (!path.empty()) {
    const auto file = InputFile::Open(path);
    if (!file) return std::unexpected(file.error());
    auto parsed = ParseBudgets(file->bytes(), path, today);
    if (!parsed) return parsed;
    budgets = *std::move(parsed);
  }
  CheckSettings settings = options.check.settings;
  Complete(settings, budgets.settings);
  budgets.settings = std::move(settings);
  if (budgets.settings.metric) {
    options.metric = *budgets.settings.metric;
    options.is_metric_chosen = true;
  }
  const BudgetsUse use = {.metric = options.metric,
                          .has_base = !options.bases.empty(),
                          .needs_limit = !MayOnlySave(options)};
  if (auto fit = CheckBudgets(budgets, use); !fit)
    return std::unexpected(fit.error());
  return budgets;
}

Result<void> CheckCheckInputs(const LoadedInputs& inputs,
                              const Options& options, int& status,
                              const Diagnostics& diagnostics) {
  if (auto clear = CheckSides(inputs.facts, options); !clear) return clear;
  std::vector<CheckedDump> dumps;
  for (size_t i = 0; i < inputs.profiles.size(); ++i)
    dumps.push_back({.profile = &inputs.profiles[i].profile,
                     .path = inputs.facts[i].path,
                     .side = inputs.profiles[i].side});
  return Passed(CheckDumps(dumps, GateOptionsOf(options), diagnostics), status);
}

Result<void> RunCheck(Profile profile, const CheckInput& input,
                      const Options& options, int& status, Progress& progress,
                      Diagnostics& diagnostics) {
  status = kExitCheckFailed;
  const Budgets& budgets = input.budgets;
  const ModuleTable modules = MakeModuleTable(
      profile, options.metric, ModuleInfosOf(profile, input.symbolizer, false));
  if (auto usable = Passed(
          CheckBinaries(profile, modules, input.inputs.binaries), status);
      !usable)
    return usable;
  const auto baseline = MakeBaseline(profile, options);
  if (!baseline) return std::unexpected(baseline.error());
  if (auto done = Transform(profile, options, status, diagnostics); !done)
    return done;
  if (auto named = Passed(CheckNames(profile, options.metric, budgets), status);
      !named)
    return named;
  std::vector<Report> reports;
  Verdict verdict = Verdict::kOk;
  if (budgets.HasLimit()) {
    const std::vector<bool> is_own =
        budgets.LimitsEntries() ? OwnLines(profile) : std::vector<bool>();
    const auto judgement =
        JudgeProfile(profile, options.metric, budgets, is_own, diagnostics);
    if (!judgement) return std::unexpected(judgement.error());
    verdict = judgement->result.verdict;
    reports = MakeReports(*judgement, input, options);
  }
  progress.Stop();
  if (auto written = WriteAll(reports, *baseline, options); !written)
    return written;
  status = StatusOf(verdict, budgets.settings.FailsFrom());
  return {};
}

}  // namespace heapprof
