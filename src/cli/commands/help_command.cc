// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/command_table.h"
#include "cli/args/help.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/usage_error.h"
#include "cli/commands/session.h"
#include "heapprof/io/output_file.h"

namespace heapprof {

Result<void> ReadHelpArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (options.files.size() > 1)
    return UsageError(fmt::format("help: expected one topic, found '{}'",
                                  fmt::join(options.files, " ")));
  if (!options.files.empty()) options.help_topic = options.files.front();
  return {};
}

Result<void> RunHelp(Options& options, Session& /*session*/) {
  const Result<std::string> page =
      options.help_topic.empty() ? HelpText() : HelpPage(options.help_topic);
  if (!page) return std::unexpected(page.error());
  return WriteAll(STDOUT_FILENO, *page, "standard output");
}

}  // namespace heapprof
