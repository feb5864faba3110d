// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/each_dumps.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "cli/args/parse_args.h"
#include "cli/args/path_pattern.h"
#include "cli/inputs/kept_files.h"
#include "cli/inputs/series.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/same_file.h"
#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutputOption = "--output=";

uint64_t ReadSize(const std::string& path) {
  // Text shrinks by about so much.
  constexpr uint64_t kUsualPacking = 10;
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (error) return 0;
  return WithoutCompressionSuffix(path).size() == path.size()
             ? size
             : kUsualPacking * size;
}

// Returns the file name without what only says that it is a dump.
std::string NameInPattern(const std::string& dump) {
  const std::string_view whole = BaseName(dump);
  std::string_view name = WithoutCompressionSuffix(whole);
  if (const auto extension = ProfileExtensionOf(name); !extension.empty())
    name.remove_suffix(extension.size() + 1);
  // These would name the folder.
  const bool is_usable = !name.empty() && name != "." && name != "..";
  return std::string(is_usable ? name : whole);
}

// Returns the name of the folder of the dump; "." for the root.
std::string FolderNameOf(const std::string& dump) {
  std::error_code error;
  const std::string folder =
      fs::absolute(dump, error).lexically_normal().parent_path().filename();
  return folder.empty() ? "." : folder;
}

// Returns what stands in an output's path for a part of the dump's name.
Result<std::string> TextOf(const PathPiece& piece, const std::string& dump) {
  if (piece.part == PathPart::kText) return piece.text;
  if (piece.part == PathPart::kName) return NameInPattern(dump);
  if (piece.part == PathPart::kFolder) return FolderNameOf(dump);
  const auto name = ParseDumpName(dump);
  if (!name)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: its name has no {{pid}} and no {{seq}}, which "
                            "names of jemalloc have, as in server.4711.3.i3."
                            "heap; use {{name}} after -o",
                            dump));
  if (piece.part == PathPart::kSequence)
    return fmt::format("{}", name->sequence);
  return std::string(name->pid);
}

Result<std::string> OutputPath(const std::vector<PathPiece>& pattern,
                               const std::string& dump) {
  std::string path;
  for (const PathPiece& piece : pattern) {
    const auto text = TextOf(piece, dump);
    if (!text) return text;
    path += *text;
  }
  return path;
}

Result<void> CheckOutputs(const std::vector<EachDump>& dumps,
                          const SeriesArguments& arguments,
                          const Options& options) {
  std::optional<KeptFiles> inputs;  // looked up if an output replaces a file
  std::map<std::string, const EachDump*> writers;
  for (const EachDump& dump : dumps)
    for (const std::string& path : dump.outputs) {
      if (!inputs && IsRegularFile(path)) inputs = InputsOf(options, arguments);
      if (inputs && (inputs->Contain(path) || IsProgramFile(path)))
        return Fail(ErrorKind::kUsage,
                    fmt::format("{}: would be replaced by the output for {}; "
                                "name another folder after -o",
                                path, dump.path));
      const auto [writer, is_new] = writers.emplace(RealPath(path), &dump);
      if (is_new) continue;
      return Fail(
          ErrorKind::kUsage,
          fmt::format(
              "{} and {} would both be written to {}; nothing has been "
              "written{}",
              writer->second->path, dump.path, path,
              FolderNameOf(writer->second->path) == FolderNameOf(dump.path)
                  ? ""
                  : "; {folder} after -o stands for their folders"));
    }
  return {};
}

bool LooksLikeAnOption(const std::string& path) {
  return path.starts_with('-') || path.starts_with('+');
}

// Returns each dump once, though a folder and the dump itself may be named.
std::vector<std::string> WithoutRepeats(const std::vector<std::string>& dumps) {
  std::set<std::string> known;
  std::vector<std::string> all;
  for (const std::string& dump : dumps)
    if (known.insert(IdentityOf(dump)).second) all.push_back(dump);
  return all;
}

}  // namespace

Result<std::vector<EachDump>> PlanEachDump(const SeriesArguments& arguments,
                                           const Options& options) {
  std::vector<std::vector<PathPiece>> patterns;
  for (const Output& output : options.outputs) {
    auto pattern = ParsePathPattern(output.path);
    if (!pattern) return std::unexpected(pattern.error());
    patterns.push_back(*std::move(pattern));
  }
  std::vector<EachDump> dumps;
  for (std::string& path : InSeriesOrder(WithoutRepeats(arguments.dumps))) {
    EachDump dump;
    dump.path = std::move(path);
    dump.size = ReadSize(dump.path);
    for (const auto& pattern : patterns) {
      auto output = OutputPath(pattern, dump.path);
      if (!output) return std::unexpected(output.error());
      dump.outputs.push_back(*std::move(output));
    }
    dumps.push_back(std::move(dump));
  }
  if (auto ok = CheckOutputs(dumps, arguments, options); !ok)
    return std::unexpected(ok.error());
  return dumps;
}

Result<void> MakeOutputFolders(const std::vector<EachDump>& dumps) {
  std::set<fs::path> folders;
  for (const EachDump& dump : dumps)
    for (const std::string& output : dump.outputs)
      folders.insert(fs::path(output).parent_path());
  for (const fs::path& folder : folders) {
    if (folder.empty()) continue;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: cannot make the folder: {}", folder.string(),
                              error.message()));
  }
  return {};
}

Result<Options> OptionsOf(const EachDump& dump,
                          const SeriesArguments& arguments,
                          const Options& options) {
  std::vector<std::string> args = options.each.options;
  const size_t first_output = args.size();
  for (const Output& output : options.outputs)
    args.push_back(fmt::format("{}{}", kOutputOption, output.path));
  std::vector<std::string> files = arguments.BinaryArguments();
  files.push_back(dump.path);
  if (std::ranges::any_of(files, LooksLikeAnOption)) args.emplace_back("--");
  args.insert(args.end(), files.begin(), files.end());
  auto own = ParseArgs(args);
  if (!own) return own;
  // Only now, because the pattern, and not the name of the dump, chooses the
  // format.
  for (size_t i = 0; i < dump.outputs.size(); ++i) {
    own->outputs[i].path = dump.outputs[i];
    own->args[first_output + i] =
        fmt::format("{}{}", kOutputOption, dump.outputs[i]);
  }
  return own;
}

}  // namespace heapprof
