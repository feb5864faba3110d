// SPDX-License-Identifier: Apache-2.0
//
// The built-in manual: the text of --help, and a page for each topic. Lists of
// options come from the option table, pages from src/cli/help/TOPIC.txt.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/command_table.h"
#include "cli/args/option_table.h"
#include "heapprof/base/error.h"

namespace heapprof {

// One file of src/cli/help. The first line of its text is a summary.
struct HelpFile {
  std::string_view topic;
  std::string_view text;
};

// The files are embedded in the program by CMake.
std::span<const HelpFile> HelpFiles();

// The parts of the general help that are not made from tables: what the files
// on a command line may be, with examples; and rules for all options.
std::string_view ArgumentsText();
std::string_view RulesText();

// Returns the file of a topic; null if it has none.
const HelpFile* FindHelpFile(std::string_view topic);

// Returns the first line of the file's text.
std::string_view SummaryOf(const HelpFile& file);

// Returns the group with this name; null if there is none.
const OptionGroupInfo* FindOptionGroup(std::string_view name);

// Returns the options that the manual lists for a command in a group, each with
// the meaning that it has for the command.
std::vector<OptionSpec> OptionsIn(OptionGroup group,
                                  const CommandSpec& command);

// Returns the group's heading. For a command that takes only some of the
// options, leaves out what it says in parentheses about all of them.
std::string_view HeadingOf(const OptionGroupInfo& group,
                           const CommandSpec& command);

// Returns what -h prints: what is used most, on one screen of 80 x 24.
std::string ShortHelp();

// Returns the general help: usage, all options and the list of topics.
std::string HelpText();

// Returns what `heapprof NAME --help` prints: the command's page, with only the
// options that it takes; else its usage and the page of the manual with its
// name; else the general help.
std::string HelpOf(const CommandSpec& command);

// Returns all topics: one for each file, and one for each group of options that
// has no file.
std::vector<std::string_view> HelpTopics();

// Returns the page of a topic or of a command; an error of kind kUsage if there
// is none.
Result<std::string> HelpPage(std::string_view topic);

// Returns what --version prints: version and revision, and on a second line the
// libraries.
std::string VersionText();

}  // namespace heapprof
