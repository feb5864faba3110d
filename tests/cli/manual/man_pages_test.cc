// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/man_pages.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"
#include "cli/manual/roff.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string PageOf(Command command) {
  return ManPage(SpecOf(command), "2026-11-26");
}

TEST(ManPageTest, ListsTheOptionsThatTheCommandTakes) {
  for (const Command command : {Command::kReport, Command::kCheck}) {
    const std::string page = PageOf(command);
    for (const OptionSpec& option : OptionTable()) {
      if (option.help.empty() || option.name == "output") continue;
      const std::string shown =
          "\\fB" + RoffText(DocumentedNames(option).front());
      EXPECT_EQ(page.find(shown + "\\fR") != page.npos ||
                    page.find(shown + ", ") != page.npos,
                SpecOf(command).Takes(option))
          << option.name;
    }
  }
}

TEST(ManPageTest, SaysWhatAnOptionMeansForTheCommand) {
  const std::string page = PageOf(Command::kTrend);
  EXPECT_THAT(page, HasSubstr("\\-\\-by\\fR \\fIown|function|"));
  EXPECT_THAT(page, HasSubstr("exit with status 1 if anything grows faster"));
  EXPECT_THAT(page, Not(HasSubstr("heapprof check\\(aq\n")));
  EXPECT_THAT(page, Not(HasSubstr("--overview")));
  EXPECT_THAT(PageOf(Command::kCheck), HasSubstr("regression|inconclusive"));
}

TEST(ManPageTest, NamesEveryCommandAndTopic) {
  const std::string page = PageOf(Command::kReport);
  for (const CommandSpec& command : kCommands)
    EXPECT_THAT(page, HasSubstr(HasManPage(command)
                                    ? RoffText(ManPageName(command))
                                    : "heapprof " + std::string(command.name)));
  EXPECT_THAT(page, HasSubstr("\\fBaccuracy\\fR\nhow exact"));
}

TEST(ManPageTest, HasTheTextOfHelp) {
  const std::string page = PageOf(Command::kDump);
  EXPECT_THAT(page, ::testing::StartsWith(
                        ".TH HEAPPROF\\-DUMP 1 2026-11-26 \"heapprof "));
  EXPECT_THAT(
      page,
      HasSubstr("SYNOPSIS\n.nf\nheapprof dump [\\-\\-rss] PID...\n.fi\n"));
  EXPECT_THAT(page, HasSubstr("Exit status: 0 all dumps are there"));
  EXPECT_THAT(PageOf(Command::kRecord), HasSubstr("\\-\\-output PREFIX"));
  EXPECT_THAT(PageOf(Command::kInfo),
              HasSubstr("OPTIONS\nThose of\n.BR heapprof (1)"));
}

}  // namespace
}  // namespace heapprof
