// SPDX-License-Identifier: Apache-2.0
#include "cli/args/check_outputs.h"

#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "cli/args/output_names.h"
#include "cli/args/usage_error.h"
#include "heapprof/base/split.h"

namespace heapprof {
namespace {

// An -o, and the format that precedes it.
struct Asked {
  std::optional<size_t> format = {};
  std::optional<std::string> path = {};
};

Result<size_t> FormatNamed(std::string_view name) {
  if (const auto format = FindChoice(kFormatChoices, name)) return *format;
  return UsageError(fmt::format("--format: expected {}, found '{:.200}'",
                                ChoicesText(kFormatChoices), name));
}

// True if the name of a file chooses another format than this one. Text is no
// choice: files without an extension have it, too.
bool NamesAnother(const std::string& path, size_t format) {
  const auto named = FindExtension(path, kFormatExtensions, "check");
  return named && *named != 0 && *named != format;
}

// Reads the options in their order. An empty value undoes an earlier --format.
Result<std::vector<Asked>> ReadAsked(std::span<const std::string> options) {
  constexpr std::string_view kFormat = "--format=", kOutput = "--output=";
  std::vector<Asked> asked;
  Asked next;
  for (const std::string& option : options) {
    if (option == kFormat) {
      next.format.reset();
    } else if (option.starts_with(kFormat)) {
      const auto format = FormatNamed(option.substr(kFormat.size()));
      if (!format) return std::unexpected(format.error());
      next.format = *format;
    } else if (option.starts_with(kOutput)) {
      next.path = option.substr(kOutput.size());
      asked.push_back(std::move(next));
      next = {};
    }
  }
  if (!next.format) return asked;
  if (asked.size() == 1 && !asked.front().format &&
      !NamesAnother(*asked.front().path, *next.format))
    asked.front().format = next.format;
  else
    asked.push_back(std::move(next));
  return asked;
}

}  // namespace

Result<std::vector<CheckOutput>> ChooseCheckOutputs(
    std::span<const std::string> options) {
  auto asked = ReadAsked(options);
  if (!asked) return std::unexpected(asked.error());
  if (asked->empty()) return std::vector<CheckOutput>(1);
  std::vector<CheckOutput> outputs;
  std::set<std::string> paths;
  for (const auto& [format, path] : *asked) {
    CheckOutput output = {.path = path.value_or("")};
    const std::string name = output.IsStandardOutput() ? "-" : output.path;
    if (!paths.insert(name).second)
      return UsageError(fmt::format("-o {}: named twice", name));
    if (format) {
      output.format = *format;
    } else {
      const auto by_name =
          FindExtension(output.path, kFormatExtensions, "check");
      if (!by_name) return std::unexpected(by_name.error());
      output.format = *by_name;
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace heapprof
