// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"
#include "cli/args/options.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HelpTextTest, ListsEveryOptionThatHasAMeaning) {
  const std::string help = HelpText();
  for (const OptionSpec& spec : OptionTable()) {
    const std::string dashes = spec.name.size() == 1 ? "-" : "--";
    const std::string name =
        dashes + (spec.is_on_by_default ? "no-" : "") + std::string(spec.name);
    if (spec.replacement.empty())
      EXPECT_THAT(help, ::testing::ContainsRegex("[ ,]" + name + "[ ,\n]"));
    else
      EXPECT_THAT(help, Not(HasSubstr(' ' + name + ' ')));
  }
}

TEST(HelpTextTest, LaysOutAGroup) {
  EXPECT_THAT(HelpText(), HasSubstr(R"(
Index cache (what a run has read of a binary, kept for later runs):
  --no-cache           neither use nor build indexes
  --cache-dir DIR      keep them in DIR, not in $XDG_CACHE_HOME/heapprof or
                       ~/.cache/heapprof
  --cache-size SIZE    remove the least recently used ones beyond SIZE (default
                       4GiB)
)"));
}

TEST(HelpTextTest, PutsALongSyntaxOnALineOfItsOwn) {
  EXPECT_THAT(HelpText(), HasSubstr(R"(
  --load-base [FILE=]ADDR
                       or say where the first page of)"));
}

TEST(HelpTextTest, NamesAliasesWithTheirOption) {
  EXPECT_THAT(HelpText(), HasSubstr("\n  -o, --output FILE    write"));
  EXPECT_THAT(HelpText(), HasSubstr("\n  --proto, --pprof     pprof"));
}

TEST(HelpTextTest, FitsATerminalExceptForExamples) {
  const std::string help = HelpText();
  size_t start = 0;
  for (size_t end = help.find('\n'); end != help.npos;
       start = end + 1, end = help.find('\n', start)) {
    const std::string_view line(&help[start], end - start);
    EXPECT_FALSE(line.ends_with(' ')) << line;
    if (line.starts_with("  heapprof ")) continue;
    EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace heapprof
