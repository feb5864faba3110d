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
#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kZshHead = R"sh(#compdef heapprof
#
# Made by 'heapprof completion zsh'.

_heapprof_programs() {
  _alternative 'commands:program:_command_names -e' \
    'files:program:_files -g "*(-*)"'
}

)sh";

constexpr std::string_view kZshMain = R"sh(
# A command is the first argument. Without one, the arguments are dumps.
_heapprof() {
  local curcontext=$curcontext
  if ((CURRENT > 2)) && (($+functions[_heapprof_of_$words[2]])); then
    curcontext="${curcontext%:*:*}:heapprof-$words[2]:"
    local name=$words[2]
    shift words
    ((CURRENT--))
    _heapprof_of_$name
  elif ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _alternative 'commands:command:_heapprof_commands' \
      'files:dump or binary:_heapprof_inputs'
  else
    _heapprof_report
  fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _heapprof "$@"
else
  compdef _heapprof heapprof
fi
)sh";

// Returns the text with a backslash before each character of `special`, and
// fit for single quotes.
std::string ZshEscaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'')
      escaped += R"sh('\'')sh";
    else if (special.find(c) != special.npos)
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

// Returns the action of _arguments that completes from these sources.
std::string ZshAction(const WordSources& sources) {
  std::vector<std::string> actions;
  if (!sources.words.empty())
    actions.push_back(fmt::format("({})", fmt::join(sources.words, " ")));
  if (sources.processes) actions.emplace_back("_pids");
  if (sources.programs) actions.emplace_back("_heapprof_programs");
  if (sources.inputs)
    actions.emplace_back("_heapprof_inputs");
  else if (sources.folders)
    actions.emplace_back("_files -/");
  if (sources.files) actions.emplace_back("_files");
  if (actions.size() < 2) return actions.empty() ? " " : actions.front();
  std::string all = "_alternative";
  for (const std::string& action : actions)
    all += fmt::format(" \"words:word:{}\"", action);
  return all;
}

void AppendZshOption(const OptionSpec& option, std::string& script) {
  for (const std::string& name : DocumentedNames(option)) {
    const bool is_short = !name.starts_with("--");
    const std::string help = ZshEscaped(Summary(option), "[]:\\");
    if (option.value.empty())
      fmt::format_to(std::back_inserter(script), " \\\n    '{}[{}]'", name,
                     help);
    else
      fmt::format_to(std::back_inserter(script), " \\\n    '*{}{}[{}]:{}:{}'",
                     name, is_short ? "+" : "=", help,
                     ZshEscaped(option.value, ":\\"),
                     ZshAction(SourcesOfValue(option)));
  }
}

void AppendZshCommand(const CommandSpec& command, std::string& script) {
  script += command.name.empty()
                ? "\n_heapprof_report() {\n"
                : fmt::format("\n_heapprof_of_{}() {{\n", command.name);
  script += "  _arguments -S";
  for (const OptionSpec& option : OptionTable())
    if (!option.help.empty() && command.Takes(option))
      AppendZshOption(command.OptionOf(option), script);
  const WordSources sources = SourcesOfArguments(command);
  if (command.runs_program)
    script +=
        " \\\n    '(-)1:program:_heapprof_programs' "
        "'*::argument:_normal'\n}\n";
  else
    fmt::format_to(std::back_inserter(script), " \\\n    '*:{}:{}'\n}}\n",
                   ZshEscaped(command.usage, ":\\"), ZshAction(sources));
}

}  // namespace

std::string ZshCompletion() {
  std::string script(kZshHead);
  fmt::format_to(std::back_inserter(script),
                 "_heapprof_inputs() {{\n"
                 "  _files -g '*.({})(|.({})) *(-*)'\n}}\n\n"
                 "_heapprof_commands() {{\n  local commands=(\n",
                 fmt::join(kProfileExtensions, "|"),
                 fmt::join(kCompressionExtensions, "|"));
  for (const CommandSpec& command : kCommands)
    if (!command.name.empty())
      fmt::format_to(std::back_inserter(script), "    '{}:{}'\n", command.name,
                     ZshEscaped(command.help, ":\\"));
  script += "  )\n  _describe command commands\n}\n";
  for (const CommandSpec& command : kCommands)
    AppendZshCommand(command, script);
  script += kZshMain;
  return script;
}

}  // namespace heapprof
