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

constexpr std::string_view kBashHead = R"sh(# bash completion for heapprof
#
# Made by 'heapprof completion bash'.

)sh";

constexpr std::string_view kBashFunctions = R"sh(
# Offers dumps, programs and folders; if there are none, any file.
_heapprof_inputs() {
  local path
  compopt -o filenames -o default
  while IFS= read -r path; do
    if [[ $path =~ $_heapprof_dumps || -d ${path/#\~\//$HOME/} ||
      -x ${path/#\~\//$HOME/} ]]; then
      COMPREPLY+=("$path")
    fi
  done < <(compgen -f -- "$1")
}

# Offers the ids of the user's processes.
_heapprof_processes() {
  local process
  for process in /proc/[0-9]*; do
    [[ $process != "/proc/$1"* || ! -O $process ]] ||
      COMPREPLY+=("${process#/proc/}")
  done
}

# _heapprof_offer WORD SOURCE...: what the sources offer for WORD.
_heapprof_offer() {
  local word=$1 source
  shift
  for source; do
    case $source in
      @inputs) _heapprof_inputs "$word" ;;
      @files) compopt -o default ;;
      @folders)
        compopt -o filenames
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word")
        ;;
      @processes) _heapprof_processes "$word" ;;
      @programs)
        compopt -o default
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$word")
        ;;
      *) [[ $source != "$word"* ]] || COMPREPLY+=("$source") ;;
    esac
  done
}

# Sets `program` to the place of the program's name in the command line, if it
# is before the word that is completed.
_heapprof_find_program() {
  local i
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      --) program=$((i + 1)) && return ;;
      -*)
        if [[ ${COMP_WORDS[i + 1]} == = ]]; then
          ((i += 2))
        elif _heapprof_sources "${COMP_WORDS[i]}"; then
          ((++i))
        fi
        ;;
      *) program=$i && return ;;
    esac
  done
}

_heapprof() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' program=0 sources=()
  COMPREPLY=()
  if ((COMP_CWORD > 1)) && _heapprof_arguments "${COMP_WORDS[1]}"; then
    command=${COMP_WORDS[1]}
  fi
  if [[ $command == record ]]; then
    _heapprof_find_program
    if ((program > 0 && program < COMP_CWORD)); then
      compopt -o default
      return
    fi
  fi
  # For bash, "=" is a word of its own.
  if [[ $word == = ]]; then
    word=''
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if _heapprof_sources "$option"; then
    _heapprof_offer "$word" "${sources[@]}"
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(
      compgen -W "$(_heapprof_options "$command")" -- "$word"
    )
  else
    _heapprof_arguments "$command"
    ((COMP_CWORD > 1)) || sources+=("${_heapprof_commands[@]}")
    _heapprof_offer "$word" "${sources[@]}"
  fi
}
complete -F _heapprof heapprof
)sh";

// Returns the sources as words for _heapprof_offer().
std::string SourceWords(const WordSources& sources) {
  std::vector<std::string_view> words = sources.words;
  if (sources.inputs) words.push_back("@inputs");
  if (sources.files) words.push_back("@files");
  if (sources.folders && !sources.inputs) words.push_back("@folders");
  if (sources.processes) words.push_back("@processes");
  if (sources.programs) words.push_back("@programs");
  return fmt::format("{}", fmt::join(words, " "));
}

void AppendBashConstants(std::string& script) {
  fmt::format_to(std::back_inserter(script),
                 "_heapprof_dumps='\\.({})(\\.({}))?$'\n",
                 fmt::join(kProfileExtensions, "|"),
                 fmt::join(kCompressionExtensions, "|"));
  script += "_heapprof_commands=(";
  for (const CommandSpec& command : kCommands)
    fmt::format_to(std::back_inserter(script), "{}{}",
                   script.ends_with('(') || command.name.empty() ? "" : " ",
                   command.name);
  script += ")\n";
}

// A function that sets `sources` to what the arguments of a command may be, and
// fails if there is no such command.
void AppendBashArguments(std::string& script) {
  script += "\n_heapprof_arguments() {\n  case $1 in\n";
  for (const CommandSpec& command : kCommands)
    fmt::format_to(std::back_inserter(script), "    {}) sources=({}) ;;\n",
                   command.name.empty() ? "''" : command.name,
                   SourceWords(SourcesOfArguments(command)));
  script += "    *) return 1 ;;\n  esac\n}\n";
}

// Appends the case of an option of the commands that match a pattern.
void AppendBashValue(const OptionSpec& option, std::string_view commands,
                     std::string& script) {
  std::vector<std::string> patterns;
  for (const std::string& name : DocumentedNames(option))
    patterns.push_back(fmt::format("{}:{}", commands, name));
  fmt::format_to(std::back_inserter(script), "    {}) sources=({}) ;;\n",
                 fmt::join(patterns, " | "),
                 SourceWords(SourcesOfValue(option)));
}

// A function that sets `sources` to what the value of an option of $command may
// be, and fails if the option has none.
void AppendBashValues(std::string& script) {
  script += "\n_heapprof_sources() {\n  case $command:$1 in\n";
  for (const OptionSpec& option : OptionTable()) {
    if (option.value.empty()) continue;
    for (const CommandSpec& command : kCommands)
      if (const OptionSpec own = command.OptionOf(option);
          own.value != option.value)
        AppendBashValue(own, command.name, script);
    AppendBashValue(option, "*", script);
  }
  script += "    *) return 1 ;;\n  esac\n}\n";
}

// A function that prints the options of a command.
void AppendBashOptions(std::string& script) {
  script += "\n_heapprof_options() {\n  case $1 in\n";
  for (const CommandSpec& command : kCommands) {
    std::vector<std::string> names;
    for (const OptionSpec& option : OptionTable())
      if (!option.help.empty() && command.Takes(option))
        for (const std::string& name : DocumentedNames(option))
          names.push_back(name);
    fmt::format_to(std::back_inserter(script), "    {}) echo '{}' ;;\n",
                   command.name.empty() ? "''" : command.name,
                   fmt::join(names, " "));
  }
  script += "  esac\n}\n";
}

}  // namespace

std::string BashCompletion() {
  std::string script(kBashHead);
  AppendBashConstants(script);
  AppendBashArguments(script);
  AppendBashValues(script);
  AppendBashOptions(script);
  script += kBashFunctions;
  return script;
}

}  // namespace heapprof
