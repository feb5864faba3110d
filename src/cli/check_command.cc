// SPDX-License-Identifier: Apache-2.0
#include "cli/check_command.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli/check_samples.h"
#include "cli/inputs/comparison.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/pprof_file.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/exit_status.h"
#include "cli/system/terminal.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/check.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/comparison.h"
#include "heapprof/view/coverage.h"
#include "heapprof/view/info.h"
#include "heapprof/view/module_table.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::unexpected<Error> UsageError(std::string message) {
  return Fail(ErrorKind::kUsage, std::move(message));
}

template <typename T>
void Complete(std::optional<T>& setting, const std::optional<T>& other) {
  if (!setting) setting = other;
}

void CompleteSettings(CheckSettings& settings, const CheckSettings& file) {
  Complete(settings.max_total, file.max_total);
  Complete(settings.max_total_growth, file.max_total_growth);
  Complete(settings.max_growth, file.max_growth);
  Complete(settings.max_new, file.max_new);
  Complete(settings.by, file.by);
  Complete(settings.metric, file.metric);
  Complete(settings.confidence, file.confidence);
  Complete(settings.noise, file.noise);
  Complete(settings.fail_on, file.fail_on);
  Complete(settings.require_symbols, file.require_symbols);
}

CompareBy ByOf(const CheckSettings& settings) {
  return settings.by.value_or(CompareBy::kFunction);
}

NoiseMode NoiseOf(const CheckSettings& settings) {
  return settings.noise.value_or(NoiseMode::kInterval);
}

bool ComparesEntries(const CheckSettings& settings, const Budgets& budgets) {
  return settings.max_growth || settings.max_new || !budgets.rules.empty();
}

// Returns true if there is nothing to judge, but a baseline to save. A report
// would say that all is well, so none may be asked for.
bool OnlySaves(const Options& options, const Budgets& budgets) {
  return !options.check.save_baseline.empty() && options.bases.empty() &&
         !options.check.settings.HasLimit() && budgets.rules.empty() &&
         options.check.outputs.size() == 1 &&
         options.check.outputs.front().IsStandardOutput();
}

Result<void> CheckLimitsGiven(const Options& options, const Budgets& budgets) {
  const CheckSettings& settings = options.check.settings;
  const bool has_limit = settings.HasLimit() || !budgets.rules.empty();
  if (!has_limit && !OnlySaves(options, budgets))
    return UsageError(
        "check: no limit; give --max-total, --max-total-growth, --max-growth, "
        "--max-new or a --budgets file with limits");
  if (options.bases.empty() &&
      (settings.max_total_growth || ComparesEntries(settings, budgets)))
    return UsageError(
        "check: limits on growth need a --base to compare with; only "
        "--max-total works without");
  return {};
}

// Returns the name of the first limit that is given with a unit, such as MiB;
// null if there is none.
const char* LimitWithUnit(const CheckSettings& settings,
                          const Budgets& budgets) {
  const auto has_unit = [](const auto& limit) {
    return limit && limit->has_unit;
  };
  if (has_unit(settings.max_total)) return "max-total";
  if (has_unit(settings.max_total_growth)) return "max-total-growth";
  if (has_unit(settings.max_growth)) return "max-growth";
  if (has_unit(settings.max_new)) return "max-new";
  for (const BudgetRule& rule : budgets.rules)
    if (has_unit(rule.max_total) || has_unit(rule.max_growth) ||
        has_unit(rule.max_new))
      return rule.name.c_str();
  return nullptr;
}

// Fails if a limit on bytes has no unit.
Result<void> CheckUnits(const CheckSettings& settings, const Budgets& budgets) {
  std::vector<std::string> problems;
  const auto examine = [&problems](const auto& limit) {
    if (!limit) return;
    if (std::string why = WhyUnclear(*limit); !why.empty())
      problems.push_back(std::move(why));
  };
  examine(settings.max_total);
  examine(settings.max_total_growth);
  examine(settings.max_growth);
  examine(settings.max_new);
  for (const BudgetRule& rule : budgets.rules) {
    examine(rule.max_total);
    examine(rule.max_growth);
    examine(rule.max_new);
  }
  if (problems.empty()) return {};
  return UsageError(problems.front());
}

Result<void> CheckMetric(Metric metric, const CheckSettings& settings,
                         const Budgets& budgets) {
  if (!IsObjectCount(metric)) return CheckUnits(settings, budgets);
  if (NoiseOf(settings) != NoiseMode::kPoint)
    return UsageError(fmt::format(
        "check: the numbers of objects have no error bars; choose a metric of "
        "bytes, or compare {} as if they were exact, with --noise point",
        MetricName(metric)));
  if (const char* limit = LimitWithUnit(settings, budgets))
    return UsageError(
        fmt::format("check: {} is a number of objects and has no unit", limit));
  return {};
}

// A pattern for `field` is matched against the function, the file or the module
// of an entry. Returns true if entries have this text in a comparison by `by`.
bool CanMatch(EntryPattern::Field field, CompareBy by) {
  switch (field) {
    case EntryPattern::Field::kFunction:
      return by == CompareBy::kFunction || by == CompareBy::kStack;
    case EntryPattern::Field::kFile:
      return by == CompareBy::kFunction || by == CompareBy::kFile;
    case EntryPattern::Field::kModule:
      return by == CompareBy::kModule;
  }
  return false;
}

template <typename Rule>
Result<void> CheckPatterns(const std::vector<Rule>& rules, CompareBy by,
                           const std::string& path) {
  for (const Rule& rule : rules)
    if (!CanMatch(rule.pattern.field, by))
      return UsageError(
          fmt::format("{}: {}: no such pattern can match with "
                      "--by {}",
                      path, rule.name, CompareByName(by)));
  return {};
}

Result<void> CheckSettingsFit(const Options& options, const Budgets& budgets) {
  const CheckSettings& settings = options.check.settings;
  if (auto given = CheckLimitsGiven(options, budgets); !given) return given;
  if (auto fits = CheckMetric(options.metric, settings, budgets); !fits)
    return fits;
  const CompareBy by = ByOf(settings);
  if (auto can = CheckPatterns(budgets.rules, by, options.check.budgets); !can)
    return can;
  return CheckPatterns(budgets.ignores, by, options.check.budgets);
}

CheckLimits LimitsOf(const CheckSettings& settings) {
  CheckLimits limits;
  if (settings.max_total) limits.max_total = settings.max_total->value;
  if (settings.max_total_growth)
    limits.total_growth = settings.max_total_growth->limit;
  if (settings.max_growth) limits.entry_growth = settings.max_growth->limit;
  if (settings.max_new) limits.new_entry = settings.max_new->value;
  return limits;
}

EntryRule RuleOf(const BudgetRule& rule) {
  EntryRule entry_rule = {.name = rule.name};
  if (rule.max_total) entry_rule.max_total = rule.max_total->value;
  if (rule.max_growth) entry_rule.growth = rule.max_growth->limit;
  if (rule.max_new) entry_rule.new_entry = rule.max_new->value;
  return entry_rule;
}

Result<bool> Matches(const EntryPattern& pattern,
                     const ComparisonEntry& entry) {
  const bool is_place = pattern.field == EntryPattern::Field::kFile;
  for (const std::string* text : {&entry.name, &entry.key, &entry.file}) {
    if (text->empty() || (text == &entry.file) != is_place) continue;
    auto matches = pattern.regex.Matches(*text);
    if (!matches || *matches) return matches;
  }
  return false;
}

// Returns, for each entry of `comparison`, the index of the first rule that
// matches it. Adds a note to `diagnostics` for each rule that matches no entry.
template <typename Rule>
Result<std::vector<std::optional<size_t>>> MatchRules(
    const std::vector<Rule>& rules, const Comparison& comparison,
    const std::string& path, Diagnostics& diagnostics) {
  std::vector<std::optional<size_t>> matched(comparison.entries.size());
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    bool any = false;
    for (size_t i = 0; i < matched.size(); ++i) {
      const auto matches = Matches(rules[rule].pattern, comparison.entries[i]);
      if (!matches) return std::unexpected(matches.error());
      if (!*matches) continue;
      any = true;
      if (!matched[i]) matched[i] = rule;
    }
    if (!any)
      diagnostics.Note(fmt::format("{}: {} matches none of the {}", path,
                                   rules[rule].name,
                                   CompareByPlural(comparison.by)));
  }
  return matched;
}

Result<CheckBudget> BudgetOf(const Comparison& comparison,
                             const Budgets& budgets, const Options& options,
                             Diagnostics& diagnostics) {
  CheckBudget budget = {.limits = LimitsOf(options.check.settings)};
  for (const BudgetRule& rule : budgets.rules)
    budget.rules.push_back(RuleOf(rule));
  for (const BudgetIgnore& ignore : budgets.ignores)
    budget.ignores.push_back({.name = ignore.name,
                              .reason = ignore.reason,
                              .expires = ignore.expires,
                              .is_expired = ignore.is_expired});
  auto rules =
      MatchRules(budgets.rules, comparison, options.check.budgets, diagnostics);
  if (!rules) return std::unexpected(rules.error());
  budget.rule_of = *std::move(rules);
  auto ignores = MatchRules(budgets.ignores, comparison, options.check.budgets,
                            diagnostics);
  if (!ignores) return std::unexpected(ignores.error());
  budget.ignore_of = *std::move(ignores);
  return budget;
}

Coverage CoverageOf(Profile& profile, Side side, Metric metric) {
  std::vector<Sample> all = profile.samples;
  std::erase_if(profile.samples,
                [side](const Sample& sample) { return sample.side != side; });
  Coverage coverage = MeasureCoverage(profile, metric);
  profile.samples = std::move(all);
  return coverage;
}

double NamedPercent(const Coverage& coverage) {
  return 100 - Percent(coverage.nameless_value, coverage.total_value);
}

// Returns true if the sides know about the same share of the names in a module.
// Functions without names are then matched by their offset in the file.
bool HaveSameNames(const ModuleCoverage& a, const ModuleCoverage& b) {
  constexpr double kAlike = 10;
  const auto unresolved = [](const ModuleCoverage& module) {
    return Percent(static_cast<double>(module.unresolved),
                   static_cast<double>(module.locations));
  };
  return std::abs(unresolved(a) - unresolved(b)) <= kAlike;
}

// Returns the percentage of the memory on one side whose functions can be
// matched with the other side: those with names, and those in a file that both
// sides use.
double MatchablePercent(const Coverage& coverage, const Coverage& other) {
  double nameless = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    const auto same = std::ranges::find(other.modules, module.mapping,
                                        &ModuleCoverage::mapping);
    if (same == other.modules.end() || !HaveSameNames(module, *same))
      nameless += module.nameless_value;
  }
  return 100 - Percent(nameless, coverage.total_value);
}

// Returns true if entries with a limit are matched by names that come from
// symbols.
bool MatchesNames(const Options& options, const Budgets& budgets) {
  const CheckSettings& settings = options.check.settings;
  const CompareBy by = ByOf(settings);
  const bool has_names = by == CompareBy::kFunction ||
                         by == CompareBy::kStack || by == CompareBy::kFile;
  return has_names && !options.bases.empty() &&
         (settings.max_growth || settings.max_new || !budgets.rules.empty());
}

// Fails if a side has fewer names than --require-symbols demands. Without this
// option, fails if functions are matched by name and many of them cannot be,
// because an unchanged function would look new.
Result<void> CheckSymbols(Profile& profile, const Options& options,
                          const Budgets& budgets) {
  constexpr double kEnough = 90;
  const auto& required = options.check.settings.require_symbols;
  const Coverage base = CoverageOf(profile, Side::kBase, options.metric);
  const Coverage now = CoverageOf(profile, Side::kNew, options.metric);
  const bool base_has_fewer = NamedPercent(base) < NamedPercent(now);
  const double fewest = std::min(NamedPercent(base), NamedPercent(now));
  const std::string_view words = base_has_fewer ? "base" : "new side";
  if (required && fewest < *required)
    return Fail(ErrorKind::kNoData,
                fmt::format("only {} of the {} has names, --require-symbols "
                            "demands {:.4g} %; see heapprof info",
                            FormatShare(fewest), words, *required));
  const double matchable =
      std::min(MatchablePercent(base, now), MatchablePercent(now, base));
  if (!required && matchable < kEnough && MatchesNames(options, budgets))
    return Fail(
        ErrorKind::kNoData,
        fmt::format("only {} of the {} has names, so functions cannot be "
                    "matched; see heapprof info, or judge what has names with "
                    "--require-symbols={:.0f}",
                    FormatShare(fewest), words, std::floor(fewest)));
  return {};
}

// Fails if the dumps do not use a binary on the command line, or if a binary
// that they use cannot be read. Without it, functions would be shown as
// addresses, which match no function of the other side.
Result<void> CheckBinaries(const Profile& profile, const CheckInput& input,
                           Metric metric) {
  for (const std::string& binary : input.inputs.binaries)
    if (std::ranges::none_of(profile.mappings, [&](const Mapping& mapping) {
          return profile.String(mapping.elf_path) == binary;
        }))
      return Fail(ErrorKind::kNoData,
                  fmt::format("{}: not a binary that the dumps use", binary));
  const ModuleTable modules = MakeModuleTable(
      profile, metric, ModuleInfosOf(profile, input.symbolizer, false));
  for (const ModuleRow& row : modules.rows)
    if (row.status == ModuleStatus::kUnreadable && row.unresolved > 0)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: {}", row.path, row.info.reason));
  return {};
}

int StatusOf(Verdict verdict, const std::optional<Verdict>& fails_from) {
  return fails_from && verdict >= *fails_from ? kExitFinding : kExitDone;
}

std::optional<Verdict> FailsFrom(const CheckSettings& settings) {
  switch (settings.fail_on.value_or(FailOn::kRegression)) {
    case FailOn::kRegression:
      return Verdict::kRegression;
    case FailOn::kInconclusive:
      return Verdict::kInconclusive;
    case FailOn::kNever:
      return std::nullopt;
  }
  return std::nullopt;
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

struct Judged {
  Verdict verdict = Verdict::kOk;
  std::vector<Report> reports;
};

// Returns by entry whether it is own code.
std::vector<bool> OwnEntries(const Profile& profile,
                             const Comparison& comparison) {
  const OwnCode own(profile);
  std::vector<bool> is_own(comparison.entries.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const auto entries = comparison.samples.Of(i);
    std::vector<uint32_t> lines;  // those that the entries stand for
    for (const LocationId id : profile.StackFrames(profile.samples[i].stack)) {
      const Run& run = profile.locations[id.index()].lines;
      for (uint32_t line = 0; line < run.count; ++line)
        lines.push_back(run.first + line);
    }
    if (lines.size() != entries.size()) continue;
    for (size_t k = 0; k < lines.size(); ++k)
      if (own.IsOwn(lines[k])) is_own[entries[k]] = true;
  }
  return is_own;
}

// Removes what comes before the program's own first function in the paths to
// findings, such as _start. Keeps paths without own code.
void BeginPathsWithOwnCode(const Profile& profile, const Comparison& comparison,
                           CheckResult& result) {
  if (!comparison.is_cumulative || comparison.entries.empty()) return;
  const std::vector<bool> is_own = OwnEntries(profile, comparison);
  std::set<std::string> own;
  for (size_t i = 0; i < is_own.size(); ++i)
    if (is_own[i]) own.insert(comparison.entries[i].name);
  for (auto* findings : {&result.findings, &result.ignored})
    for (CheckFinding& finding : *findings) {
      const auto first = std::ranges::find_if(
          finding.path, [&](const auto& name) { return own.contains(name); });
      if (first != finding.path.end())
        finding.path.erase(finding.path.begin(), first);
    }
}

// Writes `report` in all formats that the options ask for.
std::vector<Report> MakeReports(CheckReport report, const Options& options) {
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

Result<Judged> JudgeProfile(const Profile& profile, const CheckInput& input,
                            const Options& options, Diagnostics& diagnostics) {
  const Budgets& budgets = input.budgets;
  const CheckSettings& settings = options.check.settings;
  const JudgeOptions judge = {.confidence = settings.confidence.value_or(0.95),
                              .noise = NoiseOf(settings)};
  Comparison comparison = Compare(profile, {.metric = options.metric,
                                            .by = ByOf(settings),
                                            .confidence = judge.confidence});
  if (!ComparesEntries(settings, budgets)) comparison.entries.clear();
  const auto budget = BudgetOf(comparison, budgets, options, diagnostics);
  if (!budget) return std::unexpected(budget.error());
  CheckResult result = Judge(profile, comparison, *budget, judge);
  BeginPathsWithOwnCode(profile, comparison, result);
  CheckReport report = {.comparison = comparison,
                        .budget = *budget,
                        .result = result,
                        .options = judge,
                        .dumps = DumpsBySide(input.inputs.facts),
                        .fails_from = FailsFrom(settings),
                        .source_root = CurrentDirectory()};
  if (options.check.explain)
    report.detectable = FindDetectable(comparison, *budget, result, judge);
  return Judged{result.verdict, MakeReports(std::move(report), options)};
}

}  // namespace

Result<Budgets> PrepareCheck(Options& options,
                             std::chrono::year_month_day today) {
  Budgets budgets;
  if (!options.check.budgets.empty()) {
    auto read = ReadBudgets(options.check.budgets, today);
    if (!read) return read;
    budgets = *std::move(read);
  }
  CheckSettings& settings = options.check.settings;
  CompleteSettings(settings, budgets.settings);
  if (settings.metric) {
    options.metric = *settings.metric;
    options.is_metric_chosen = true;
  }
  if (auto fit = CheckSettingsFit(options, budgets); !fit)
    return std::unexpected(fit.error());
  return budgets;
}

Result<void> RunCheck(Profile profile, const CheckInput& input,
                      const Options& options, int& status, Progress& progress,
                      Diagnostics& diagnostics) {
  status = kExitCheckFailed;
  if (auto usable = CheckBinaries(profile, input, options.metric); !usable)
    return usable;
  const auto baseline = MakeBaseline(profile, options);
  if (!baseline) return std::unexpected(baseline.error());
  auto filtered = TransformProfile(profile, options, diagnostics);
  if (!filtered) return std::unexpected(filtered.error());
  // The default of check is no news.
  std::erase_if(*filtered, [](const FilterEffect& effect) {
    return effect.filter == "--own=auto";
  });
  diagnostics.Note(FilterSummary(*filtered, UnitOf(options)));
  if (auto enough = CheckFiltered(profile, options); !enough) return enough;
  if (auto enough = CheckSymbols(profile, options, input.budgets); !enough) {
    status = kExitFewSymbols;
    return enough;
  }
  if (OnlySaves(options, input.budgets)) {
    progress.Stop();
    auto saved = WriteAll({}, *baseline, options);
    if (saved) status = kExitDone;
    return saved;
  }
  const auto judged = JudgeProfile(profile, input, options, diagnostics);
  if (!judged) return std::unexpected(judged.error());
  progress.Stop();
  if (auto written = WriteAll(judged->reports, *baseline, options); !written)
    return written;
  status = StatusOf(judged->verdict, FailsFrom(options.check.settings));
  return {};
}

}  // namespace heapprof
