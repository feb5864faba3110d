// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/profile_loader.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "cli/inputs/perf_maps.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/parse/parse_profile.h"

namespace heapprof {
namespace {

// Returns the URL that an argument such as "localhost:8080/pprof/heap" or
// "https://host/heap" stands for: if there is no file of this name, jeprof
// would fetch the profile from there. Returns nothing for other arguments.
std::string UrlOf(const std::string& path) {
  const std::string lower = LowerCase(path);
  for (const std::string_view scheme : {"http://", "https://", "ftp://"})
    if (lower.starts_with(scheme)) return path;
  const std::string_view host_and_port =
      std::string_view(path).substr(0, path.find('/'));
  const size_t colon = host_and_port.rfind(':');
  if (colon == path.npos || colon == 0) return "";
  const std::string_view host = host_and_port.substr(0, colon);
  static constexpr std::string_view kInHosts = "0123456789.-[:]";
  const bool is_host = std::ranges::all_of(
      host, [](char c) { return IsLetter(c) || kInHosts.contains(c); });
  return is_host && IsAllDigits(host_and_port.substr(colon + 1))
             ? "http://" + path
             : "";
}

}  // namespace

Result<InputFile> OpenProfile(const std::string& path) {
  auto file = InputFile::Open(path, CheckPackedHead);
  if (file) return file;
  std::error_code error;
  const std::string url = UrlOf(path);
  if (!url.empty() && !std::filesystem::exists(path, error))
    return Fail(ErrorKind::kUsage,
                fmt::format("{:.200}: heapprof reads files; fetch the profile "
                            "first, for example with curl -o server.heap {}",
                            path, QuotedWord(url.substr(0, 200))));
  return file;
}

Result<MemoryMap> LoadMaps(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty()) return MemoryMap();
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  return ParseMaps(file->bytes(), file->path(), diagnostics);
}

bool LosesSamples(WarningKind kind) {
  return IsDamage(kind) && kind != WarningKind::kNoMemoryMap &&
         kind != WarningKind::kCutMemoryMap;
}

bool HasLostSamples(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.warnings(), [](const auto& warning) {
    return LosesSamples(warning.kind);
  });
}

bool ShowsOnlySums(const Options& options) {
  const auto shows_more = [&options](const Output& output) {
    return !output.format->traits.sums_only || options.show_errors ||
           (output.IsStandardOutput() && isatty(STDOUT_FILENO) == 1);
  };
  return options.command == Command::kReport && options.bases.empty() &&
         options.thread.empty() &&
         std::ranges::none_of(options.outputs, shows_more);
}

Result<ProfileLoader> ProfileLoader::Make(const Options& options,
                                          Diagnostics& diagnostics) {
  auto maps = LoadMaps(options.maps, diagnostics);
  if (!maps) return std::unexpected(maps.error());
  auto perf_maps = LoadPerfMaps(options.perf_maps, diagnostics);
  if (!perf_maps) return std::unexpected(perf_maps.error());
  ProfileLoader loader;
  loader.parse_ = {.sample_period = options.sample_period,
                   .metric = options.metric,
                   .sample_type = options.sample_type,
                   .min_age = options.min_age,
                   .with_thread_samples = !ShowsOnlySums(options)};
  loader.has_maps_ = !options.maps.empty();
  loader.maps_ = *std::move(maps);
  loader.perf_maps_ = *std::move(perf_maps);
  return loader;
}

Result<Profile> ProfileLoader::Load(const InputFile& file,
                                    Diagnostics& diagnostics,
                                    unsigned jobs) const {
  return LoadWith(has_maps_ ? &maps_ : nullptr, file, diagnostics, jobs);
}

Result<Profile> ProfileLoader::LoadWith(const MemoryMap* maps,
                                        const InputFile& file,
                                        Diagnostics& diagnostics,
                                        unsigned jobs) const {
  ParseOptions parse = parse_;
  parse.maps = maps;
  parse.jobs = jobs;
  parse.on_read = [&file](std::string_view part) { file.DropPages(part); };
  Diagnostics found;
  if (!file.inflate_problem().empty())
    found.Warn(WarningKind::kCutCompression,
               fmt::format("{}: {}", file.path(), file.inflate_problem()));
  auto profile = ParseProfile(file.bytes(), file.path(), found, parse);
  const auto whole = CheckMappedFiles();
  if (whole && file.IsOverwritten())
    found.Warn(WarningKind::kOverwritten,
               fmt::format("{}: was overwritten while it was being read: what "
                           "is reported may be a mix of two contents; read it "
                           "again",
                           file.path()));
  diagnostics.Merge(found);
  if (!whole) return std::unexpected(whole.error());
  if (!profile) return profile;
  if (profile->samples.empty() && HasLostSamples(found))
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: damaged beyond use: it has no sample that can "
                            "be read",
                            file.path()));
  if (profile->time_seconds == 0) profile->time_seconds = file.mtime();
  NameGeneratedCode(*profile, PerfMap::OfRecorder(*profile));
  NameGeneratedCode(*profile, file.path(), perf_maps_, diagnostics);
  return profile;
}

}  // namespace heapprof
