// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/usage_error.h"
#include "cli/completion/scripts.h"
#include "heapprof/io/output_file.h"

namespace heapprof {
namespace {

constexpr std::string_view kCompletionPage =
    R"page(heapprof completion - complete heapprof's arguments in a shell

usage: heapprof completion bash|zsh|fish

Prints a script. With it, the Tab key completes commands, options, their values,
topics of the manual, and the names of dumps and binaries.

For this session, and in ~/.bashrc or ~/.zshrc (after compinit) for all:

  eval "$(heapprof completion bash)"
  eval "$(heapprof completion zsh)"
  heapprof completion fish >~/.config/fish/completions/heapprof.fish

The Debian package and 'cmake --install' put the scripts where the shells find
them.

Exit status: 0 done, 1 failed, 2 wrong usage.

)page";

const CompletionScript* ScriptFor(std::string_view shell) {
  const auto* const script =
      std::ranges::find(kCompletionScripts, shell, &CompletionScript::shell);
  return script == std::end(kCompletionScripts) ? nullptr : script;
}

}  // namespace

std::string_view CompletionPage() { return kCompletionPage; }

Result<void> ReadCompletionArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  if (options.show_help || options.show_version) return {};
  if (given.positionals.size() != 1 ||
      ScriptFor(given.positionals.front()) == nullptr)
    return UsageError(fmt::format(
        "completion: expected bash, zsh or fish, found {}",
        given.positionals.empty()
            ? "nothing"
            : fmt::format("'{}'", fmt::join(given.positionals, " "))));
  options.shell = std::move(given.positionals.front());
  return {};
}

Result<void> RunCompletion(Options& options, Session& /*session*/) {
  return WriteAll(STDOUT_FILENO, ScriptFor(options.shell)->make(),
                  "standard output");
}

}  // namespace heapprof
