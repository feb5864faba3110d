// SPDX-License-Identifier: Apache-2.0
#include "cli/args/choose_outputs.h"

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/split.h"
#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

constexpr const OutputFormat* kText = OutputNamed("text");

// A name must not promise a compression that the file does not have.
Result<void> CheckCompression(const std::string& path) {
  for (const std::string_view packed : kCompressionExtensions)
    if (packed != "gz" && path.ends_with(fmt::format(".{}", packed)))
      return Fail(
          ErrorKind::kUsage,
          fmt::format("-o {}: outputs are compressed only with gzip, by "
                      "names that end with .gz",
                      path));
  return {};
}

Result<const OutputFormat*> FormatByName(const std::string& path) {
  if (const OutputFormat* format = FormatOfName(path)) return format;
  const std::string_view extension = FormatExtension(path);
  if (extension.empty()) return kText;
  return Fail(ErrorKind::kUsage,
              fmt::format("-o {}: no output has the extension {}; choose an "
                          "output, such as --text",
                          path, extension));
}

// True for a table that has no files of its own, but is part of JSON.
bool IsPartOfJson(const OutputFormat& format) {
  return format.traits.has_json && format.extensions.empty();
}

// Returns what follows the last dot of an extension: files of speedscope and
// .ndjson are JSON, too.
std::string_view KindOf(std::string_view extension) {
  return extension.substr(extension.rfind('.') + 1);
}

}  // namespace

const OutputFormat* FormatOfName(std::string_view path) {
  const OutputFormat* found = nullptr;
  size_t longest = 0;
  for (const OutputFormat& format : kOutputs)
    for (const std::string_view extension : Split(format.extensions, ' ')) {
      if (extension.size() <= longest || !path.ends_with(extension) ||
          BaseName(path).size() <= extension.size())
        continue;
      found = &format;
      longest = extension.size();
    }
  constexpr std::string_view kGzip = ".gz";
  if (found == nullptr && path.ends_with(kGzip))
    return FormatOfName(path.substr(0, path.size() - kGzip.size()));
  return found;
}

Result<std::vector<Output>> ChooseOutputs(const OutputFormat* chosen,
                                          std::span<const std::string> paths) {
  if (auto distinct = CheckDistinct(paths); !distinct)
    return std::unexpected(distinct.error());
  const OutputFormat* const wanted = chosen == nullptr ? kText : chosen;
  if (paths.empty()) return std::vector<Output>{{.format = wanted}};
  std::vector<Output> outputs;
  for (const std::string& path : paths) {
    if (auto fits = CheckCompression(path); !fits)
      return std::unexpected(fits.error());
    const OutputFormat* named = FormatOfName(path);
    const bool is_json_part = chosen != nullptr &&
                              named == OutputNamed("json") &&
                              IsPartOfJson(*chosen);
    if (chosen != nullptr && !is_json_part &&
        (paths.size() == 1 || named == nullptr || named == kText)) {
      outputs.push_back({chosen, path});
      continue;
    }
    const auto by_name = FormatByName(path);
    if (!by_name) return std::unexpected(by_name.error());
    outputs.push_back({*by_name, path});
  }
  return outputs;
}

std::string MisnamedNote(const std::string& path, std::string_view option,
                         std::string_view extensions) {
  const OutputFormat* const named = FormatOfName(path);
  if (named == nullptr || named == kText) return "";
  const bool is_text = extensions.empty() || extensions == kText->extensions;
  if (is_text && named == OutputNamed("markdown")) return "";  // text, too
  for (const std::string_view extension : Split(extensions, ' '))
    for (const std::string_view other : Split(named->extensions, ' '))
      if (KindOf(extension).ends_with(KindOf(other))) return "";
  return fmt::format("{} is what --{} writes, though its name stands for --{}",
                     path, option, named->name);
}

std::string MisnamedNote(const Output& output) {
  return MisnamedNote(output.path, output.format->name,
                      output.format->extensions);
}

}  // namespace heapprof
