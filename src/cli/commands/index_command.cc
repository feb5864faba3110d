// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/inputs/folder.h"
#include "heapprof/base/about_file.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/same_file.h"
#include "heapprof/index/portable_index.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/io/output_file.h"
#include "heapprof/symbolize/index_binary.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexPage =
    R"(heapprof index - write indexes that name frames on other machines

usage: heapprof index [options] BINARY... -o DIR
       heapprof index [options] [BINARY] DUMP -o DIR

BINARY   a program or library; its debug information is in the file, in a debug
         file beside it on the command line, or is found as for a report. A
         folder stands for the files in it
DUMP     a dump: index every file that occurs in its stacks

Writes DIR/BUILD-ID.idx for each file, atomically, and prints its name, its
size, how long that took, and the file. An index that is already there and is of
the same file stays as it is. The same binary gives the same index on every
machine. With --index-dir DIR, heapprof then names frames without debug
information; 'heapprof help indexes' says when an index is used.

Exit status: 0 all files have their index, 1 some have none, 2 wrong usage.

Output:
  -o, --output DIR     the folder of the indexes; is made if it is missing
)";

// A file to index. `module` is null if it cannot be, and `problem` says why.
struct Target {
  std::string path;  // for messages
  std::string name;  // of the file, where it runs
  const Module* module = nullptr;
  std::string problem = {};
};

struct Written {
  std::string file_name;
  uint64_t size = 0;
  bool is_new = true;
};

// Returns the index at `path` if it is already the one to write.
std::unique_ptr<PortableIndex> FindSame(const std::string& path,
                                        const Target& target,
                                        IndexedBinary description,
                                        unsigned jobs) {
  auto index = PortableIndex::Open(path);
  if (!index || (*index)->name() != target.name) return nullptr;
  // An index with debug information is not replaced by one without.
  description.has_debug_info |= (*index)->binary().has_debug_info;
  if ((*index)->binary() != description || !(*index)->CheckContent(jobs))
    return nullptr;
  return std::move(*index);
}

Result<Written> WriteIndex(const Target& target, const Options& options) {
  const unsigned jobs = JobCount(options);
  const Module& module = *target.module;
  const auto description = DescribeModule(module, jobs);
  if (!description) return std::unexpected(description.error());
  const std::string& build_id = description->layout.build_id;
  if (!description->has_debug_info && !options.allow_stripped)
    return Fail(ErrorKind::kNoData,
                fmt::format("no debug information for build id {}; "
                            "--allow-stripped indexes its symbols",
                            build_id));
  Written written = {.file_name = PortableIndexName(build_id)};
  const std::string path =
      (fs::path(options.index_output) / written.file_name).string();
  std::error_code error;
  if (FindSame(path, target, *description, jobs) != nullptr) {
    written.size = fs::file_size(path, error);
    written.is_new = false;
    return written;
  }
  const auto bytes = IndexModule(module, target.name, *description, jobs);
  if (!bytes) return std::unexpected(bytes.error());
  if (auto whole = CheckMappedFiles(); !whole)
    return std::unexpected(whole.error());
  if (std::string overwritten = module.OverwriteProblem(); !overwritten.empty())
    return Fail(ErrorKind::kIo, std::move(overwritten));
  written.size = bytes->size();
  if (auto done = WriteFileAtomically(path, *bytes); !done)
    return std::unexpected(done.error());
  return written;
}

// Indexes files one after the other, and prints a line for each.
class Indexing {
 public:
  Indexing(const Options& options, Session& session)
      : options_(options), session_(session) {}

  Result<void> Add(const Target& target);
  // Fails if a file was not indexed.
  Result<void> Finish();

 private:
  Result<void> Print(const Target& target, const Written& written,
                     double seconds);

  const Options& options_;
  Session& session_;
  size_t count_ = 0;
  std::vector<std::string> failures_;
};

Result<void> Indexing::Add(const Target& target) {
  ++count_;
  const auto start = std::chrono::steady_clock::now();
  session_.progress.Enter("making an index");
  Result<Written> written =
      target.module == nullptr
          ? Result<Written>(Fail(ErrorKind::kNoData, target.problem))
          : WriteIndex(target, options_);
  if (!written) {
    failures_.push_back(AboutFile(target.path, written.error().message));
    return {};
  }
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  session_.progress.Stop();
  return Print(target, *written, time.count());
}

Result<void> Indexing::Print(const Target& target, const Written& written,
                             double seconds) {
  return WriteAll(STDOUT_FILENO,
                  fmt::format("{}  {:>10}  {:>9}  {}\n", written.file_name,
                              FormatBytes(static_cast<double>(written.size)),
                              written.is_new ? fmt::format("{:.2f} s", seconds)
                                             : "as it was",
                              Printable(target.name)),
                  "standard output");
}

Result<void> Indexing::Finish() {
  if (count_ == 0)
    return Fail(ErrorKind::kNoData, "index: found no binary to index");
  if (failures_.empty()) return {};
  if (count_ == 1) return Fail(ErrorKind::kNoData, failures_.front());
  for (std::string& failure : failures_)
    session_.diagnostics.Note(std::move(failure));
  return Fail(ErrorKind::kNoData,
              fmt::format("index: {} of {} files {} no index", failures_.size(),
                          count_, failures_.size() == 1 ? "has" : "have"));
}

// Returns the paths of the binaries and debug files; empty if there is a dump
// among the files.
Result<std::vector<std::string>> BinariesOnly(const Options& options) {
  std::vector<std::string> binaries;
  for (const std::string& path : options.files) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      auto folder = ReadFolder(path);
      if (!folder) return std::unexpected(folder.error());
      binaries.insert(binaries.end(), folder->elf_files.begin(),
                      folder->elf_files.end());
    } else if (!fs::exists(path, error)) {
      return Fail(ErrorKind::kIo, path + ": no such file");
    } else if (KindOfFile(path) != InputKind::kBinary) {
      return {};
    } else {
      binaries.push_back(path);
    }
  }
  return binaries;
}

// The memory map of a process has paths without symbolic links.
std::string RealName(const std::string& path) {
  return std::string(BaseName(RealPath(path)));
}

Result<void> IndexBinaries(std::vector<std::string> paths,
                           const Options& options, Session& session) {
  auto search = MakeDebugSearch(options, session);
  if (!search) return std::unexpected(search.error());
  MoveDebugFiles(paths, *search);
  // Stripped files come first: an index has their name, not that of the
  // unstripped file that only names their functions.
  const std::set<std::string> unstripped(search->unstripped.begin(),
                                         search->unstripped.end());
  std::ranges::stable_partition(paths, [&unstripped](const std::string& path) {
    return !unstripped.contains(path);
  });
  std::set<std::string> read;
  Indexing indexing(options, session);
  for (const std::string& path : paths) {
    if (read.contains(path)) continue;
    const auto module = Module::Open(path, *search);
    Target target = {.path = path, .name = RealName(path)};
    if (module) {
      target.module = module->get();
      read.insert((*module)->NamesPath());
    } else {
      target.problem = module.error().message;
    }
    if (auto done = indexing.Add(target); !done) return done;
  }
  return indexing.Finish();
}

// Returns the files that occur in the stacks of a profile.
std::vector<Target> TargetsIn(const Profile& profile,
                              const Symbolizer& symbolizer) {
  std::vector<bool> occurs(profile.mappings.size());
  for (const Location& location : profile.locations)
    occurs[location.mapping.index()] = true;
  std::vector<Target> targets;
  for (uint32_t i = 1; i < profile.mappings.size(); ++i) {
    const Mapping& mapping = profile.mappings[i];
    if (!occurs[i] || !mapping.is_file) continue;
    const std::string path(profile.String(mapping.filename));
    targets.push_back(
        {.path = path,
         .name = std::string(BaseName(path)),
         .module = symbolizer.ModuleOf(profile, MappingId{i}),
         .problem = symbolizer.MissReasonOf(profile, MappingId{i}).text});
  }
  return targets;
}

Result<void> IndexModulesOfDumps(Options& options, Session& session) {
  auto inputs = ReadInputs(options, {}, session);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto found = FindBinaries(options, *inputs, session); !found)
    return found;
  Indexing indexing(options, session);
  std::set<std::string> known;
  for (const MergeInput& input : inputs->profiles)
    for (const Target& target : TargetsIn(input.profile, *session.symbolizer))
      if (known.insert(target.path).second)
        if (auto done = indexing.Add(target); !done) return done;
  return indexing.Finish();
}

}  // namespace

std::string_view IndexPage() { return kIndexPage; }

Result<void> ReadIndexArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  // Indexes are made from debug information, not from other indexes.
  options.use_cache = false;
  if (options.show_help || options.show_version) return {};
  if (options.files.empty())
    return UsageError("index: name binaries, or a dump to index its files");
  if (args.output_paths.size() != 1 || args.output_paths.front() == "-")
    return UsageError("index: name one folder for the indexes with -o DIR");
  options.index_output = args.output_paths.front();
  return {};
}

Result<void> RunIndex(Options& options, Session& session) {
  const auto binaries = BinariesOnly(options);
  if (!binaries) return std::unexpected(binaries.error());
  std::error_code error;
  fs::create_directories(options.index_output, error);
  if (error)
    return Fail(ErrorKind::kIo,
                fmt::format("{}: cannot create the folder: {}",
                            options.index_output, error.message()));
  return binaries->empty() ? IndexModulesOfDumps(options, session)
                           : IndexBinaries(*binaries, options, session);
}

}  // namespace heapprof
