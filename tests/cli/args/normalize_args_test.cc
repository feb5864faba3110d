// SPDX-License-Identifier: Apache-2.0
#include "cli/args/normalize_args.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"
#include "heapprof/base/error.h"
#include "jeprof_table.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The first error, if there is one.
Result<NormalizedArgs> Normalize(const std::vector<std::string>& args,
                                 std::span<const OptionSpec> table) {
  NormalizedArgs normalized = NormalizeArgs(args, table);
  if (!normalized.errors.empty())
    return Fail(ErrorKind::kUsage, normalized.errors.front());
  return normalized;
}

Result<NormalizedArgs> Normalize(const std::vector<std::string>& args) {
  return Normalize(args, OptionTable());
}

// The canonical options, or the message in angle brackets.
std::vector<std::string> OptionsIn(const std::vector<std::string>& args) {
  const Result<NormalizedArgs> result = Normalize(args);
  if (!result) return {"<" + result.error().message + ">"};
  return result->options;
}

std::string ErrorOf(const std::vector<std::string>& args) {
  const Result<NormalizedArgs> result = Normalize(args);
  if (result) return "no error";
  return result.error().message;
}

// What a lone name means to jeprof: the canonical option or the message.
std::string Meaning(std::string_view name, std::span<const OptionSpec> table) {
  // Two arguments, so that options with a value have one.
  const std::vector<std::string> args = {"--" + std::string(name), "1"};
  const Result<NormalizedArgs> result = Normalize(args, table);
  if (!result) return result.error().message;
  return result->options.front();
}

std::set<std::string> JeprofPrefixes() {
  std::set<std::string> prefixes;
  for (const OptionSpec& spec : JeprofTable()) {
    for (const std::string_view negation : {"", "no", "no-"}) {
      if (!negation.empty() && spec.kind != OptionKind::kSwitch) continue;
      const std::string name = std::string(negation) + std::string(spec.name);
      for (size_t size = 1; size <= name.size(); ++size) {
        prefixes.insert(name.substr(0, size));
      }
    }
  }
  return prefixes;
}

TEST(NormalizeArgsTest, ExpandsTheShortestPrefixes) {
  const std::vector<std::pair<std::string_view, std::string_view>> kShortest = {
      {"tex", "text"},
      {"col", "collapsed"},
      {"cu", "cum"},
      {"b", "base"},
      {"se", "seconds"},
      {"add_", "add_lib"},
      {"lib", "lib_prefix"},
      {"fu", "functions"},
      {"lin", "lines"},
      {"addr", "addresses"},
      {"fi", "files"},
      {"ca", "callgrind"},
      {"lis", "list"},
      {"di", "disasm"},
      {"sy", "symbols"},
      {"ev", "evince"},
      {"w", "web"},
      {"do", "dot"},
      {"pd", "pdf"},
      {"sv", "svg"},
      {"gi", "gif"},
      {"ra", "raw"},
      {"int", "interactive"},
      {"nodec", "nodecount"},
      {"nodef", "nodefraction"},
      {"ed", "edgefraction"},
      {"ma", "maxdegree"},
      {"fo", "focus"},
      {"th", "thread"},
      {"ig", "ignore"},
      {"sc", "scale"},
      {"hea", "heapcheck"},
      {"re", "retain"},
      {"ex", "exclude"},
      {"inuse_s", "inuse_space"},
      {"inuse_o", "inuse_objects"},
      {"alloc_s", "alloc_space"},
      {"alloc_o", "alloc_objects"},
      {"sh", "show_bytes"},
      {"dr", "drop_negative"},
      {"tot", "total_delay"},
      {"con", "contentions"},
      {"me", "mean_delay"},
      {"too", "tools"},
      {"hel", "help"},
      {"v", "version"},
      {"ps", "ps"},
      {"gv", "gv"},
      {"test", "test"},
      {"test_", "test_stride"},
      {"debug", "debug"},
      {"debug-", "debug-syms-by-id"}};
  const std::vector<OptionSpec> table = JeprofTable();
  EXPECT_EQ(kShortest.size(), table.size());
  for (const auto& [prefix, name] : kShortest) {
    const std::string meaning = Meaning(prefix, table);
    EXPECT_EQ(meaning.substr(0, meaning.find('=')), "--" + std::string(name));
    const std::string shorter(prefix.substr(0, prefix.size() - 1));
    if (shorter.empty() || prefix == "gv" || prefix == "ps") continue;
    EXPECT_NE(Meaning(shorter, table), meaning) << shorter;
  }
}

TEST(NormalizeArgsTest, OwnOptionsDoNotChangeWhatAPrefixMeans) {
  std::vector<OptionSpec> extended = JeprofTable();
  const std::vector<OptionSpec> table = extended;
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.origin == OptionOrigin::kHeapprof) extended.push_back(spec);
  }
  for (const std::string_view name : {"textual", "collapse-all", "nodebase"}) {
    extended.push_back({name, OptionKind::kSwitch, OptionOrigin::kHeapprof});
  }
  for (const std::string& prefix : JeprofPrefixes()) {
    // jeprof calls it ambiguous.
    if (prefix == "h") continue;
    EXPECT_EQ(Meaning(prefix, extended), Meaning(prefix, table)) << prefix;
  }
  EXPECT_EQ(Meaning("h", extended), "--help");
}

TEST(NormalizeArgsTest, AnExactOwnNameBeatsAPrefix) {
  std::vector<OptionSpec> table = JeprofTable();
  EXPECT_EQ(Meaning("tex", table), "--text");
  table.push_back({"tex", OptionKind::kSwitch, OptionOrigin::kHeapprof});
  EXPECT_EQ(Meaning("tex", table), "--tex");
}

TEST(NormalizeArgsTest, KeepsOrderAndSeparatesPositionals) {
  const Result<NormalizedArgs> result = Normalize(
      {"bin", "-TEX", "--nodec", "1_0", "dump", "-", "+cum", "--", "--gv"});
  ASSERT_TRUE(result);
  EXPECT_THAT(result->options,
              ElementsAre("--text", "--nodecount=10", "--cum"));
  EXPECT_THAT(result->positionals, ElementsAre("bin", "dump", "-", "--gv"));
}

TEST(NormalizeArgsTest, AcceptsAnEmptyLine) {
  const Result<NormalizedArgs> result = Normalize({});
  ASSERT_TRUE(result);
  EXPECT_THAT(result->options, IsEmpty());
  EXPECT_THAT(result->positionals, IsEmpty());
}

TEST(NormalizeArgsTest, TakesAnyDetachedStringValue) {
  EXPECT_THAT(OptionsIn({"--focus", "--text"}), ElementsAre("--focus=--text"));
  EXPECT_THAT(OptionsIn({"--base", "--"}), ElementsAre("--base=--"));
  EXPECT_THAT(OptionsIn({"-o", "-", "--text"}),
              ElementsAre("--output=-", "--text"));
  EXPECT_THAT(OptionsIn({"--focus", ""}), ElementsAre("--focus="));
  EXPECT_THAT(OptionsIn({"--focus=a=b"}), ElementsAre("--focus=a=b"));
}

TEST(NormalizeArgsTest, NegatesSwitches) {
  EXPECT_THAT(
      OptionsIn({"--nocum", "--no-cum", "-NOCU", "--no-dro"}),
      ElementsAre("--no-cum", "--no-cum", "--no-cum", "--no-drop_negative"));
  EXPECT_EQ(ErrorOf({"--no_cum"}),
            "unknown option '--no_cum'; did you mean '--nocum'?");
  EXPECT_EQ(ErrorOf({"--noheapcheck"}),
            "unknown option '--noheapcheck'; did you mean '--heapcheck'?");
  // Not the switch --no-dot.
  EXPECT_EQ(ErrorOf({"--no-top"}),
            "unknown option '--no-top'; did you mean '--top'?");
}

TEST(NormalizeArgsTest, NegationAndOptionsThatBeginWithNoShareAPrefix) {
  EXPECT_THAT(OptionsIn({"--nodef=1", "--nodec=1", "--nodo"}),
              ElementsAre("--nodefraction=1", "--nodecount=1", "--no-dot"));
  EXPECT_EQ(ErrorOf({"--node=1"}),
            "option '--node' is ambiguous: --no-debug, --no-debug-syms-by-id, "
            "--nodecount, --nodefraction");
}

TEST(NormalizeArgsTest, ReadsIntegersAsPerlDoes) {
  const std::vector<std::pair<std::string, std::string>> kCases = {
      {"5", "5"},
      {"+5", "5"},
      {"-5", "-5"},
      {"007", "7"},
      {"1__0_", "10"},
      {"-_3", "-3"},
      {"-0", "0"},
      {"5\n", "5"},
      {"99999999999999999999", "9223372036854775807"},
      {"-99999999999999999999", "-9223372036854775808"}};
  for (const auto& [typed, value] : kCases) {
    EXPECT_THAT(OptionsIn({"--nodecount", typed}),
                ElementsAre("--nodecount=" + value));
  }
  for (const std::string bad :
       {"abc", "1.5", "1e3", "0x10", "_", "+", "", " 5", "+-1", "12a"}) {
    EXPECT_EQ(ErrorOf({"--nodec", bad}),
              "option '--nodec' needs an integer, got '" + bad + "'");
  }
}

TEST(NormalizeArgsTest, ReadsFractions) {
  const std::vector<std::pair<std::string, std::string>> kCases = {
      {"0.005", "0.005"},
      {"+.5", ".5"},
      {"-5.", "-5."},
      {"1E-3", "1e-3"},
      {"1_0.0_5e+1_0", "10.05e10"},
      {"7\n", "7"}};
  for (const auto& [typed, value] : kCases) {
    EXPECT_THAT(OptionsIn({"--edgefraction", typed}),
                ElementsAre("--edgefraction=" + value));
  }
  for (const std::string bad :
       {"0,5", "1x5", ".", "._", "_5", "5e", "5e_", "e5", "inf", "", " 5"}) {
    EXPECT_EQ(ErrorOf({"--ed=" + bad + "!"}),
              "option '--ed' needs a number, got '" + bad + "!'");
    EXPECT_EQ(ErrorOf({"--ed", bad}),
              "option '--ed' needs a number, got '" + bad + "'");
  }
}

TEST(NormalizeArgsTest, TakesASignOfPerCentAfterShares) {
  EXPECT_THAT(OptionsIn({"--nodefraction=5%", "--edgefraction", "0.1 %"}),
              ElementsAre("--nodefraction=0.05", "--edgefraction=0.001"));
  EXPECT_THAT(OptionsIn({"--confidence=99%", "--require-symbols=90%"}),
              ElementsAre("--confidence=0.99", "--require-symbols=90"));
  for (const std::string bad : {"%", "5%%", "% 5", "5  %"}) {
    EXPECT_EQ(ErrorOf({"--nodefraction=" + bad}),
              "option '--nodefraction' needs a number, got '" + bad + "'");
    EXPECT_EQ(ErrorOf({"--require-symbols=" + bad}),
              "option '--require-symbols' needs a number, got '" + bad + "'");
  }
  EXPECT_EQ(ErrorOf({"--min-width=5%"}),
            "option '--min-width' needs a number, got '5%'");
}

TEST(NormalizeArgsTest, ReportsValuesThatAreMissingOrTooMany) {
  EXPECT_EQ(ErrorOf({"--base"}), "option '--base' needs a value");
  EXPECT_EQ(ErrorOf({"--base=", "x"}),
            "option '--base' needs a value after '='");
  EXPECT_EQ(ErrorOf({"-TEXT=1"}), "option '-TEXT' takes no value, got '1'");
  EXPECT_EQ(ErrorOf({"--nocum="}), "option '--nocum' takes no value, got ''");
}

TEST(NormalizeArgsTest, NamesTheCandidatesOfAnAmbiguousPrefix) {
  EXPECT_EQ(ErrorOf({"--te"}),
            "option '--te' is ambiguous: --test, --test_stride, --text");
  EXPECT_EQ(ErrorOf({"--no"}),
            "option '--no' is ambiguous: --no-addresses, --no-alloc_objects, "
            "--no-alloc_space, --no-callgrind, --no-collapsed, "
            "--no-contentions, --no-cum, --no-debug and 27 more");
}

TEST(NormalizeArgsTest, SuggestsTheNearestNameForAnUnknownOption) {
  EXPECT_EQ(ErrorOf({"--tekst"}), "unknown option '--tekst'");
  EXPECT_EQ(ErrorOf({"--txt"}),
            "unknown option '--txt'; did you mean '--text'?");
  EXPECT_EQ(ErrorOf({"--ignroe=x"}),
            "unknown option '--ignroe'; did you mean '--ignore'?");
  EXPECT_EQ(ErrorOf({"--histogram"}), "unknown option '--histogram'");
  EXPECT_EQ(ErrorOf({"-x"}), "unknown option '-x'");
  EXPECT_EQ(ErrorOf({"+x"}), "unknown option '+x'");
  EXPECT_EQ(ErrorOf({"--=x"}), "unknown option '--=x'");
  EXPECT_EQ(ErrorOf({"--a\nb"}), "unknown option '--a?b'");
}

TEST(NormalizeArgsTest, KnowsALimitWithoutQuotes) {
  for (const char* const part : {"+", "+4MiB"})
    EXPECT_EQ(ErrorOf({part}),
              fmt::format("unknown option '{}'; a limit with blanks needs "
                          "quotes, as in '10% + 4MiB'",
                          part));
}

TEST(NormalizeArgsTest, KnowsTheNamesOfOtherTools) {
  EXPECT_EQ(ErrorOf({"--include=x"}),
            "unknown option '--include'; did you mean '--focus'?");
  EXPECT_EQ(ErrorOf({"-diff_base=x"}),
            "unknown option '-diff_base'; did you mean '--base'?");
  EXPECT_EQ(ErrorOf({"--stacks"}),
            "unknown option '--stacks'; did you mean '--traces'?");
  EXPECT_EQ(ErrorOf({"--totals"}),
            "unknown option '--totals'; did you mean '--text'?");
  EXPECT_EQ(ErrorOf({"-j4"}), "unknown option '-j4'; did you mean '--jobs=4'?");
  EXPECT_EQ(ErrorOf({"-x4"}), "unknown option '-x4'");
  EXPECT_EQ(ErrorOf({"-top", "a.heap"}),
            "option '-top' needs an integer, got 'a.heap'; pprof's -top is "
            "'--text' here");
}

TEST(NormalizeArgsTest, KnowsAValueThatIsASwitchHere) {
  EXPECT_EQ(ErrorOf({"-sample_index=alloc_space"}),
            "unknown option '-sample_index'; did you mean '--alloc_space'?");
  EXPECT_EQ(ErrorOf({"--granularity=lines"}),
            "unknown option '--granularity'; did you mean '--lines'?");
  EXPECT_EQ(ErrorOf({"--unit=MB"}),
            "unknown option '--unit'; did you mean '--show_bytes'?");
  // Neither options with values nor those that are refused.
  EXPECT_EQ(ErrorOf({"--histogram=focus"}), "unknown option '--histogram'");
  EXPECT_EQ(ErrorOf({"--histogram=web"}), "unknown option '--histogram'");
}

TEST(NormalizeArgsTest, OwnOptionsAreSpelledInFull) {
  EXPECT_EQ(ErrorOf({"--allocator"}),
            "unknown option '--allocator'; did you mean "
            "'--allocator-frames'?");
  EXPECT_THAT(OptionsIn({"--allocator_frames", "--NO-FORCE", "-top=3"}),
              ElementsAre("--allocator-frames", "--no-force", "--top=3"));
}

TEST(NormalizeArgsTest, ReplacesAliases) {
  EXPECT_THAT(
      OptionsIn({"--pprof", "--o", "x", "--debug", "--nodebug"}),
      ElementsAre("--proto", "--output=x", "--verbose", "--no-verbose"));
}

TEST(NormalizeArgsTest, AnswersRetiredOptionsWithTheReplacement) {
  EXPECT_EQ(
      ErrorOf({"--we"}),
      "option '--we' is not supported: heapprof starts no viewer; write a "
      "picture with --svg or --pdf and open that");
  EXPECT_EQ(ErrorOf({"--seconds"}),
            "option '--seconds' is not supported: heapprof reads files; fetch "
            "the profile first, for example with curl");
}

TEST(NormalizeArgsTest, DropsRetiredSwitchesThatAreOff) {
  EXPECT_THAT(OptionsIn({"--nointeractive", "--no-gv", "--text"}),
              ElementsAre("--text"));
}

TEST(NormalizeArgsTest, ContinuesAfterAnError) {
  const std::vector<std::string> args = {
      "--zzz", "app",         "--nodecount", "x",      "--text=1",
      "--cum", "--edgefrac=", "d",           "--focus"};
  const NormalizedArgs normalized = NormalizeArgs(args, OptionTable());
  EXPECT_THAT(normalized.options, ElementsAre("--cum"));
  EXPECT_THAT(normalized.positionals, ElementsAre("app", "d"));
  EXPECT_THAT(normalized.errors,
              ElementsAre("unknown option '--zzz'",
                          "option '--nodecount' needs an integer, got 'x'",
                          "option '--text' takes no value, got '1'",
                          "option '--edgefrac' needs a value after '='",
                          "option '--focus' needs a value"));
}

}  // namespace
}  // namespace heapprof
