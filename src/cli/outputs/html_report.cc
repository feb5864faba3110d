// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/outputs/compared_dumps.h"
#include "cli/outputs/latest_snapshots.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/for_each.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/report/html.h"
#include "heapprof/view/change.h"
#include "heapprof/view/compact_names.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/size_table.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {
namespace {

std::vector<Metric> MetricsOf(const Profile& profile) {
  std::vector<Metric> metrics;
  for (const Metric metric : kMetrics)
    if (HasMetric(profile, metric)) metrics.push_back(metric);
  return metrics;
}

std::string TitleOf(const ReportRequest& request) {
  const auto& facts = request.inputs.facts;
  const bool is_ambiguous = DumpsTitle(facts, Side::kNew, false) ==
                            DumpsTitle(facts, Side::kBase, false);
  const std::string base = DumpsTitle(facts, Side::kBase, is_ambiguous);
  return DumpsTitle(facts, Side::kNew, is_ambiguous) +
         (base.empty() ? "" : " compared with " + base);
}

// Tells the user what leaves this machine with the page.
std::string EmbeddedNote(const std::vector<std::string>& files) {
  if (files.empty()) return "";
  constexpr size_t kMost = 10;
  const auto shown = files | std::views::take(std::min(files.size(), kMost));
  return fmt::format(
      "the page contains source code of {}{}", fmt::join(shown, ", "),
      files.size() <= kMost
          ? ""
          : fmt::format(" and {}; it lists them all",
                        Counted(files.size() - kMost, "more file")));
}

class HtmlReportMaker {
 public:
  // `profile` is that of the request or, of snapshots, a part of it. `sources`
  // must outlive the report.
  HtmlReportMaker(const ReportRequest& request, const Profile& profile,
                  Sources& sources)
      : request_(request),
        profile_(profile),
        sources_(sources),
        metrics_(MetricsOf(profile_)) {}

  // Of snapshots; see LatestDumps.
  void SetDumpsAtEnd(size_t count) { report_.at_end = count; }

  HtmlReport Make() {
    const Options& options = request_.options;
    report_.version = HEAPPROF_VERSION;
    report_.title = TitleOf(request_);
    report_.column = static_cast<size_t>(
        std::ranges::find(metrics_, options.metric) - metrics_.begin());
    report_.coverage = request_.modules;
    const size_t shown = RunsOf(profile_, Side::kNew).size();
    if (shown != RunsOf(request_.profile, Side::kNew).size())
      report_.latest = shown;
    for (const FilterEffect& effect : request_.filters)
      report_.filters.push_back(effect.filter);
    report_.warnings = Warnings(request_.diagnostics, /*all=*/true);
    // They say why there is nothing to show.
    if (profile_.samples.empty())
      std::ranges::copy(request_.diagnostics.notes(),
                        std::back_inserter(report_.warnings));
    AddParts();
    // The values of threads and dumps are parts of those of one side.
    if (!profile_.is_comparison) {
      AddThreads();
      AddDumps();
    } else {
      AddThreadChanges();
      MarkAllChanged();
    }
    AddSeeds();
    if (options.html_source) AddSources();
    return std::move(report_);
  }

 private:
  using Samples = std::vector<const Sample*>;

  // Adds what is made of the whole profile, on all threads; the largest parts
  // first.
  void AddParts() {
    const Options& options = request_.options;
    const auto table = [this](MetricTable& made, Granularity granularity) {
      made = MakeMetricTable(profile_,
                             {.metrics = metrics_, .granularity = granularity});
    };
    const bool has_lines = std::ranges::any_of(
        profile_.lines, [](const Line& line) { return line.line != 0; });
    const std::function<void()> parts[] = {
        [&] { AddTree(); },
        [&] {
          OverviewOptions made =
              OverviewOptionsOf(profile_, *request_.own_code, options);
          const FrameLabels labels(profile_, OverviewLabelsOf(profile_, made));
          made.row_labels = &labels;
          report_.overview = MakeOverview(profile_, made);
          AddCharged(labels, made.own_calls);
        },
        [&] {
          if (has_lines) table(report_.lines, Granularity::kLines);
        },
        [&] { table(report_.functions, Granularity::kFunctions); },
        [&] { table(report_.files, Granularity::kFiles); },
        [&] { table(report_.modules, Granularity::kModules); },
        [&] {
          if (!options.groups.empty())
            table(report_.groups, Granularity::kGroups);
        },
    };
    ForEach(std::size(parts), JobCount(options), [&](size_t i) { parts[i](); });
  }

  void AddTree() {
    report_.tree = MakeFrameTree(
        profile_, {.metrics = metrics_,
                   .own_lines = OwnLines(profile_, *request_.own_code),
                   .splits_by_code = true,
                   .with_threads = !profile_.is_comparison,
                   .others = request_.profile.samples});
    for (const TreeLabel& label : report_.tree.labels)
      report_.shown_names.push_back(
          CompactShownNames(label.name, label.short_name));
    for (size_t i = 0; i < metrics_.size(); ++i) {
      const ErrorBars errors(profile_, metrics_[i]);
      report_.graphs.push_back(MakeFlameGraphOfRoot(report_.tree, i, errors));
      report_.errors.push_back(ErrorsOf(i, errors));
    }
  }

  HtmlErrors ErrorsOf(size_t column, const ErrorBars& errors) const {
    HtmlErrors made = {
        .intervals = MakeNodeIntervals(report_.tree, column, errors),
        .judge = JudgeOf(column)};
    // The values of a difference that the input itself is have two sides in the
    // tree, but not in tables.
    if (report_.tree.is_comparison == profile_.is_comparison)
      made.model = errors.Model();
    const FrameChanges changes(report_.tree, column, errors);
    made.level_of_changes = changes.level();
    made.changes = changes.of_joints();
    return made;
  }

  // Returns the column of JudgingMetric().
  size_t JudgeOf(size_t column) const {
    const auto found =
        std::ranges::find(metrics_, JudgingMetric(profile_, metrics_[column]));
    return found == metrics_.end()
               ? column
               : static_cast<size_t>(found - metrics_.begin());
  }

  // Says which rows of tables and which threads have changed. The rows are
  // judged like the frames, which the page adds up to rows if a filter is set.
  void MarkAllChanged() {
    for (size_t i = 0; i < metrics_.size(); ++i) {
      const ErrorBars errors(profile_, metrics_[i]);
      if (errors.exactness() != Exactness::kEstimated) continue;
      for (MetricTable* const table :
           {&report_.functions, &report_.lines, &report_.files,
            &report_.modules, &report_.groups}) {
        if (table->columns.empty()) continue;
        MarkChangedCells(errors, report_.errors[i].level_of_changes->tail,
                         table->columns[i].self);
        MarkChangedCells(errors, report_.errors[i].level_of_changes->tail,
                         table->columns[i].total);
      }
      std::vector<Change> threads;
      for (const HtmlThreadChange& thread : report_.thread_changes)
        threads.push_back(thread.cells[i].change);
      const std::vector<bool> changed =
          errors.FindProven(threads, threads, Extent::kThread);
      for (size_t thread = 0; thread < changed.size(); ++thread)
        report_.thread_changes[thread].cells[i].has_changed = changed[thread];
    }
  }

  void AddThreads() {
    std::ranges::sort(report_.threads, {}, [](const ThreadRow& row) {
      return std::pair(row.uid, row.name);
    });
    std::vector<Samples> by_thread(profile_.threads.size());
    for (const Sample& sample : profile_.thread_samples)
      by_thread[sample.thread.index()].push_back(&sample);
    std::vector<ErrorBars> bars;
    for (const Metric metric : metrics_) bars.emplace_back(profile_, metric);
    for (const ThreadRow& row : report_.threads) {
      const Samples& own = by_thread[row.thread.index()];
      HtmlSlices slices = SlicesOf(own);
      for (size_t i = 0; i < metrics_.size(); ++i) {
        Estimate sum;
        for (const Sample* sample : own) sum += sample->values[metrics_[i]];
        slices.intervals.push_back(
            bars[i].Of(sum, Side::kNew, Extent::kThread));
      }
      report_.thread_slices.push_back(std::move(slices));
    }
  }

  // Adds what names the functions that are charged.
  void AddCharged(const FrameLabels& labels, const CallsOfStacks& calls) {
    const Metric metric = request_.options.metric;
    report_.threads = MakeThreadTable(profile_, metric, labels, calls);
    if (!profile_.has_object_counts) return;
    constexpr size_t kMostFunctions = 7;  // the page has colours for so many
    report_.sizes =
        MakeSizeTable(profile_, metric, labels, calls, kMostFunctions);
  }

  // Threads of a comparison have no slices: see HtmlThreadChange.
  void AddThreadChanges() {
    std::vector<ErrorBars> bars;
    for (const Metric metric : metrics_) bars.emplace_back(profile_, metric);
    std::unordered_map<size_t, std::vector<Sample>> by_thread;
    for (ThreadSamples& thread : SamplesByThread(profile_))
      by_thread[thread.thread.index()] = std::move(thread.samples);
    for (const ThreadRow& row :
         std::exchange(report_.threads, std::vector<ThreadRow>())) {
      const std::vector<Sample>& samples = by_thread[row.thread.index()];
      HtmlThreadChange change = {row.uid, row.name, row.top_function};
      for (size_t i = 0; i < metrics_.size(); ++i) {
        const Change sum = SumOf(profile_, samples, metrics_[i]);
        change.cells.push_back({sum, bars[i].Of(sum, Extent::kThread)});
      }
      report_.thread_changes.push_back(std::move(change));
    }
  }

  void AddDumps() {
    const Profile& all = request_.profile;
    const size_t count = all.runs.now.size();
    if (count < 2 || all.is_mean_of_runs) return;
    std::unordered_map<std::string_view, int> names;
    for (const InputFacts& facts : request_.inputs.facts)
      ++names[BaseName(facts.path)];
    for (const InputFacts& facts : request_.inputs.facts) {
      const std::string_view name = BaseName(facts.path);
      report_.dumps.push_back(
          {.name = names[name] == 1 ? std::string(name) : facts.path,
           .time_seconds = facts.time_seconds});
    }
    for (size_t i = 0; i < std::min(count, report_.dumps.size()); ++i)
      if (const uint64_t period = all.runs.now[i].sampling_period;
          MayMissAllocations(period))
        report_.dumps[i].missed = static_cast<double>(period);
    std::vector<Samples> by_run(count);
    for (const Sample& sample : all.samples)
      by_run[sample.run].push_back(&sample);
    for (const Samples& samples : by_run)
      report_.dump_slices.push_back(SlicesOf(samples));
  }

  // Adds what the page needs to compute the errors of threads with one seed.
  void AddSeeds() {
    const Profile& all = request_.profile;
    if (!profile_.is_comparison && RunsOf(profile_, Side::kNew).size() == 1) {
      const size_t sharing = SharedSeeds(profile_).Sharing(Side::kNew).front();
      if (sharing > 1)
        report_.seeds.push_back({.sharing = sharing,
                                 .is_in_all = true,
                                 .are_threads = true,
                                 .slice_count = report_.threads.size()});
    } else {
      AddSeedsOf(profile_,
                 {.is_in_all = true, .are_dumps = report_.latest == 0});
    }
    if (report_.latest != 0)
      AddSeedsOf(all, {.is_in_all = false, .are_dumps = true});
  }

  // What the seeds of the runs of a profile are about.
  struct SeedScope {
    bool is_in_all = false;  // HtmlSeeds::is_in_all
    bool are_dumps = false;  // the runs are the dumps of the page
  };

  void AddSeedsOf(const Profile& profile, const SeedScope& scope) {
    const SharedSeeds seeds(profile);
    const Sides<std::vector<Samples>> by_run = SamplesByRun(profile, seeds);
    for (const Side side : kSides)
      for (size_t run = 0; run < by_run[side].size(); ++run) {
        const size_t sharing = seeds.Sharing(side)[run];
        if (sharing < 2) continue;
        HtmlSeeds added = {.side = side,
                           .sharing = sharing,
                           .is_in_all = scope.is_in_all,
                           .first_slice = report_.seed_slices.size()};
        if (scope.are_dumps && run < report_.dumps.size()) added.dump = run;
        AddSlicesOfThreads(by_run[side][run], profile.threads.size());
        added.slice_count = report_.seed_slices.size() - added.first_slice;
        report_.seeds.push_back(added);
      }
  }

  // Returns the thread samples of each run. The runs of a side without shared
  // seeds are not needed.
  static Sides<std::vector<Samples>> SamplesByRun(const Profile& profile,
                                                  const SharedSeeds& seeds) {
    Sides<std::vector<Samples>> by_run;
    for (const Side side : kSides)
      if (seeds.IsPossible(side))
        by_run[side].resize(seeds.Sharing(side).size());
    for (const Sample& sample : profile.thread_samples)
      if (auto& runs = by_run[sample.side]; !runs.empty())
        runs[RunOf(sample, runs.size())].push_back(&sample);
    return by_run;
  }

  void AddSlicesOfThreads(const Samples& samples, size_t thread_count) {
    std::vector<Samples> by_thread(thread_count);
    for (const Sample* sample : samples)
      by_thread[sample->thread.index()].push_back(sample);
    for (const Samples& of_thread : by_thread)
      if (!of_thread.empty())
        report_.seed_slices.push_back(SlicesOf(of_thread));
  }

  // Adds the sources of the functions that hold the most, with what they call.
  void AddSources() {
    constexpr size_t kMost = 100;
    const MetricTable& functions = report_.functions;
    std::unordered_set<StringId> names;
    for (const size_t row :
         LargestRows(functions.columns[report_.column], kMost))
      names.insert(functions.rows[row].code.function);
    std::vector<bool> wanted;
    for (const Function& function : profile_.functions)
      wanted.push_back(!function.unresolved && !function.name.IsNone() &&
                       names.contains(function.name));
    for (ListedFunction& function :
         MakeSourceListing(profile_, request_.options.metric, wanted)) {
      const auto& lines = sources_.LinesOf(function.file);
      if (!lines.empty())
        report_.sources.push_back({std::move(function), lines});
    }
    report_.source_files = sources_.files_read();
    request_.diagnostics.Note(sources_.MissingNote());
    request_.diagnostics.Note(EmbeddedNote(report_.source_files));
  }

  HtmlSlices SlicesOf(const Samples& samples) const {
    return {.by_metric = MakeTreeSlices(report_.tree, samples, metrics_)};
  }

  const ReportRequest& request_;
  const Profile& profile_;
  Sources& sources_;
  const std::vector<Metric> metrics_;
  HtmlReport report_;
};

}  // namespace

Result<void> MakeHtmlReport(const ReportRequest& request, ByteSink& out) {
  Sources sources(request.options);
  const bool may_start_thread = JobCount(request.options) > 1;
  const std::optional<LatestDumps> latest = LatestSnapshots(request);
  if (!latest) {
    WriteHtml(HtmlReportMaker(request, request.profile, sources).Make(),
              may_start_thread, out);
    return {};
  }
  const ModuleTable modules =
      ModulesOf(latest->profile, request.symbolizer, request.options);
  ReportRequest of_latest = request;
  of_latest.modules = &modules;
  HtmlReportMaker maker(of_latest, latest->profile, sources);
  maker.SetDumpsAtEnd(latest->at_end);
  WriteHtml(maker.Make(), may_start_thread, out);
  return {};
}

}  // namespace heapprof
