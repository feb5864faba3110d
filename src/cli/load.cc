// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/folder.h"
#include "cli/generated_code.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

// What reading a profile takes besides its file.
struct Aids {
  ParseOptions parse;
  std::vector<PerfMap> perf_maps;
};

Result<Profile> Load(const InputFile& file, const Aids& aids,
                     Diagnostics& diagnostics) {
  if (!file.inflate_problem().empty())
    diagnostics.Warn("truncated", fmt::format("{}: {}", file.path(),
                                              file.inflate_problem()));
  auto profile =
      ParseProfile(file.bytes(), file.path(), diagnostics, aids.parse);
  if (!profile) return profile;
  if (profile->time_seconds == 0) profile->time_seconds = file.mtime();
  NameGeneratedCode(*profile, file.path(), aids.perf_maps, diagnostics);
  return profile;
}

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Cuts the part behind the last dot from `name` and returns it.
std::string_view PopPart(std::string_view& name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string_view part = name.substr(dot + 1);
  name = name.substr(0, dot);
  return part;
}

// Full snapshots of one process do not add up to anything.
void WarnOfSeries(const std::vector<std::string>& dumps,
                  Diagnostics& diagnostics) {
  std::set<std::string> seen;
  for (const std::string& dump : dumps) {
    const std::string process = ProcessOfDump(dump);
    if (process.empty() || seen.insert(process).second) continue;
    diagnostics.Warn(
        "several dumps of one process",
        fmt::format("several dumps of {} are added up, though each is a full "
                    "snapshot; compare two with --base",
                    process));
  }
}

Result<void> LoadFolder(const std::string& path, LoadedInputs& inputs,
                        std::vector<std::string>& in_folders) {
  auto contents = ReadFolder(path);
  if (!contents) return std::unexpected(contents.error());
  for (std::string& file : contents->elf_files)
    inputs.folder_files.push_back(std::move(file));
  for (std::string& file : contents->profiles)
    in_folders.push_back(std::move(file));
  return {};
}

// The profile of a run whose arguments name none: the only one in the folders
// among them, of which `folder` is the last.
Result<std::string> OnlyProfile(const std::vector<std::string>& in_folders,
                                const std::string& folder,
                                const LoadedInputs& inputs) {
  if (in_folders.size() == 1) return in_folders.front();
  if (!in_folders.empty()) {
    constexpr size_t kListed = 3;
    const size_t listed = std::min(in_folders.size(), kListed);
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: {} profiles in the folder, name one: {}{}",
                            folder, in_folders.size(),
                            fmt::join(in_folders.begin(),
                                      in_folders.begin() +
                                          static_cast<ptrdiff_t>(listed),
                                      ", "),
                            in_folders.size() > listed ? ", ..." : ""));
  }
  if (!folder.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: no profile in the folder", folder));
  return Fail(ErrorKind::kUsage,
              inputs.binaries.empty()
                  ? std::string("no profile given; see heapprof --help")
                  : fmt::format("no profile given, only a binary ({}); "
                                "usage: heapprof [options] [BINARY] DUMP...",
                                inputs.binaries.front()));
}

Result<void> LoadArgument(const std::string& path, LoadedInputs& inputs,
                          std::vector<std::string>& dumps, const Aids& aids,
                          Diagnostics& diagnostics) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  const InputFormat format = DetectFormat(file->bytes());
  if (format == InputFormat::kElf) {
    inputs.binaries.push_back(path);
    return {};
  }
  auto profile = Load(*file, aids, diagnostics);
  if (!profile) return std::unexpected(profile.error());
  if (dumps.empty()) {
    inputs.first_dump = path;
    inputs.first_format = format;
  }
  inputs.profiles.push_back({std::move(*profile), Side::kNew});
  dumps.push_back(path);
  return {};
}

// Nothing for an empty path.
Result<MemoryMap> LoadMaps(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty()) return MemoryMap();
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  return ParseMaps(file->bytes(), file->path(), diagnostics);
}

}  // namespace

std::string ProcessOfDump(const std::string& path) {
  std::string_view name = path;
  for (const std::string_view packed : {".gz", ".zst"})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  if (PopPart(name) != "heap") return "";
  const std::string_view kind = PopPart(name);
  const bool numbered = !kind.empty() &&
                        std::string_view("ium").contains(kind[0]) &&
                        AllDigits(kind.substr(1));
  if (kind != "f" && !numbered) return "";
  if (!AllDigits(PopPart(name))) return "";
  const std::string process(name);
  if (!AllDigits(PopPart(name)) || name.empty()) return "";
  return process;
}

Result<LoadedInputs> LoadInputs(const Options& options,
                                Diagnostics& diagnostics) {
  auto maps = LoadMaps(options.maps, diagnostics);
  if (!maps) return std::unexpected(maps.error());
  auto perf_maps = LoadPerfMaps(options.perf_maps, diagnostics);
  if (!perf_maps) return std::unexpected(perf_maps.error());
  const Aids aids = {.parse = {.maps = options.maps.empty() ? nullptr : &*maps,
                               .sample_period = options.sample_period},
                     .perf_maps = std::move(*perf_maps)};
  LoadedInputs inputs;
  std::vector<std::string> dumps;
  std::vector<std::string> in_folders;
  std::string folder;
  for (const std::string& path : options.files) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    if (is_folder) folder = path;
    auto loaded = is_folder
                      ? LoadFolder(path, inputs, in_folders)
                      : LoadArgument(path, inputs, dumps, aids, diagnostics);
    if (!loaded) return std::unexpected(loaded.error());
  }
  if (inputs.profiles.empty()) {
    auto only = OnlyProfile(in_folders, folder, inputs);
    if (!only) return std::unexpected(only.error());
    auto loaded = LoadArgument(*only, inputs, dumps, aids, diagnostics);
    if (!loaded) return std::unexpected(loaded.error());
  }
  WarnOfSeries(dumps, diagnostics);
  WarnOfSeries(options.bases, diagnostics);
  for (const std::string& path : options.bases) {
    const auto file = InputFile::Open(path);
    if (!file) return std::unexpected(file.error());
    auto profile = Load(*file, aids, diagnostics);
    if (!profile) return std::unexpected(profile.error());
    inputs.profiles.push_back({std::move(*profile), Side::kBase});
  }
  return inputs;
}

}  // namespace heapprof
