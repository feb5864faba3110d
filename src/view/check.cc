// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/core.h>

namespace heapprof {
namespace {

// An estimate that is above its limit by less than this counts as equal to the
// limit, because scaling and rounding may make equal values differ a little.
constexpr double kHalfAByte = 0.5;

double PointExcess(const GrowthTest& test) {
  return test.growth.now.mean.value -
         test.limit.ratio * test.growth.base.mean.value - test.limit.bytes;
}

double LowerExcess(const GrowthTest& test, double alpha) {
  return LowerGrowthBound(test.growth, test.limit.ratio, alpha) -
         test.limit.bytes;
}

double UpperExcess(const GrowthTest& test, double alpha) {
  return UpperGrowthBound(test.growth, test.limit.ratio, alpha) -
         test.limit.bytes;
}

// Returns a limit on the value of the new side, whatever the base is.
GrowthLimit Cap(double bytes) { return {.ratio = 0, .bytes = bytes}; }

// A finding, and the test that decides its verdict.
struct Candidate {
  CheckFinding finding;
  GrowthTest test;
};

Candidate MakeCandidate(std::string rule, const ComparisonEntry& entry,
                        const GrowthLimit& limit, double alpha) {
  Candidate candidate = {.finding = {.rule = std::move(rule)},
                         .test = {.growth = entry.growth, .limit = limit}};
  const GrowthTest& test = candidate.test;
  candidate.finding.allowed =
      limit.ratio * entry.growth.base.mean.value + limit.bytes;
  candidate.finding.limits_growth = limit.ratio != 0;
  candidate.finding.lower_bound = LowerExcess(test, alpha);
  candidate.finding.upper_bound = UpperExcess(test, alpha);
  return candidate;
}

// Returns the probability of a false regression that is allowed for the tests
// of the total, and also for the tests of all entries together. If both have
// limits, each gets half of what is allowed for the whole check.
double LevelOfFamily(const CheckBudget& budget, const JudgeOptions& options) {
  const CheckLimits& limits = budget.limits;
  const bool limits_total = limits.max_total || limits.total_growth;
  const bool limits_entries =
      limits.entry_growth || limits.new_entry || !budget.rules.empty();
  const double alpha = 1 - options.confidence;
  return limits_total && limits_entries ? alpha / 2 : alpha;
}

class Judgement {
 public:
  Judgement(const Profile& profile, const Comparison& comparison,
            const CheckBudget& budget, const JudgeOptions& options)
      : profile_(profile),
        comparison_(comparison),
        budget_(budget),
        noise_(options.noise),
        alpha_(1 - options.confidence),
        level_(LevelOfFamily(budget, options)) {}

  CheckResult Run() && {
    JudgeTotal();
    AddEntries();
    JudgeEntries();
    if (comparison_.is_cumulative) RemoveExplained();
    AddFindings();
    AddExpiredIgnores();
    Finish();
    return std::move(result_);
  }

 private:
  Verdict VerdictOf(const GrowthTest& test, bool is_proven) const {
    const bool is_above = PointExcess(test) >= kHalfAByte;
    switch (noise_) {
      case NoiseMode::kInterval:
        if (is_proven) return Verdict::kRegression;
        return is_above ? Verdict::kInconclusive : Verdict::kOk;
      case NoiseMode::kPoint:
        return is_above ? Verdict::kRegression : Verdict::kOk;
      case NoiseMode::kStrict:
        // Needs no correction for many entries: all of them must be within the
        // limit, so a program that breaks one passes with at most this
        // probability (Berger 1982, intersection-union test).
        return UpperExcess(test, alpha_) > 0 ? Verdict::kRegression
                                             : Verdict::kOk;
    }
    return Verdict::kOk;
  }

  void Decide(Candidate& candidate, bool is_proven) const {
    CheckFinding& finding = candidate.finding;
    finding.verdict = VerdictOf(candidate.test, is_proven);
    if (noise_ == NoiseMode::kStrict && !is_proven &&
        finding.verdict == Verdict::kRegression)
      finding.note = "not proven to be within the limit";
  }

  void JudgeTotal() {
    const ComparisonEntry& total = comparison_.total;
    std::vector<Candidate> candidates;
    if (budget_.limits.max_total)
      candidates.push_back(MakeCandidate(
          "max-total", total, Cap(*budget_.limits.max_total), alpha_));
    if (budget_.limits.total_growth)
      candidates.push_back(MakeCandidate("max-total-growth", total,
                                         *budget_.limits.total_growth, alpha_));
    std::vector<GrowthTest> tests;
    for (const Candidate& candidate : candidates)
      tests.push_back(candidate.test);
    const std::vector<bool> proven = FindGrowth(tests, level_);
    for (size_t i = 0; i < candidates.size(); ++i) {
      Decide(candidates[i], proven[i]);
      result_.totals.push_back(std::move(candidates[i].finding));
    }
  }

  EntryRule RuleOf(size_t entry) const {
    if (!budget_.rule_of.empty() && budget_.rule_of[entry])
      return budget_.rules[*budget_.rule_of[entry]];
    return {.name = {},
            .growth = budget_.limits.entry_growth,
            .new_entry = budget_.limits.new_entry};
  }

  void AddEntries() {
    for (size_t i = 0; i < comparison_.entries.size(); ++i) {
      const ComparisonEntry& entry = comparison_.entries[i];
      const EntryRule rule = RuleOf(i);
      if (rule.max_total) Add(i, rule, "max-total", Cap(*rule.max_total));
      // A new entry is tested for growth (ratio 1), not for its size, because
      // the base may have held some of it without any sample.
      if (entry.is_new && rule.new_entry)
        Add(i, rule, "max-new", {.ratio = 1, .bytes = *rule.new_entry});
      else if (rule.growth)
        Add(i, rule, "max-growth", *rule.growth);
    }
  }

  void Add(size_t entry, const EntryRule& rule, std::string_view limit_name,
           const GrowthLimit& limit) {
    candidates_.push_back(MakeCandidate(
        rule.name.empty() ? std::string(limit_name)
                          : fmt::format("{}.{}", rule.name, limit_name),
        comparison_.entries[entry], limit, alpha_));
    candidates_.back().finding.entry = entry;
  }

  // Returns false if the entry could not be proven to be a regression even if
  // the bytes of both sides were all growth.
  bool CanMatter(const GrowthTest& test) const {
    GrowthTest most = test;
    most.growth.now.mean += most.growth.base.mean;
    most.growth.base.mean = {};
    return LowerExcess(most, level_) > 0;
  }

  void JudgeEntries() {
    std::vector<GrowthTest> tests;
    std::vector<Candidate*> tested;
    for (Candidate& candidate : candidates_) {
      if (CanMatter(candidate.test)) {
        tests.push_back(candidate.test);
        tested.push_back(&candidate);
      } else {
        Decide(candidate, false);
      }
    }
    const std::vector<bool> proven = FindGrowth(tests, level_);
    for (size_t i = 0; i < tested.size(); ++i) Decide(*tested[i], proven[i]);
    result_.tested = tests.size();
    result_.untested = candidates_.size() - tests.size();
    std::erase_if(candidates_, [](const Candidate& candidate) {
      return candidate.finding.verdict == Verdict::kOk;
    });
    std::ranges::stable_sort(candidates_, IsWorse);
  }

  static bool IsWorse(const Candidate& a, const Candidate& b) {
    if (a.finding.verdict != b.finding.verdict)
      return a.finding.verdict > b.finding.verdict;
    return PointExcess(a.test) > PointExcess(b.test);
  }

  // Returns true if the growth of the candidate is only that of `callees`:
  // without the stacks in which it calls them, its verdict would be milder.
  bool IsExplainedBy(const Candidate& candidate,
                     std::span<const size_t> callees) const {
    if (callees.empty()) return false;
    const GrowthTest rest = {
        .growth = GrowthWithout(profile_, comparison_, *candidate.finding.entry,
                                callees),
        .limit = candidate.test.limit};
    const auto tests = static_cast<double>(std::max<size_t>(result_.tested, 1));
    return VerdictOf(rest, LowerExcess(rest, level_ / tests) > 0) <
           candidate.finding.verdict;
  }

  // Removes candidates whose growth is only that of their callees. Examines
  // only the worst candidates, because each needs a pass over all stacks and
  // most of the others are noise.
  void RemoveExplained() {
    constexpr size_t kMost = 100;
    const size_t count = std::min(candidates_.size(), kMost);
    const std::vector<size_t> kept = NotExplained(count);
    result_.explained = count - kept.size();
    std::vector<Candidate> rest;
    for (const size_t i : kept) {
      rest.push_back(std::move(candidates_[i]));
      CheckFinding& finding = rest.back().finding;
      finding.path = PathTo(profile_, comparison_, *finding.entry);
    }
    for (size_t i = count; i < candidates_.size(); ++i)
      rest.push_back(std::move(candidates_[i]));
    candidates_ = std::move(rest);
  }

  // Returns, in ascending order, which of the first `count` candidates are not
  // explained by their callees.
  std::vector<size_t> NotExplained(size_t count) const {
    // Sort by size, smallest first, so that callees come before their callers,
    // which hold at least as much. If a callee and its caller hold the same,
    // the caller may come first and be kept. Therefore, the second loop
    // examines all kept candidates again.
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [this](size_t i) {
      const Growth& growth = candidates_[i].test.growth;
      return growth.now.mean.value + growth.base.mean.value;
    });
    const std::vector<size_t> judged_apart = EntriesJudgedApart();
    std::vector<size_t> kept;
    for (const size_t i : order)
      if (!IsExplainedBy(candidates_[i], CalleesOf(i, kept, judged_apart)))
        kept.push_back(i);
    for (size_t k = kept.size(); k-- > 0;)
      if (IsExplainedBy(candidates_[kept[k]],
                        CalleesOf(kept[k], kept, judged_apart)))
        kept.erase(kept.begin() + static_cast<ptrdiff_t>(k));
    std::ranges::sort(kept);
    return kept;
  }

  // Returns the entries that have a rule of their own or are ignored. Their
  // growth must not make their callers fail, too.
  std::vector<size_t> EntriesJudgedApart() const {
    std::vector<size_t> entries;
    for (size_t i = 0; i < comparison_.entries.size(); ++i)
      if ((!budget_.rule_of.empty() && budget_.rule_of[i]) ||
          IgnoreOf(i) != nullptr)
        entries.push_back(i);
    return entries;
  }

  // Returns the entries whose growth may explain that of `candidate`:
  // `judged_apart`, and the entries of those candidates `others` whose verdict
  // is at least as bad. A milder verdict explains nothing. For example, a
  // function that many others call may hold so much that the leak of one of its
  // callers is lost in its noise. Its verdict is then milder than that of the
  // caller, which must remain a finding. Leaves out `candidate` itself.
  std::vector<size_t> CalleesOf(size_t candidate,
                                std::span<const size_t> others,
                                std::vector<size_t> judged_apart) const {
    std::vector<size_t> entries = std::move(judged_apart);
    for (const size_t i : others)
      if (candidates_[i].finding.verdict >=
          candidates_[candidate].finding.verdict)
        entries.push_back(*candidates_[i].finding.entry);
    std::erase(entries, *candidates_[candidate].finding.entry);
    return entries;
  }

  const IgnoreRule* IgnoreOf(size_t entry) const {
    if (budget_.ignore_of.empty() || !budget_.ignore_of[entry]) return nullptr;
    const IgnoreRule& ignore = budget_.ignores[*budget_.ignore_of[entry]];
    return ignore.is_expired ? nullptr : &ignore;
  }

  void AddFindings() {
    for (Candidate& candidate : candidates_) {
      const IgnoreRule* ignore = IgnoreOf(*candidate.finding.entry);
      if (ignore != nullptr)
        candidate.finding.note = fmt::format("ignored until {}: {}",
                                             ignore->expires, ignore->reason);
      auto& findings = ignore != nullptr ? result_.ignored : result_.findings;
      findings.push_back(std::move(candidate.finding));
    }
  }

  void AddExpiredIgnores() {
    std::vector<CheckFinding> expired;
    for (const IgnoreRule& ignore : budget_.ignores)
      if (ignore.is_expired)
        expired.push_back({.rule = ignore.name,
                           .is_expired_ignore = true,
                           .verdict = Verdict::kRegression,
                           .note = fmt::format("expired on {}: {}",
                                               ignore.expires, ignore.reason)});
    result_.findings.insert(result_.findings.begin(), expired.begin(),
                            expired.end());
  }

  void Finish() {
    for (const auto* findings : {&result_.totals, &result_.findings})
      for (const CheckFinding& finding : *findings)
        result_.verdict = std::max(result_.verdict, finding.verdict);
  }

  const Profile& profile_;
  const Comparison& comparison_;
  const CheckBudget& budget_;
  const NoiseMode noise_;
  const double alpha_;                 // level of a single test
  const double level_;                 // level of a family of tests
  std::vector<Candidate> candidates_;  // of entries
  CheckResult result_;
};

// Returns what `side` would be with `factor` times as many samples.
MeasuredSide WithMoreSamples(MeasuredSide side, double factor) {
  side.mean.variance /= factor;
  side.missed /= factor;
  return side;
}

// Growth is detectable if it is proven in this share of all comparisons.
constexpr double kPower = 0.9;

// Returns how many times as many samples are needed to prove growth of `target`
// bytes beyond the limit. The result is 1 or is found by doubling, which ends
// when it reaches `most`.
double SamplesFor(double target, const MeasuredSide& base,
                  const GrowthLimit& limit, double alpha, double most) {
  double factor = 1;
  while (factor < most && DetectableGrowth(WithMoreSamples(base, factor), limit,
                                           alpha, kPower) > target)
    factor *= 2;
  return factor;
}

Detectable MakeDetectable(Detectable::Subject subject, const MeasuredSide& base,
                          const GrowthLimit& limit, double alpha,
                          const ComparedSide& sampling) {
  Detectable row = {.subject = subject, .base = base.mean.value};
  row.allowed_growth = (limit.ratio - 1) * base.mean.value + limit.bytes;
  row.growth =
      row.allowed_growth + DetectableGrowth(base, limit, alpha, kPower);
  if (row.allowed_growth <= 0 || sampling.period <= 1) return row;
  row.more_samples = SamplesFor(row.allowed_growth, base, limit, alpha,
                                static_cast<double>(sampling.period));
  if (row.more_samples == 1) return row;
  // Finer sampling would make the program too slow, and more runs would take
  // too long, so neither is advice that anybody could follow.
  constexpr double kFinest = 10;
  constexpr double kMostRuns = 20;
  const double lg = std::round(std::log2(static_cast<double>(sampling.period)) -
                               std::log2(row.more_samples));
  if (lg >= kFinest) row.lg_prof_sample = static_cast<unsigned>(lg);
  const double runs = static_cast<double>(sampling.runs) * row.more_samples;
  if (runs <= kMostRuns) row.runs = static_cast<size_t>(runs);
  return row;
}

// Returns the median, by value in the base, of the `tested` largest entries of
// the base; null if the base has none.
const ComparisonEntry* TypicalEntry(const Comparison& comparison,
                                    size_t tested) {
  std::vector<const ComparisonEntry*> entries;
  for (const ComparisonEntry& entry : comparison.entries)
    if (!entry.is_new) entries.push_back(&entry);
  std::ranges::stable_sort(entries, std::greater(),
                           [](const ComparisonEntry* entry) {
                             return entry->growth.base.mean.value;
                           });
  const size_t middle = std::min(tested, entries.size()) / 2;
  return entries.empty() ? nullptr : entries[middle];
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"ok", "inconclusive", "regression"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string_view NoiseModeName(NoiseMode mode) {
  constexpr std::string_view kNames[] = {"ci", "point", "strict"};
  return kNames[static_cast<size_t>(mode)];
}

CheckResult Judge(const Profile& profile, const Comparison& comparison,
                  const CheckBudget& budget, const JudgeOptions& options) {
  return Judgement(profile, comparison, budget, options).Run();
}

std::vector<Detectable> FindDetectable(const Comparison& comparison,
                                       const CheckBudget& budget,
                                       const CheckResult& result,
                                       const JudgeOptions& options) {
  using enum Detectable::Subject;
  const ComparedSide& sampling =
      comparison.sides[static_cast<size_t>(Side::kBase)];
  const CheckLimits& limits = budget.limits;
  const double alpha = LevelOfFamily(budget, options);
  const double entry_alpha =
      alpha / static_cast<double>(std::max<size_t>(result.tested, 1));
  const MeasuredSide& total = comparison.total.growth.base;
  std::vector<Detectable> rows;
  if (limits.total_growth)
    rows.push_back(
        MakeDetectable(kTotal, total, *limits.total_growth, alpha, sampling));
  const ComparisonEntry* typical = TypicalEntry(comparison, result.tested);
  if (limits.entry_growth && typical != nullptr)
    rows.push_back(MakeDetectable(kTypicalEntry, typical->growth.base,
                                  *limits.entry_growth, entry_alpha, sampling));
  const std::optional<double> new_entry =
      limits.new_entry || !limits.entry_growth
          ? limits.new_entry
          : std::optional(limits.entry_growth->bytes);
  if (new_entry)
    rows.push_back(MakeDetectable(
        kNewEntry, {.mean = {}, .missed = total.missed},
        {.ratio = 1, .bytes = *new_entry}, entry_alpha, sampling));
  return rows;
}

}  // namespace heapprof
