// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/man_pages.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/help.h"
#include "cli/args/option_table.h"
#include "cli/manual/roff.h"

namespace heapprof {
namespace {

void AppendManOption(const OptionSpec& option, std::string& page) {
  const std::string names =
      RoffText(fmt::format("{}", fmt::join(DocumentedNames(option), ", ")));
  page += fmt::format(".TP\n\\fB{}\\fR", names);
  if (!option.value.empty())
    page += fmt::format(" \\fI{}\\fR", RoffText(option.value));
  page += '\n';
  std::string_view help = option.help;
  while (!help.empty()) {
    const std::string_view line = help.substr(0, help.find('\n'));
    help.remove_prefix(std::min(line.size() + 1, help.size()));
    page += RoffText(line) + (help.empty() ? "\n" : "\n.br\n");
  }
}

// Appends the options of the group that the command takes, below a heading.
void AppendManGroup(const OptionGroupInfo& group, const CommandSpec& command,
                    std::string& page) {
  const std::vector<OptionSpec> options = OptionsIn(group.group, command);
  if (options.empty()) return;
  page += fmt::format(".SS {}\n", RoffText(HeadingOf(group, command)));
  for (const OptionSpec& option : options) AppendManOption(option, page);
}

bool IsReport(const CommandSpec& command) { return command.name.empty(); }

// Returns true if the command takes the options of a report, which only the
// page of heapprof(1) lists.
bool TakesReportOptions(const CommandSpec& command) {
  return !IsReport(command) &&
         std::ranges::equal(command.groups, SpecOf(Command::kReport).groups);
}

void AppendManOptions(const CommandSpec& command, std::string& page) {
  page += ".SH OPTIONS\n";
  if (TakesReportOptions(command)) {
    page += "Those of\n.BR heapprof (1).\n";
    return;
  }
  // A command's own page explains the output.
  for (const OptionGroupInfo& group : OptionGroups())
    if (command.page == nullptr || group.group != OptionGroup::kOutput)
      AppendManGroup(group, command, page);
}

// The text that describes a command, in parts.
struct Description {
  std::string_view usage;  // lines; may be empty
  std::string_view text;
  std::string_view output;  // the options of the group "Output"; may be empty
};

// Removes the text up to `end` and a following `end` from `text`, and returns
// it.
std::string_view TakeUntil(std::string_view end, std::string_view& text) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix(std::min(taken.size() + end.size(), text.size()));
  return taken;
}

// Divides the text of --help: "NAME - SUMMARY", usage, description, output.
Description DescriptionOf(const CommandSpec& command) {
  std::string_view page = command.page();
  TakeUntil("\n\n", page);
  Description parts;
  parts.usage = TakeUntil("\n\n", page);
  parts.text = TakeUntil("\nOutput:\n", page);
  parts.output = page;
  return parts;
}

void AppendSynopsis(const CommandSpec& command, std::string_view usage,
                    std::string& page) {
  page += ".SH SYNOPSIS\n.nf\n";
  std::string made;
  if (usage.empty()) {
    made = fmt::format("heapprof {}{}{}", command.name,
                       IsReport(command) ? "" : " ", command.usage);
    usage = made;
  }
  constexpr size_t kIndent = std::string_view("usage: ").size();
  while (!usage.empty()) {
    std::string_view line = TakeUntil("\n", usage);
    if (line.starts_with("usage: ") || line.starts_with("  "))
      line.remove_prefix(kIndent);
    page += RoffText(line) + '\n';
  }
  if (IsReport(command)) page += "heapprof \\fICOMMAND\\fR ...\n";
  page += ".fi\n";
}

// Appends a page of `heapprof help`, in which lines in braces stand for the
// options of a group.
void AppendTopic(const HelpFile& file, std::string& page) {
  constexpr std::string_view kOptions = "\n{options ";
  std::string_view text = file.text;
  TakeUntil("\n", text);
  while (!text.empty()) {
    AppendRoffBlocks(TakeUntil(kOptions, text), page);
    const std::string_view group = TakeUntil("}\n", text);
    if (group.empty()) continue;
    page += fmt::format(".PP\nSee {} below.\n",
                        RoffText(FindOptionGroup(group)->heading));
  }
}

void AppendManCommands(std::string& page) {
  page += ".SH COMMANDS\n";
  for (const CommandSpec& command : kCommands) {
    if (IsReport(command)) continue;
    page +=
        HasManPage(command)
            ? fmt::format(".TP\n.BR {} (1)\n", RoffText(ManPageName(command)))
            : fmt::format(".TP\n\\fBheapprof {}\\fR\n", command.name);
    page += RoffText(command.help) + '\n';
  }
}

void AppendTopics(std::string& page) {
  page += ".SH TOPICS\nThe pages of\n.BR \"heapprof help\" :\n";
  for (const HelpFile& file : HelpFiles())
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", RoffText(file.topic),
                        RoffText(SummaryOf(file)));
}

void AppendDescription(const CommandSpec& command, std::string& page) {
  page += ".SH DESCRIPTION\n";
  if (IsReport(command))
    AppendRoffBlocks(ArgumentsText(), page);
  else if (command.page != nullptr)
    AppendRoffBlocks(DescriptionOf(command).text, page);
  else if (const HelpFile* const topic = FindHelpFile(command.name))
    AppendTopic(*topic, page);
}

void AppendSeeAlso(const CommandSpec& command, std::string& page) {
  page += ".SH SEE ALSO\n";
  if (!IsReport(command)) page += ".BR heapprof (1),\n";
  page += ".BR jeprof (1)\n";
}

}  // namespace

std::string ManPageName(const CommandSpec& command) {
  return IsReport(command) ? "heapprof"
                           : fmt::format("heapprof-{}", command.name);
}

bool HasManPage(const CommandSpec& command) {
  return command.command != Command::kHelp;
}

std::string ManPage(const CommandSpec& command, std::string_view date) {
  const std::string name = RoffText(ManPageName(command));
  std::string title = ManPageName(command);
  for (char& c : title)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  std::string version = VersionText();
  version.resize(version.find('\n'));
  std::string page = fmt::format(".TH {} 1 {} \"{}\" \"User Commands\"\n",
                                 RoffText(title), date, version);
  page += fmt::format(".SH NAME\n{} \\- {}\n", name,
                      IsReport(command) ? "say who holds the memory, from "
                                          "jemalloc\\(aqs heap dumps"
                                        : RoffText(command.help));
  const bool has_page = command.page != nullptr;
  AppendSynopsis(command, has_page ? DescriptionOf(command).usage : "", page);
  AppendDescription(command, page);
  if (IsReport(command)) AppendManCommands(page);
  AppendManOptions(command, page);
  if (has_page && !DescriptionOf(command).output.empty()) {
    page += ".SS Output\n";
    AppendRoffBlocks(DescriptionOf(command).output, page);
  }
  if (IsReport(command)) {
    page += ".SH RULES\n";
    AppendRoffBlocks(RulesText().substr(1), page);
    AppendTopics(page);
  }
  AppendSeeAlso(command, page);
  return page;
}

}  // namespace heapprof
