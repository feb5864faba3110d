// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/command_table.h"
#include "cli/args/option_table.h"
#include "cli/completion/scripts.h"
#include "cli/completion/word_sources.h"

namespace heapprof {
namespace {

constexpr std::string_view kFishHead = R"sh(# fish completion for heapprof
#
# Made by 'heapprof completion fish'.

# Succeeds if the command, the first argument, is one of those given; "report"
# stands for no command.
function __heapprof_runs
    set -l words (commandline -opc)
    set -l command report
    if set -q words[2]; and contains -- $words[2] $__heapprof_commands
        set command $words[2]
    end
    contains -- $command $argv
end

function __heapprof_is_first
    test (count (commandline -opc)) -eq 1
end

# Dumps first, then other files.
function __heapprof_inputs
    __fish_complete_suffix .heap
end

)sh";

// Returns the text fit for single quotes.
std::string FishQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Returns the arguments of `complete` that offer these sources.
std::string FishOffers(const WordSources& sources) {
  std::vector<std::string> offers;
  for (const std::string_view word : sources.words) offers.emplace_back(word);
  if (sources.processes) offers.emplace_back("(__fish_complete_pids)");
  if (sources.programs) offers.emplace_back("(__fish_complete_command)");
  if (sources.inputs)
    offers.emplace_back("(__heapprof_inputs)");
  else if (sources.folders)
    offers.emplace_back("(__fish_complete_directories)");
  std::string options = sources.files ? " -F" : " -f";
  if (!offers.empty())
    options += fmt::format(" -k -a '{}'", fmt::join(offers, " "));
  return options;
}

std::string_view FishName(const CommandSpec& command) {
  return command.name.empty() ? "report" : command.name;
}

// Returns the arguments of `complete` for a command that runs a program, whose
// own arguments are completed, too.
std::string ProgramOffers(const CommandSpec& command) {
  std::vector<std::string> with_value;
  for (const OptionSpec& option : OptionTable())
    if (command.Takes(option) && !option.value.empty())
      for (const std::string& name : DocumentedNames(option))
        with_value.push_back(name);
  return fmt::format(" -f -a '(__fish_complete_subcommand --fcs-skip=2 -- {})'",
                     fmt::join(with_value, " "));
}

void AppendFishCommands(std::string& script) {
  script += "set -g __heapprof_commands";
  for (const CommandSpec& command : kCommands)
    if (!command.name.empty())
      fmt::format_to(std::back_inserter(script), " {}", command.name);
  script += '\n';
  for (const CommandSpec& command : kCommands) {
    if (!command.name.empty())
      fmt::format_to(
          std::back_inserter(script),
          "complete -c heapprof -n __heapprof_is_first -a {} -d {}\n",
          command.name, FishQuoted(command.help));
    fmt::format_to(
        std::back_inserter(script),
        "complete -c heapprof -n '__heapprof_runs {}'{}\n", FishName(command),
        command.runs_program ? ProgramOffers(command)
                             : FishOffers(SourcesOfArguments(command)));
  }
}

void AppendFishOption(const OptionSpec& option,
                      const std::vector<std::string_view>& takers,
                      std::string& script) {
  std::string names;
  for (const std::string_view name : DocumentedNames(option))
    names += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                    : fmt::format(" -s {}", name.substr(1));
  fmt::format_to(std::back_inserter(script),
                 "complete -c heapprof -n '__heapprof_runs {}'{}{}{} -d {}\n",
                 fmt::join(takers, " "), names,
                 option.value.empty() ? "" : " -r",
                 option.value.empty() ? "" : FishOffers(SourcesOfValue(option)),
                 FishQuoted(Summary(option)));
}

// Appends a line for all commands for which the option is the same.
void AppendFishOption(const OptionSpec& option, std::string& script) {
  std::vector<std::string_view> takers;
  for (const CommandSpec& command : kCommands) {
    if (!command.Takes(option)) continue;
    const OptionSpec own = command.OptionOf(option);
    if (own.help == option.help)
      takers.push_back(FishName(command));
    else
      AppendFishOption(own, {FishName(command)}, script);
  }
  AppendFishOption(option, takers, script);
}

}  // namespace

std::string FishCompletion() {
  std::string script(kFishHead);
  AppendFishCommands(script);
  for (const OptionSpec& option : OptionTable())
    if (!option.help.empty()) AppendFishOption(option, script);
  return script;
}

}  // namespace heapprof
