// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/judge.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/check/detectable.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kPeriod = 1000;

// A stack's values on both sides.
struct TestStack {
  std::string frames;  // "main;f;g"
  double before = 0;
  double after = 0;
};

// A profile whose values have the variance of small objects, unless `exact`.
Profile BothSides(const std::vector<TestStack>& stacks, bool exact) {
  std::string text;
  for (const TestStack& stack : stacks)
    for (const double value : {stack.before, stack.after})
      text += fmt::format("{} {}\n", stack.frames, value);
  Profile profile = TestProfileReader().Read(text);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    Sample& sample = profile.samples[i];
    sample.side = i % 2 == 0 ? Side::kBase : Side::kNew;
    Estimate& bytes = sample.values[Metric::kInuseSpace];
    if (!exact) bytes.variance = kPeriod * bytes.value;
  }
  std::erase_if(profile.samples,
                [](const Sample& sample) { return sample.values.AllZero(); });
  profile.sampling_period = exact ? 1 : static_cast<uint64_t>(kPeriod);
  profile.is_comparison = true;
  return profile;
}

ParsedLimit GrowthUpTo(double ratio, double bytes) {
  return {.limit = {.ratio = ratio, .bytes = bytes}};
}

class JudgeTest : public testing::Test {
 protected:
  CheckResult Check(const std::vector<TestStack>& stacks) {
    const Profile profile = BothSides(stacks, is_exact_);
    comparison_ = Compare(profile, {});
    auto result = Judge(profile, comparison_, {}, budgets_, diagnostics_);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  static EntryPattern Function(std::string_view pattern) {
    return {EntryPattern::Field::kFunction, *Regex::Compile("rule", pattern)};
  }

  void AddRule(std::string_view function, EntryLimits limits) {
    budgets_.rules.push_back({.name = "rules[0]",
                              .pattern = Function(function),
                              .limits = std::move(limits)});
  }

  void AddIgnore(std::string_view function, bool is_expired) {
    budgets_.ignores.push_back({.name = "ignore[0]",
                                .pattern = Function(function),
                                .reason = "known",
                                .expires = "2027-01-31",
                                .is_expired = is_expired});
  }

  // "regression g", "inconclusive f" ...
  std::vector<std::string> Names(const std::vector<CheckFinding>& findings) {
    std::vector<std::string> names;
    for (const CheckFinding& finding : findings)
      names.push_back(fmt::format("{} {}", VerdictName(finding.verdict),
                                  finding.entry
                                      ? comparison_.entries[*finding.entry].name
                                      : finding.rule));
    return names;
  }

  bool is_exact_ = true;
  Budgets budgets_;
  Comparison comparison_;
  Diagnostics diagnostics_;
};

TEST_F(JudgeTest, IsOkWithinTheLimit) {
  budgets_.settings = {.max_total_growth = GrowthUpTo(1.1, 0),
                       .max_growth = GrowthUpTo(1.1, 0)};
  const CheckResult result = Check({{"main;f", 1000, 1100}});
  EXPECT_EQ(result.verdict, Verdict::kOk);
  EXPECT_THAT(Names(result.totals), ElementsAre("ok max-total-growth"));
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(JudgeTest, IsOkIfOnlyRoundingGrew) {
  budgets_.settings = {.max_total_growth = GrowthUpTo(1, 0),
                       .max_growth = GrowthUpTo(1, 0)};
  budgets_.settings.noise = NoiseMode::kPoint;
  EXPECT_EQ(Check({{"f", 81920, 81920.0002}}).verdict, Verdict::kOk);
  EXPECT_EQ(Check({{"f", 81920, 81921}}).verdict, Verdict::kRegression);
}

TEST_F(JudgeTest, FindsTheTotalAboveItsLimits) {
  budgets_.settings = {.max_total = ParsedSize{1100},
                       .max_total_growth = GrowthUpTo(1.2, 0)};
  const CheckResult result = Check({{"main;f", 1000, 1101}});
  EXPECT_EQ(result.verdict, Verdict::kRegression);
  EXPECT_THAT(Names(result.totals),
              ElementsAre("regression max-total", "ok max-total-growth"));
}

TEST_F(JudgeTest, ShowsTheCallersOfAFindingAsItsPath) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  const CheckResult result =
      Check({{"main;f;leak", 0, 500}, {"main;f;same", 900, 900}});
  EXPECT_THAT(Names(result.findings), ElementsAre("regression leak"));
  EXPECT_THAT(result.findings[0].path, ElementsAre("main", "f"));
  EXPECT_EQ(result.explained, 2U);
}

// Whichever of the two comes first.
TEST_F(JudgeTest, ShowsACalleeThatHoldsAsMuchAsItsCaller) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_THAT(Names(Check({{"a;b", 0, 500}}).findings),
              ElementsAre("regression b"));
  EXPECT_THAT(Names(Check({{"b;a", 0, 500}}).findings),
              ElementsAre("regression a"));
}

TEST_F(JudgeTest, KeepsACallerThatAlsoGrewItself) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  const CheckResult result =
      Check({{"main;f;leak", 0, 500}, {"main;f", 0, 300}});
  EXPECT_THAT(Names(result.findings),
              ElementsAre("regression f", "regression leak"));
}

// What all callers hold together is too noisy to prove the leak of one.
TEST_F(JudgeTest, ShowsAProvenCallerOfAnUnprovenCallee) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 0);
  const CheckResult result =
      Check({{"leak;allocate", 0, 20'000}, {"f;allocate", 400'000, 400'000}});
  EXPECT_EQ(result.verdict, Verdict::kRegression);
  EXPECT_THAT(Names(result.findings),
              ElementsAre("regression leak", "inconclusive allocate"));
}

// In the base, the call of resize() was a jump, so that add() was not on the
// stack.
TEST_F(JudgeTest, TakesNoFunctionForGrownThatOnlyAppearsOnMoreStacks) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  const std::vector<TestStack> stacks = {{"main;add;copy", 300, 300},
                                         {"main;resize", 160, 0},
                                         {"main;add;resize", 0, 160}};
  CheckResult result = Check(stacks);
  EXPECT_THAT(Names(result.findings), ElementsAre("inconclusive add"));
  EXPECT_EQ(
      result.findings[0].note,
      "these stacks held as much before, without this function: inlining, "
      "a jump or moved code");
  budgets_.settings.noise = NoiseMode::kStrict;
  EXPECT_THAT(Names(Check(stacks).findings), ElementsAre("regression add"));
}

TEST_F(JudgeTest, TakesNoFunctionForGrownThatWasInlined) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_EQ(Check({{"main", 500, 0}, {"main;f", 0, 300}, {"main;f;g", 0, 200}})
                .verdict,
            Verdict::kInconclusive);
  // Without names for inlined calls, nobody can tell which of them grew.
  EXPECT_THAT(
      Names(Check({{"main", 500, 0}, {"main;f", 0, 300}, {"main;g", 0, 250}})
                .findings),
      ElementsAre("regression f", "regression g"));
}

// The stacks hold a little more than the limit allows, but that may be noise.
TEST_F(JudgeTest, TakesNoSampledFunctionForGrownThatWasInlined) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_EQ(Check({{"main", 5'000'000, 0},
                   {"main;f", 0, 2'600'000},
                   {"main;g", 0, 2'450'000}})
                .verdict,
            Verdict::kInconclusive);
}

TEST_F(JudgeTest, FindsNewFunctionsBesideOthersThatHeldAsMuch) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_THAT(
      Names(Check({{"main", 500, 500}, {"main;leak", 0, 400}}).findings),
      ElementsAre("regression leak"));
  EXPECT_THAT(
      Names(Check({{"main;old", 400, 0}, {"main;leak", 0, 600}}).findings),
      ElementsAre("regression leak"));
  EXPECT_THAT(Names(Check({{"main;a", 500, 500},
                           {"main;b", 500, 500},
                           {"main;a;old", 400, 0},
                           {"main;b;leak", 0, 400}})
                        .findings),
              ElementsAre("regression leak"));
  // The noise of main() hides whether it held as much before.
  is_exact_ = false;
  EXPECT_THAT(
      Names(Check({{"main", 5'000'000, 4'900'000}, {"main;leak", 0, 100'000}})
                .findings),
      ElementsAre("regression leak"));
}

// Each of the others had one sample in the base. That they have none now is
// chance, not a sign that the leak is what they became.
TEST_F(JudgeTest, FindsNewFunctionsBesideManyWithoutSamples) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  std::vector<TestStack> stacks = {{"main;leak", 0, 60'000}};
  for (int i = 0; i < 60; ++i)
    stacks.push_back({fmt::format("main;small{}", i), kPeriod, 0});
  EXPECT_THAT(Names(Check(stacks).findings), ElementsAre("regression leak"));
}

TEST_F(JudgeTest, TakesNoFunctionForGrownThatMayHaveBeenRenamed) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  CheckResult result =
      Check({{"main;Old", 400, 0}, {"main;New", 0, 400}, {"Leak", 0, 90}});
  ASSERT_THAT(Names(result.findings),
              ElementsAre("regression Leak", "inconclusive New"));
  EXPECT_EQ(result.findings[0].note, "");
  EXPECT_EQ(result.findings[1].note, "moved from Old?");
  // Old() became New() and Add(), which it calls.
  result = Check({{"main;Load", 100, 100},
                  {"main;Load;Old", 400, 0},
                  {"main;Load;New;Add", 0, 400}});
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
}

TEST_F(JudgeTest, NotesWhichFunctionMayHaveMovedToAnotherCaller) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  const CheckResult result = Check({{"main;a", 500, 500},
                                    {"main;b", 500, 500},
                                    {"main;a;Old", 400, 0},
                                    {"main;b;New", 0, 400}});
  ASSERT_THAT(Names(result.findings), ElementsAre("regression New"));
  EXPECT_EQ(result.findings[0].note, "moved from Old?");
}

TEST_F(JudgeTest, KeepsOneOfTwoFunctionsThatCallEachOther) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  const CheckResult result = Check({{"a;b;a", 0, 300}, {"b;a;b", 0, 300}});
  EXPECT_EQ(result.findings.size() + result.explained, 2U);
  EXPECT_GE(result.findings.size(), 1U);
}

TEST_F(JudgeTest, JudgesNewEntriesByTheirOwnLimit) {
  budgets_.settings = {.max_growth = GrowthUpTo(1, 10),
                       .max_new = ParsedSize{400}};
  EXPECT_EQ(Check({{"main", 1000, 1000}, {"f", 0, 400}}).verdict, Verdict::kOk);
  const CheckResult result = Check({{"main", 1000, 1000}, {"f", 0, 401}});
  EXPECT_EQ(result.findings.at(0).rule, "max-new");
}

TEST_F(JudgeTest, ReplacesTheLimitsByThoseOfARule) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  AddRule("^cache$", {.max_growth = GrowthUpTo(2, 0)});
  EXPECT_EQ(Check({{"cache", 100, 200}}).verdict, Verdict::kOk);
  const CheckResult result = Check({{"cache", 100, 201}, {"f", 100, 111}});
  EXPECT_THAT(Names(result.findings),
              ElementsAre("regression cache", "regression f"));
  EXPECT_EQ(result.findings[1].rule, "max-growth");
  EXPECT_EQ(result.findings[0].rule, "rules[0].max-growth");
}

TEST_F(JudgeTest, DoesNotChargeCallersWithWhatARuleAllows) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  AddRule("^cache$", {.max_growth = GrowthUpTo(1, 500)});
  const CheckResult result = Check({{"main;cache", 0, 500}});
  EXPECT_EQ(result.verdict, Verdict::kOk);
  EXPECT_EQ(result.explained, 1U);
  EXPECT_THAT(
      Names(Check({{"main;cache", 0, 500}, {"main;f", 0, 11}}).findings),
      ElementsAre("regression f"));
}

// The callee grew elsewhere.
TEST_F(JudgeTest, ShowsATotalAboveItsLimitBesideTheGrowthOfACallee) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  AddRule("^handle$", {.max_total = ParsedSize{100}});
  const CheckResult result =
      Check({{"handle;allocate", 300, 200}, {"f;allocate", 300, 500}});
  EXPECT_THAT(Names(result.findings),
              ElementsAre("regression handle", "regression allocate"));
}

TEST_F(JudgeTest, IgnoresUntilTheDate) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  AddIgnore("^leak$", false);
  const CheckResult result = Check({{"main;leak", 0, 500}});
  EXPECT_EQ(result.verdict, Verdict::kOk);
  EXPECT_THAT(Names(result.ignored), ElementsAre("regression leak"));
  EXPECT_EQ(result.ignored[0].note, "ignored until 2027-01-31: known");
}

TEST_F(JudgeTest, FindsAnExpiredIgnoreAndWhatItIgnored) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  AddIgnore("^leak$", true);
  EXPECT_THAT(Names(Check({{"main;leak", 0, 500}}).findings),
              ElementsAre("regression ignore[0]", "regression leak"));
  EXPECT_THAT(Names(Check({{"main;leak", 500, 500}}).findings),
              ElementsAre("regression ignore[0]"));
}

// About 10 samples before, and 12 after: noise.
TEST_F(JudgeTest, DependsOnTheNoiseMode) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 0);
  const std::vector<TestStack> more = {{"f", 10'000, 12'000}};
  EXPECT_EQ(Check(more).verdict, Verdict::kInconclusive);
  budgets_.settings.noise = NoiseMode::kPoint;
  EXPECT_EQ(Check(more).verdict, Verdict::kRegression);
  const std::vector<TestStack> less = {{"f", 12'000, 10'000}};
  EXPECT_EQ(Check(less).verdict, Verdict::kOk);
  budgets_.settings.noise = NoiseMode::kStrict;
  const CheckResult strict = Check(less);
  EXPECT_EQ(strict.verdict, Verdict::kRegression);
  EXPECT_EQ(strict.findings.at(0).note, "not proven to be within the limit");
  EXPECT_EQ(Check({{"f", 1'000'000, 100'000}}).verdict, Verdict::kOk);
}

TEST_F(JudgeTest, ProvesLargeGrowth) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 0);
  EXPECT_EQ(Check({{"f", 10'000, 100'000}}).verdict, Verdict::kRegression);
}

// The same growth is proven only if it need not share the level.
TEST_F(JudgeTest, DividesTheLevelBetweenTotalAndEntries) {
  is_exact_ = false;
  const auto verdicts = [this](double now) {
    const CheckResult result = Check({{"f", 100'000, now}});
    std::vector<Verdict> found;
    for (const auto* findings : {&result.totals, &result.findings})
      for (const CheckFinding& finding : *findings)
        found.push_back(finding.verdict);
    return found;
  };
  constexpr double kNow = 127'000;
  budgets_.settings = {.max_total_growth = GrowthUpTo(1, 0)};
  EXPECT_THAT(verdicts(kNow), ElementsAre(Verdict::kRegression));
  budgets_.settings = {.max_growth = GrowthUpTo(1, 0)};
  EXPECT_THAT(verdicts(kNow), ElementsAre(Verdict::kRegression));
  budgets_.settings.max_total_growth = GrowthUpTo(1, 0);
  EXPECT_THAT(verdicts(kNow),
              ElementsAre(Verdict::kInconclusive, Verdict::kInconclusive));
}

// What the caller grew by itself would be proven if it need not share the level
// with the callee.
TEST_F(JudgeTest, DividesTheLevelWhereACalleeExplainsItsCaller) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 0);
  const TestStack own = {"caller", 100'000, 127'000};
  EXPECT_THAT(Names(Check({own}).findings), ElementsAre("regression caller"));
  const TestStack callee = {"caller;callee", 100'000, 1'000'000};
  EXPECT_THAT(Names(Check({own, callee}).findings),
              ElementsAre("regression callee"));
}

TEST_F(JudgeTest, ExplainsWithTheLevelInUse) {
  is_exact_ = false;
  budgets_.settings = {.max_total_growth = GrowthUpTo(1.1, 0)};
  const auto growth = [this] {
    const CheckResult result = Check({{"f", 500'000, 500'000}});
    return FindDetectable(comparison_, budgets_, result)[0].growth;
  };
  const double alone = growth();
  budgets_.settings.max_growth = GrowthUpTo(1.1, 0);
  EXPECT_GT(growth(), alone);
}

TEST_F(JudgeTest, DoesNotTestWhatIsTooSmall) {
  is_exact_ = false;
  budgets_.settings.max_growth = GrowthUpTo(1, 20'000);
  const CheckResult result =
      Check({{"large", 500'000, 500'000}, {"small", 1'000, 9'000}});
  EXPECT_EQ(result.tested, 1U);
  EXPECT_EQ(result.untested, 1U);
}

TEST_F(JudgeTest, SaysWhatGrowthCouldHaveBeenShown) {
  is_exact_ = false;
  budgets_.settings = {.max_total_growth = GrowthUpTo(1.01, 0),
                       .max_growth = GrowthUpTo(1, 1e6)};
  const CheckResult result = Check({{"f", 500'000, 500'000}});
  const auto rows = FindDetectable(comparison_, budgets_, result);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(rows[0].allowed_growth, 5000, 1e-6);
  EXPECT_GT(rows[0].growth, 20'000);
  EXPECT_GT(rows[0].more_samples, 4);
  EXPECT_EQ(rows[2].more_samples, 1);
}

TEST_F(JudgeTest, KnowsNoTypicalEntryIfAllAreNew) {
  is_exact_ = false;
  budgets_.settings = {.max_growth = GrowthUpTo(1, 1e6)};
  const CheckResult result = Check({{"f", 0, 500'000}});
  const auto rows = FindDetectable(comparison_, budgets_, result);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].subject, Detectable::Subject::kNewEntry);
}

TEST_F(JudgeTest, AdvisesOnlyWhatIsFeasible) {
  is_exact_ = false;
  budgets_.settings = {.max_total_growth = GrowthUpTo(1, 100'000)};
  const CheckResult result = Check({{"f", 500'000, 500'000}});
  // As if the period were that of lg_prof_sample:19.
  comparison_.sides.base.period = 1 << 19;
  const auto advice = [&](double allowed) {
    budgets_.settings.max_total_growth->limit.bytes = allowed;
    return FindDetectable(comparison_, budgets_, result).front();
  };
  const Detectable enough = advice(30'000);
  EXPECT_GT(enough.more_samples, 1);
  EXPECT_LT(*enough.lg_prof_sample, 19U);
  // Not more than 20 runs.
  double allowed = 30'000;
  while (advice(allowed).more_samples < 16) allowed /= 1.2;
  EXPECT_EQ(advice(allowed).runs, 16U);
  while (advice(allowed).more_samples < 32) allowed /= 1.2;
  EXPECT_FALSE(advice(allowed).runs);
  // Not below lg_prof_sample:10.
  while (advice(allowed).more_samples < 512) allowed /= 1.2;
  EXPECT_EQ(advice(allowed).lg_prof_sample, 10U);
  while (advice(allowed).more_samples < 1024) allowed /= 1.2;
  EXPECT_FALSE(advice(allowed).lg_prof_sample);
  const Detectable absurd = advice(1);
  EXPECT_GT(absurd.more_samples, 10'000);
  EXPECT_FALSE(absurd.lg_prof_sample);
  EXPECT_FALSE(absurd.runs);
  EXPECT_EQ(advice(0).more_samples, 1);  // nothing is to be shown
  const auto advice_of_period = [&](uint64_t period) {
    comparison_.sides.now.period = comparison_.sides.base.period = period;
    return advice(30'000);
  };
  EXPECT_EQ(advice_of_period(0).more_samples, 1);
  // Every allocation was sampled, so only runs differ.
  EXPECT_EQ(advice_of_period(1).more_samples, enough.more_samples);
  EXPECT_FALSE(advice_of_period(1).lg_prof_sample);
  EXPECT_EQ(advice_of_period(1).runs, enough.runs);
}

TEST_F(JudgeTest, SaysWhatEachFindingIsAbout) {
  budgets_.settings = {.max_total = ParsedSize{1},
                       .max_growth = GrowthUpTo(1, 10)};
  AddIgnore("^gone$", true);
  const CheckResult result = Check({{"leak", 0, 500}});
  EXPECT_EQ(result.totals.at(0).kind, FindingKind::kTotal);
  EXPECT_EQ(result.findings.at(0).kind, FindingKind::kExpiredIgnore);
  EXPECT_EQ(result.findings.at(1).kind, FindingKind::kEntry);
}

TEST_F(JudgeTest, NotesRulesThatMatchNothing) {
  budgets_.path = "b.toml";
  AddRule("^cache$", {.max_growth = GrowthUpTo(2, 0)});
  AddRule("^gone$", {.max_growth = GrowthUpTo(2, 0)});
  budgets_.rules[1].name = "rules[1]";
  Check({{"main;cache", 100, 100}});
  EXPECT_THAT(diagnostics_.notes(),
              ElementsAre("b.toml: rules[1] matches none of the functions"));
}

TEST_F(JudgeTest, FailsIfOnlyRulesLimitAndNoneMatches) {
  budgets_.path = "b.toml";
  AddRule("^cahce$", {.max_growth = GrowthUpTo(2, 0)});
  const Profile profile = BothSides({{"main;cache", 100, 100}}, true);
  const auto result =
      Judge(profile, Compare(profile, {}), {}, budgets_, diagnostics_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "b.toml: its rules match none of the functions, and there is no "
            "other limit, so nothing was judged; add one, such as max_growth");
}

TEST_F(JudgeTest, PrefersTheFirstRuleThatMatches) {
  AddRule("^ca", {.max_growth = GrowthUpTo(1, 500)});
  AddRule("^cache$", {.max_growth = GrowthUpTo(1, 0)});
  EXPECT_EQ(Check({{"cache", 100, 600}}).verdict, Verdict::kOk);
}

class JudgeProfileTest : public JudgeTest {
 protected:
  // Functions whose names end with "_" are not own code.
  Judgement JudgeOwn(const std::vector<TestStack>& stacks,
                     bool only_own = false) {
    const Profile profile = BothSides(stacks, true);
    JudgedCode code = {.only_own = only_own};
    for (const Line& line : profile.lines)
      code.is_own.push_back(
          !profile.String(profile.functions[line.function.index()].name)
               .ends_with('_'));
    auto judgement = JudgeProfile(profile, Metric::kInuseSpace, budgets_, code,
                                  diagnostics_);
    EXPECT_TRUE(judgement) << judgement.error().message;
    comparison_ = judgement->comparison;
    return *std::move(judgement);
  }

  Judgement JudgeLeak(const std::string& stack) {
    return JudgeOwn({{stack, 0, 500}});
  }
};

// A library calls functions of one's own, each of which grew by little.
TEST_F(JudgeProfileTest, LeavesOutLibrariesBetweenOwnFunctions) {
  const std::vector<TestStack> stacks = {{"start_;main;sort_;f", 100, 109},
                                         {"start_;main;sort_;g", 100, 109},
                                         {"start_;[outside]_", 0, 11}};
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_THAT(Names(JudgeOwn(stacks, true).result.findings),
              ElementsAre("regression main", "regression [outside]_"));
  EXPECT_EQ(JudgeOwn(stacks, true).result.tested, 4U);
  EXPECT_EQ(JudgeOwn(stacks, false).result.tested, 6U);
  AddRule("^sort_$", {.max_growth = GrowthUpTo(1, 5)});
  EXPECT_THAT(Names(JudgeOwn(stacks, true).result.findings),
              ElementsAre("regression sort_", "regression [outside]_"));
}

// Adjacent inlined calls are in one file, which is not own code.
TEST_F(JudgeProfileTest, LeavesOutFilesOfLibraries) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  budgets_.settings.by = CompareBy::kFile;
  const Judgement judgement =
      JudgeOwn({{"main%/main.cc:1;f%/f.cc:1|grow_%/vector:1|push_%/vector:2;"
                 "new_%/new:1",
                 0, 500}},
               true);
  EXPECT_EQ(judgement.result.tested, 3U);
}

TEST_F(JudgeProfileTest, BeginsPathsWithOwnCode) {
  budgets_.settings.max_growth = GrowthUpTo(1, 10);
  EXPECT_THAT(JudgeLeak("start_;main;lib_;leak").result.findings.at(0).path,
              ElementsAre("main", "lib_"));
  EXPECT_THAT(JudgeLeak("start_;main_;leak").result.findings.at(0).path,
              ElementsAre("start_", "main_"));
}

TEST_F(JudgeProfileTest, LeavesOutEntriesWithoutALimit) {
  budgets_.settings.max_total_growth = GrowthUpTo(1, 10);
  const Judgement judgement = JudgeLeak("main;leak");
  EXPECT_THAT(judgement.comparison.entries, IsEmpty());
  EXPECT_EQ(judgement.result.verdict, Verdict::kRegression);
}

}  // namespace
}  // namespace heapprof
