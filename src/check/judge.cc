// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/judge.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "check/level_of_family.h"
#include "check/match_rules.h"
#include "check/own_paths.h"
#include "heapprof/stats/growth.h"
#include "heapprof/view/stacks_without.h"

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

class Judging {
 public:
  Judging(const Profile& profile, const Comparison& comparison,
          const std::vector<bool>& is_judged, const Budgets& budgets,
          const MatchedRules& matched)
      : profile_(profile),
        samples_(profile, profile.samples),
        comparison_(comparison),
        is_judged_(is_judged),
        budgets_(budgets),
        matched_(matched),
        entry_limits_{.max_growth = budgets.settings.max_growth,
                      .max_new = budgets.settings.max_new},
        noise_(budgets.settings.Noise()),
        alpha_(1 - budgets.settings.Confidence()),
        level_(LevelOfFamily(budgets)) {}

  CheckResult Run() && {
    JudgeTotal();
    AddEntries();
    JudgeEntries();
    if (comparison_.is_cumulative) {
      DoubtAppearances();
      RemoveExplained();
    }
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
    const CheckSettings& settings = budgets_.settings;
    if (settings.max_total)
      candidates.push_back(MakeCandidate(
          "max-total", total, Cap(settings.max_total->value), alpha_));
    if (settings.max_total_growth)
      candidates.push_back(MakeCandidate(
          "max-total-growth", total, settings.max_total_growth->limit, alpha_));
    std::vector<GrowthTest> tests;
    for (const Candidate& candidate : candidates)
      tests.push_back(candidate.test);
    const std::vector<bool> proven = FindGrowth(tests, level_);
    for (size_t i = 0; i < candidates.size(); ++i) {
      Decide(candidates[i], proven[i]);
      result_.totals.push_back(std::move(candidates[i].finding));
    }
  }

  bool IsJudged(size_t entry) const {
    return is_judged_.empty() || is_judged_[entry];
  }

  void AddEntries() {
    for (size_t i = 0; i < comparison_.entries.size(); ++i) {
      const EntryRule* const rule = matched_.rules[i];
      if (rule == nullptr && !IsJudged(i)) continue;
      const EntryLimits& limits =
          rule != nullptr ? rule->limits : entry_limits_;
      if (limits.max_total)
        Add(i, rule, "max-total", Cap(limits.max_total->value));
      // A new entry is tested for growth (ratio 1), not for its size, because
      // the base may have held some of it without any sample.
      if (comparison_.entries[i].is_new && limits.max_new)
        Add(i, rule, "max-new", {.ratio = 1, .bytes = limits.max_new->value});
      else if (limits.max_growth)
        Add(i, rule, "max-growth", limits.max_growth->limit);
    }
  }

  void Add(size_t entry, const EntryRule* rule, std::string_view limit_name,
           const GrowthLimit& limit) {
    candidates_.push_back(MakeCandidate(
        rule == nullptr ? std::string(limit_name)
                        : fmt::format("{}.{}", rule->name, limit_name),
        comparison_.entries[entry], limit, alpha_));
    candidates_.back().finding.entry = entry;
    candidates_.back().finding.kind = FindingKind::kEntry;
  }

  void JudgeEntries() {
    std::vector<GrowthTest> tests;
    std::vector<Candidate*> tested;
    for (Candidate& candidate : candidates_) {
      if (MayProveGrowth(candidate.test, level_)) {
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

  // Returns true if growth is proven, whatever the other tests find.
  bool IsProvenAmongTested(const GrowthTest& test) const {
    const auto tests = static_cast<double>(std::max<size_t>(result_.tested, 1));
    return LowerExcess(test, level_ / tests) > 0;
  }

  // Returns true if the growth of the candidate is only that of `callees`:
  // without the stacks in which it calls them, its verdict would be milder.
  bool IsExplainedBy(const Candidate& candidate, const EntryStacks& stacks,
                     std::span<const size_t> callees) const {
    if (callees.empty()) return false;
    const GrowthTest rest = {
        .growth =
            GrowthWithout(profile_, samples_, comparison_, stacks, callees),
        .limit = candidate.test.limit};
    return VerdictOf(rest, IsProvenAmongTested(rest)) <
           candidate.finding.verdict;
  }

  // Returns the stacks of the worst candidates. Only these are examined
  // further, because each needs a pass over all stacks and most of the others
  // are noise.
  std::vector<EntryStacks> StacksOfWorst() const {
    constexpr size_t kMost = 100;
    std::vector<size_t> entries;
    for (size_t i = 0; i < std::min(candidates_.size(), kMost); ++i)
      entries.push_back(*candidates_[i].finding.entry);
    return FindStacksOf(entries, comparison_);
  }

  // Returns by entry which ones tell nothing about how stacks of both sides
  // belong together: those that only one side has, because one may be the other
  // with a new name, and libraries. Entries of the base that may have left no
  // sample by chance are not gone.
  std::vector<bool> EntriesThatTellNothing() const {
    std::vector<bool> tell_nothing;
    for (size_t i = 0; i < comparison_.entries.size(); ++i) {
      const ComparisonEntry& entry = comparison_.entries[i];
      tell_nothing.push_back(
          entry.is_new || (entry.is_gone && !entry.is_noise) || !IsJudged(i));
    }
    return tell_nothing;
  }

  // Returns true if the stacks of the candidate are not known to have grown
  // beyond the limit, and are known to have grown by less than the candidate,
  // which was missing from some of them.
  bool OnlyAppears(const Candidate& candidate, const StacksWithout& without,
                   const EntryStacks& stacks) const {
    const auto change = [](const Growth& growth) {
      return growth.now.mean.value - growth.base.mean.value;
    };
    const Growth& growth = candidate.test.growth;
    const Growth of_stacks = without.GrowthOf(stacks);
    // What the candidate would have held if it had been on all of them.
    const double before =
        growth.now.mean.value - std::min(change(of_stacks), change(growth));
    const GrowthLimit& limit = candidate.test.limit;
    const GrowthTest test = {
        .growth = of_stacks,
        .limit = {.bytes = (limit.ratio - 1) * before + limit.bytes}};
    return VerdictOf(test, IsProvenAmongTested(test)) != Verdict::kRegression &&
           UpperGrowthBound(of_stacks, 1, alpha_) <
               LowerGrowthBound(growth, 1, alpha_);
  }

  // Growth of a function is not proven if only the function has changed or got
  // another name, not what its stacks hold.
  void DoubtAppearances() {
    if (noise_ == NoiseMode::kStrict) return;
    const auto is_doubtful = [](const Candidate& candidate) {
      return candidate.finding.verdict == Verdict::kRegression &&
             candidate.finding.limits_growth;
    };
    if (std::ranges::none_of(candidates_, is_doubtful)) return;
    const std::vector<bool> left_out = EntriesThatTellNothing();
    const StacksWithout without(profile_, samples_, comparison_, left_out);
    const std::vector<EntryStacks> stacks = StacksOfWorst();
    for (size_t i = 0; i < stacks.size(); ++i) {
      Candidate& candidate = candidates_[i];
      if (!is_doubtful(candidate) ||
          !OnlyAppears(candidate, without, stacks[i]))
        continue;
      candidate.finding.verdict = Verdict::kInconclusive;
      candidate.finding.note =
          MovedText(comparison_, comparison_.entries[*candidate.finding.entry]);
      if (candidate.finding.note.empty())
        candidate.finding.note = fmt::format(
            "these stacks held as much before, without this {}: inlining, a "
            "jump or moved code",
            CompareByName(comparison_.by));
    }
    std::ranges::stable_sort(candidates_, IsWorse);
  }

  // Removes candidates whose growth is only that of their callees.
  void RemoveExplained() {
    const std::vector<EntryStacks> stacks = StacksOfWorst();
    const size_t count = stacks.size();
    const std::vector<size_t> kept = NotExplained(stacks);
    result_.explained = count - kept.size();
    std::vector<Candidate> rest;
    for (const size_t i : kept) {
      rest.push_back(std::move(candidates_[i]));
      CheckFinding& finding = rest.back().finding;
      finding.path = PathTo(profile_, comparison_, stacks[i]);
    }
    for (size_t i = count; i < candidates_.size(); ++i)
      rest.push_back(std::move(candidates_[i]));
    candidates_ = std::move(rest);
  }

  // Returns, in ascending order, which of the first candidates, of which
  // `stacks` are, are not explained by their callees.
  std::vector<size_t> NotExplained(
      const std::vector<EntryStacks>& stacks) const {
    // Sort by size, smallest first, so that callees come before their callers,
    // which hold at least as much. If a callee and its caller hold the same,
    // the caller may come first and be kept. Therefore, the second loop
    // examines all kept candidates again.
    std::vector<size_t> order(stacks.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [this](size_t i) {
      const Growth& growth = candidates_[i].test.growth;
      return growth.now.mean.value + growth.base.mean.value;
    });
    const std::vector<size_t> judged_apart = EntriesJudgedApart();
    std::vector<size_t> kept;
    for (const size_t i : order)
      if (!IsExplainedBy(candidates_[i], stacks[i],
                         CalleesOf(i, kept, judged_apart)))
        kept.push_back(i);
    for (size_t k = kept.size(); k-- > 0;)
      if (IsExplainedBy(candidates_[kept[k]], stacks[kept[k]],
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
      if (matched_.rules[i] != nullptr || IgnoreOf(i) != nullptr)
        entries.push_back(i);
    return entries;
  }

  // Returns the entries whose findings may explain that of `candidate`:
  // `judged_apart`, and the entries of those candidates `others` whose verdict
  // is at least as bad. A milder verdict explains nothing. For example, a
  // function that many others call may hold so much that the leak of one of its
  // callers is lost in its noise. Its verdict is then milder than that of the
  // caller, which must remain a finding. Growth does not explain that an entry
  // holds more than its limit: the callee may have grown elsewhere. Leaves out
  // `candidate` itself.
  std::vector<size_t> CalleesOf(size_t candidate,
                                std::span<const size_t> others,
                                std::vector<size_t> judged_apart) const {
    std::vector<size_t> entries = std::move(judged_apart);
    const CheckFinding& finding = candidates_[candidate].finding;
    for (const size_t i : others) {
      const CheckFinding& other = candidates_[i].finding;
      if (other.verdict >= finding.verdict &&
          (finding.limits_growth || !other.limits_growth))
        entries.push_back(*other.entry);
    }
    std::erase(entries, *finding.entry);
    return entries;
  }

  const IgnoreRule* IgnoreOf(size_t entry) const {
    const IgnoreRule* const ignore = matched_.ignores[entry];
    return ignore == nullptr || ignore->is_expired ? nullptr : ignore;
  }

  void AddFindings() {
    for (Candidate& candidate : candidates_) {
      const size_t entry = *candidate.finding.entry;
      if (candidate.finding.note.empty())
        candidate.finding.note =
            MovedText(comparison_, comparison_.entries[entry]);
      const IgnoreRule* ignore = IgnoreOf(entry);
      if (ignore != nullptr)
        candidate.finding.note = fmt::format("ignored until {}: {}",
                                             ignore->expires, ignore->reason);
      auto& findings = ignore != nullptr ? result_.ignored : result_.findings;
      findings.push_back(std::move(candidate.finding));
    }
  }

  void AddExpiredIgnores() {
    std::vector<CheckFinding> expired;
    for (const IgnoreRule& ignore : budgets_.ignores)
      if (ignore.is_expired)
        expired.push_back({.rule = ignore.name,
                           .kind = FindingKind::kExpiredIgnore,
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
  const SamplesByStack samples_;
  const Comparison& comparison_;
  const std::vector<bool>& is_judged_;  // by entry; empty: all
  const Budgets& budgets_;
  const MatchedRules& matched_;
  const EntryLimits entry_limits_;  // of entries without a rule
  const NoiseMode noise_;
  const double alpha_;                 // level of a single test
  const double level_;                 // level of a family of tests
  std::vector<Candidate> candidates_;  // of entries
  CheckResult result_;
};

// True if all limits are those of rules, and none matches. Most likely, their
// patterns are misspelled.
bool JudgesNothing(const Comparison& comparison, const Budgets& budgets,
                   const MatchedRules& matched) {
  const CheckSettings& settings = budgets.settings;
  return !comparison.entries.empty() && !budgets.rules.empty() &&
         !settings.LimitsTotal() && !settings.LimitsEntries() &&
         std::ranges::all_of(matched.rules, [](const EntryRule* rule) {
           return rule == nullptr;
         });
}

}  // namespace

Result<CheckResult> Judge(const Profile& profile, const Comparison& comparison,
                          const std::vector<bool>& is_judged,
                          const Budgets& budgets, Diagnostics& diagnostics) {
  const auto matched = MatchRules(budgets, comparison, diagnostics);
  if (!matched) return std::unexpected(matched.error());
  if (JudgesNothing(comparison, budgets, *matched))
    return Fail(
        ErrorKind::kNoData,
        fmt::format(
            "{}: its rules match none of the {}s, and there is no other "
            "limit, so nothing was judged; add one, such as max_growth",
            budgets.path, CompareByName(comparison.by)));
  return Judging(profile, comparison, is_judged, budgets, *matched).Run();
}

Result<Judgement> JudgeProfile(const Profile& profile, Metric metric,
                               const Budgets& budgets, const JudgedCode& code,
                               Diagnostics& diagnostics) {
  const CheckSettings& settings = budgets.settings;
  Comparison comparison =
      Compare(profile, {.metric = metric,
                        .by = settings.By(),
                        .own_lines = &code.is_own,
                        .confidence = settings.Confidence()});
  if (!budgets.LimitsEntries()) comparison.entries.clear();
  std::vector<bool> is_judged;
  std::set<std::string> own;  // names
  if (!comparison.entries.empty()) {
    for (const ComparisonEntry& entry : comparison.entries) {
      is_judged.push_back(entry.is_own || !comparison.is_cumulative);
      if (is_judged.back()) own.insert(entry.name);
    }
    AddLeaves(comparison, is_judged);
  }
  if (!code.only_own) is_judged.clear();
  auto result = Judge(profile, comparison, is_judged, budgets, diagnostics);
  if (!result) return std::unexpected(result.error());
  for (auto* findings : {&result->findings, &result->ignored})
    for (CheckFinding& finding : *findings) BeginWithOwnCode(own, finding.path);
  return Judgement{std::move(comparison), *std::move(result)};
}

}  // namespace heapprof
