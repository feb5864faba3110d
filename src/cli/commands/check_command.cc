// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/args/command_table.h"
#include "cli/commands/passes.h"
#include "cli/inputs/check_sides.h"
#include "cli/inputs/metrics.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_check.h"
#include "cli/outputs/write_outputs.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/finding.h"
#include "heapprof/check/gates.h"
#include "heapprof/check/judge.h"
#include "heapprof/io/input_file.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/toml/toml_limits.h"
#include "heapprof/transform/merge.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/change.h"

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
Result<void> Passed(const GateResult& gate, Session& session) {
  if (gate) return {};
  session.status = StatusOf(gate.error());
  return Fail(ErrorKind::kNoData, gate.error().message);
}

GateOptions GateOptionsOf(const Options& options) {
  return {.metric = options.metric,
          .accept_damaged = options.check.accept_damaged,
          .allow_empty = options.check.allow_empty,
          .saves_baseline = !options.check.save_baseline.empty()};
}

std::chrono::year_month_day Today() {
  return std::chrono::floor<std::chrono::days>(
      std::chrono::system_clock::now());
}

// Returns the budgets from the command line and from the file that it names, if
// any. Also sets the metric in `options` if the file chooses it. Fails if the
// budgets do not make sense together.
Result<Budgets> ReadBudgets(Options& options) {
  Budgets budgets;
  const std::string& path = options.check.budgets;
  if (!path.empty()) {
    const auto file = InputFile::Open(path, {}, kLargestToml);
    if (!file) return Fail(ErrorKind::kUsage, file.error().message);
    auto parsed = ParseBudgets(file->bytes(), path, Today());
    if (!parsed) return parsed;
    budgets = *std::move(parsed);
  }
  CheckSettings settings = options.check.settings;
  Complete(settings, budgets.settings);
  const bool has_groups = !options.group_sources.empty();
  if (!settings.by && has_groups) settings.by = CompareBy::kGroup;
  if (settings.By() == CompareBy::kGroup && !has_groups)
    return Fail(ErrorKind::kUsage,
                "check: --by group needs --groups, as in --groups=@all");
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

Result<void> CheckInputs(const LoadedInputs& inputs, const Options& options,
                         Session& session) {
  if (auto ok = CheckEachInput(inputs, options); !ok) return ok;
  if (auto clear = CheckSides(inputs.facts, options); !clear) return clear;
  std::vector<CheckedDump> dumps;
  for (size_t i = 0; i < inputs.profiles.size(); ++i)
    dumps.push_back({.profile = &inputs.profiles[i].profile,
                     .path = inputs.facts[i].path,
                     .side = inputs.profiles[i].side});
  return Passed(CheckDumps(dumps, GateOptionsOf(options), session.diagnostics),
                session);
}

Result<void> CheckModules(const Profile& profile, const LoadedInputs& inputs,
                          const Options& options, Session& session) {
  const ModuleTable modules = ModulesOf(profile, *session.symbolizer, options);
  WarnOfDoubtfulNames(modules, session.diagnostics);
  return Passed(CheckBinaries(profile, modules, inputs.binaries), session);
}

// Where a warning says that programs have different names, demands that they
// are one program, unless --allow-renamed is given.
Result<void> CheckSameProgram(const Profile& profile, const Options& options,
                              Session& session) {
  if (session.diagnostics.Count(WarningKind::kDifferentPrograms) == 0 ||
      options.check.allow_renamed)
    return {};
  return Passed(CheckPrograms(profile, OwnLines(profile, OwnCode(profile)),
                              options.metric),
                session);
}

// Brings the profile into the form that is judged, and demands enough names.
// Returns what is own code in it. Groups need none: `by` says what entries are.
Result<OwnCode> Transform(Profile& profile, const Budgets& budgets,
                          const Options& options, Session& session) {
  auto stacks = TransformProfile(profile, options, NothingToShow::kNoValue,
                                 session.diagnostics);
  if (!stacks) return std::unexpected(stacks.error());
  std::vector<FilterEffect>& filtered = stacks->effects;
  Sides<bool> lacks_own = {};
  for (const FilterEffect& effect : filtered)
    for (const Side side : kSides)
      lacks_own[side] |=
          effect.lacks_own[side] && budgets.settings.By() != CompareBy::kGroup;
  const Sides<double> removed_nameless = RemovedNameless(filtered);
  // The default of check is no news.
  std::erase_if(filtered, [](const FilterEffect& effect) {
    return effect.filter == "--own=auto";
  });
  session.diagnostics.Note(
      FilterSummary(filtered, UnitOf(options), profile.is_comparison));
  if (auto ok = Passed(CheckFiltered(profile, GateOptionsOf(options),
                                     options.filters.options().own, lacks_own),
                       session);
      !ok)
    return std::unexpected(ok.error());
  if (auto ok =
          Passed(CheckNames(profile, options.metric, budgets, removed_nameless),
                 session);
      !ok)
    return std::unexpected(ok.error());
  return *std::move(stacks->own_code);
}

JudgedCode CodeToJudge(const Profile& profile, const OwnCode& own,
                       const Budgets& budgets, const Options& options) {
  if (!budgets.LimitsEntries()) return {};
  return {.is_own = OwnLines(profile, own),
          .only_own = options.filters.options().own == "auto"};
}

// Warns if a dump may be compared with a copy of itself, such as one that an
// earlier job has left: it would pass whatever happens. Two runs do not sample
// the same objects by chance.
void WarnOfSameSamples(const Profile& profile, Metric metric,
                       Diagnostics& diagnostics) {
  if (profile.is_comparison && !IsExact(profile) && HasValue(profile, metric) &&
      !HasChange(profile, metric) &&
      diagnostics.Count(WarningKind::kSeveralDumps) == 0)
    diagnostics.Warn(WarningKind::kSeveralDumps,
                     "both sides have the same samples, as if one were a copy "
                     "of the other");
}

// What a check is to write, and its exit status.
struct FinishedCheck {
  std::vector<Document> reports = {};
  std::vector<OutputFile> baseline = {};  // with --save-baseline
  std::optional<int> status = {};         // without a limit, there is none
};

// Judges `profile`, whose frames have names.
Result<FinishedCheck> JudgeDumps(Profile profile, const LoadedInputs& inputs,
                                 const Budgets& budgets, const Options& options,
                                 Session& session) {
  if (auto ok = CheckModules(profile, inputs, options, session); !ok)
    return std::unexpected(ok.error());
  if (auto same = CheckSameProgram(profile, options, session); !same)
    return std::unexpected(same.error());
  auto baseline = MakeBaseline(profile, options);
  if (!baseline) return std::unexpected(baseline.error());
  const auto own = Transform(profile, budgets, options, session);
  if (!own) return std::unexpected(own.error());
  WarnOfSameSamples(profile, options.metric, session.diagnostics);
  std::optional<Judgement> judgement;
  if (budgets.HasLimit()) {
    auto judged = JudgeProfile(profile, options.metric, budgets,
                               CodeToJudge(profile, *own, budgets, options),
                               session.diagnostics);
    if (!judged) return std::unexpected(judged.error());
    judgement = *std::move(judged);
  }
  // Says why findings are addresses.
  if (judgement && judgement->result.verdict != Verdict::kOk)
    session.diagnostics.Note(CoverageNote(
        profile, ModulesOf(profile, *session.symbolizer, options), options));
  std::vector<StoryChain> story;
  if (judgement && judgement->result.verdict == Verdict::kRegression &&
      profile.is_comparison)
    story = StoryOf(profile, *own, options);
  session.progress.Stop();
  FinishedCheck finished = {.baseline = *std::move(baseline)};
  if (judgement) {
    finished.reports = CheckReports({*judgement, budgets, inputs.facts, story},
                                    options, session.diagnostics);
    finished.status =
        StatusOf(judgement->result.verdict, budgets.settings.FailsFrom());
  }
  return finished;
}

Result<FinishedCheck> Check(Options& options, Session& session) {
  const auto budgets = ReadBudgets(options);
  if (!budgets) return std::unexpected(budgets.error());
  auto inputs =
      ReadInputs(options,
                 {.are_runs = true,
                  .takes_binary_as_base = true,
                  .find_binaries = MakeBinaryFinder(options, session)},
                 session);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto ok = CheckInputs(*inputs, options, session); !ok)
    return std::unexpected(ok.error());
  if (auto found = FindBinaries(options, *inputs, session); !found)
    return std::unexpected(found.error());
  ChooseMetric(inputs->profiles, options, session.diagnostics);
  session.progress.Enter("joining the dumps");
  Profile profile =
      std::move(inputs->merger).Finish(std::move(inputs->profiles));
  if (auto ok = CheckMetrics(profile, inputs->first_dump, options); !ok)
    return std::unexpected(ok.error());
  if (auto named = NameFrames(profile, session); !named)
    return std::unexpected(named.error());
  session.progress.Enter("making the report");
  return JudgeDumps(std::move(profile), *inputs, *budgets, options, session);
}

}  // namespace

Result<void> RunCheck(Options& options, Session& session) {
  auto finished = Check(options, session);
  if (!finished) {
    WriteCheckError(finished.error().message, options);
    return std::unexpected(finished.error());
  }
  if (auto written =
          WriteDocuments(finished->reports, std::move(finished->baseline));
      !written)
    return written;
  if (finished->status) session.status = *finished->status;
  return {};
}

}  // namespace heapprof
