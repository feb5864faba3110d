// SPDX-License-Identifier: Apache-2.0
#include "cli/args/command_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "cli/args/option_table.h"

namespace heapprof {
namespace {

std::string_view Similar(std::string_view word) {
  const CommandSpec* const command = FindSimilarCommand(word);
  return command == nullptr ? "" : command->name;
}

TEST(CommandTableTest, IsInTheOrderOfTheEnumerators) {
  for (size_t i = 0; i < std::size(kCommands); ++i)
    EXPECT_EQ(kCommands[i].command, static_cast<Command>(i));
}

TEST(CommandTableTest, DescribesEveryCommand) {
  for (const CommandSpec& command : kCommands) {
    EXPECT_NE(command.read, nullptr) << command.name;
    EXPECT_NE(command.run, nullptr) << command.name;
    EXPECT_FALSE(command.usage.empty()) << command.name;
    EXPECT_EQ(command.help.empty(), command.name.empty()) << command.name;
    EXPECT_FALSE(command.groups.empty()) << command.name;
    for (const std::string_view name : command.options)
      EXPECT_NE(std::ranges::find(OptionTable(), name, &OptionSpec::name),
                OptionTable().end())
          << name;
    for (const OptionMeaning& meaning : command.meanings)
      EXPECT_NE(
          std::ranges::find(OptionTable(), meaning.name, &OptionSpec::name),
          OptionTable().end())
          << meaning.name;
  }
}

TEST(CommandTableTest, HasACommandForEveryGroupOfOptions) {
  EXPECT_EQ(CommandOf(OptionGroup::kOutput).command, Command::kReport);
  EXPECT_EQ(CommandOf(OptionGroup::kCheck).command, Command::kCheck);
  for (const OptionGroupInfo& group : OptionGroups())
    EXPECT_TRUE(CommandOf(group.group).Takes(group.group)) << group.name;
}

TEST(CommandTableTest, MayGiveAnOptionAnotherMeaning) {
  const auto by = std::ranges::find(OptionTable(), "by", &OptionSpec::name);
  EXPECT_EQ(SpecOf(Command::kCheck).OptionOf(*by).help, by->help);
  const OptionSpec own = SpecOf(Command::kTrend).OptionOf(*by);
  EXPECT_EQ(own.group, OptionGroup::kTrend);
  EXPECT_TRUE(own.value.starts_with("own|"));
  EXPECT_NE(own.help, by->help);
}

// Options of jeprof that are refused have no command.
TEST(CommandTableTest, HasACommandForEveryOption) {
  for (const OptionSpec& option : OptionTable())
    EXPECT_EQ(std::ranges::any_of(kCommands,
                                  [&option](const CommandSpec& command) {
                                    return command.Takes(option);
                                  }),
              option.replacement.empty())
        << option.name;
}

TEST(FindCommandTest, FindsOnlyWholeNames) {
  EXPECT_EQ(FindCommand("check"), &SpecOf(Command::kCheck));
  for (const char* word : {"", "chec", "Check", "./check", "checks"})
    EXPECT_EQ(FindCommand(word), nullptr) << word;
}

TEST(FindSimilarCommandTest, ForgivesOneTypingError) {
  for (const char* word : {"chek", "checkk", "chack", "chcek", "heck"})
    EXPECT_EQ(Similar(word), "check") << word;
  EXPECT_EQ(Similar("inof"), "info");
  EXPECT_EQ(Similar("cahce"), "cache");
  EXPECT_EQ(Similar("hepl"), "help");
}

TEST(FindSimilarCommandTest, LeavesOtherWordsAlone) {
  for (const std::string& word :
       {std::string(), std::string("chk"), std::string("app"),
        std::string("check.heap"), std::string("in"),
        std::string(1'000'000, 'c')})
    EXPECT_EQ(Similar(word), "") << word.substr(0, 20);
}

}  // namespace
}  // namespace heapprof
