// SPDX-License-Identifier: Apache-2.0
#include "cli/list_report.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heapprof/io/input_file.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/report/listing.h"
#include "heapprof/symbolize/source_candidates.h"
#include "heapprof/transform/regex.h"
#include "heapprof/view/source_listing.h"

namespace heapprof {
namespace {

// No source file is larger; a path from a hostile binary may be of anything.
constexpr uint64_t kMostSource = 64 << 20;

struct SourceFile {
  InputFile file;
  std::vector<std::string_view> lines;
};

std::optional<SourceFile> ReadSource(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kMostSource)
    return std::nullopt;
  auto file = InputFile::Open(path, kMostSource);
  if (!file) return std::nullopt;
  SourceFile source = {.file = std::move(*file), .lines = {}};
  LineCursor cursor(source.file.bytes());
  while (const auto line = cursor.Next()) source.lines.push_back(*line);
  return source;
}

// Reads each file once.
class Sources {
 public:
  explicit Sources(SourceSearch search) : search_(std::move(search)) {}

  const std::vector<std::string_view>& LinesOf(const std::string& path) {
    auto [it, added] = files_.try_emplace(path);
    if (added && !path.empty()) {
      it->second = Find(path);
      if (!it->second) missing_.push_back(path);
    }
    return it->second ? it->second->lines : none_;
  }

  // Empty if all were found.
  std::string MissingNote() const {
    if (missing_.empty()) return "";
    const std::string others =
        missing_.size() == 1 ? ""
                             : fmt::format(" and {} more", missing_.size() - 1);
    return fmt::format(
        "no source {}{}: name the folder with --source-path, or use "
        "--path-map or --sysroot",
        missing_.front(), others);
  }

 private:
  std::optional<SourceFile> Find(const std::string& path) const {
    for (const std::string& candidate : SourceCandidates(path, search_))
      if (auto source = ReadSource(candidate)) return source;
    return std::nullopt;
  }

  const SourceSearch search_;
  const std::vector<std::string_view> none_;
  std::map<std::string, std::optional<SourceFile>> files_;
  std::vector<std::string> missing_;
};

// Which functions the pattern matches.
Result<std::vector<bool>> Wanted(const Profile& profile, const Regex& regex) {
  std::vector<bool> wanted(profile.functions.size());
  for (size_t i = 1; i < wanted.size(); ++i) {
    const auto matches =
        regex.Matches(profile.String(profile.functions[i].name));
    if (!matches) return std::unexpected(matches.error());
    wanted[i] = *matches && !profile.functions[i].unresolved;
  }
  return wanted;
}

}  // namespace

Result<std::string> ListReport(const Profile& profile, const Options& options,
                               Unit unit, std::vector<std::string>& notes) {
  const auto regex = Regex::Compile("--list", options.pattern);
  if (!regex) return std::unexpected(regex.error());
  const auto wanted = Wanted(profile, *regex);
  if (!wanted) return std::unexpected(wanted.error());
  const auto functions = MakeSourceListing(profile, options.metric, *wanted);
  if (functions.empty())
    return Fail(ErrorKind::kNoData,
                regex->Text() + " matches none of the functions");
  Sources sources({.folders = options.source_path,
                   .path_map = options.locator.debug.path_map,
                   .sysroots = options.locator.debug.sysroots});
  std::string text;
  for (const ListedFunction& function : functions)
    text += WriteListing(function, sources.LinesOf(function.file), unit);
  notes.push_back(sources.MissingNote());
  return text;
}

}  // namespace heapprof
