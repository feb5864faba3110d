// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/check_sides.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs/folder.h"

namespace heapprof {
namespace {

// Returns the command line that the user probably meant by --base and a list of
// dumps: the dumps in the folder of the bases belong to the base.
std::string SuggestedSides(const std::vector<std::string>& bases,
                           const std::vector<std::string>& dumps) {
  const auto folder = [](const std::string& path) {
    return std::filesystem::path(path).parent_path();
  };
  const std::string& base = bases.front();
  const auto news = std::ranges::find_if(
      dumps, [&](const auto& dump) { return folder(dump) != folder(base); });
  if (news == dumps.end() || folder(base) == folder(dumps.back()))
    return "--base OLD... --new NEW...";
  const auto more = [](auto begin, auto end) {
    constexpr std::ptrdiff_t kMost = 3;
    const auto shown = std::min(kMost, end - begin);
    return fmt::format("{}{}", fmt::join(begin, begin + shown, " "),
                       shown < end - begin ? " ..." : "");
  };
  std::vector<std::string> before = bases;
  before.insert(before.end(), dumps.begin(), news);
  return fmt::format("--base {} --new {}", more(before.begin(), before.end()),
                     more(news, dumps.end()));
}

}  // namespace

Result<void> CheckSideArguments(const Options& options) {
  for (const auto& [option, path] : options.side_arguments) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    // Nothing is read from pipes, which would lose what is read.
    const bool is_binary = std::filesystem::is_regular_file(path, error) &&
                           KindOfFile(path) == InputKind::kBinary;
    if (is_folder)
      return Fail(
          ErrorKind::kUsage,
          fmt::format("{0} {1}: a folder, not a dump; name the dumps in it, as "
                      "{0} {2}; a folder with binaries comes before {0}",
                      option, path,
                      (std::filesystem::path(path) / "*.heap").string()));
    if (is_binary)
      return Fail(
          ErrorKind::kUsage,
          fmt::format("{0} {1}: an ELF file, not a dump; a binary comes "
                      "before {0}",
                      option, path));
  }
  return {};
}

Result<void> CheckSides(std::span<const InputFacts> inputs,
                        const Options& options) {
  if (options.bases.empty() || !options.news.empty()) return {};
  std::vector<std::string> dumps;
  for (const InputFacts& facts : inputs)
    if (facts.side == Side::kNew &&
        (dumps.empty() || dumps.back() != facts.path))
      dumps.push_back(facts.path);
  if (dumps.size() <= 1) return {};
  return Fail(
      ErrorKind::kUsage,
      fmt::format("check: {} dumps besides {} of --base; say which are the new "
                  "side: heapprof check {}",
                  dumps.size(), options.bases.size() == 1 ? "that" : "those",
                  SuggestedSides(options.bases, dumps)));
}

}  // namespace heapprof
