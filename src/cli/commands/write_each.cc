// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/write_each.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/commands/report_inputs.h"
#include "cli/inputs/check_sides.h"
#include "cli/inputs/each_dumps.h"
#include "cli/inputs/load.h"
#include "cli/inputs/read_series.h"
#include "cli/outputs/each_messages.h"
#include "cli/system/exit_status.h"
#include "cli/system/interrupt.h"
#include "heapprof/base/about_file.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Lets threads work on several dumps as long as these are small, so that a run
// needs hardly more memory than its largest dump does.
class SizeLimit {
 public:
  explicit SizeLimit(uint64_t largest)
      : limit_(std::max(largest, kAlwaysAllowed)) {}

  // Waits until there is room for a dump of this size.
  void Enter(uint64_t size) {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return in_use_ == 0 || in_use_ + size <= limit_; });
    in_use_ += size;
  }
  // True if there is no room for another dump of this size.
  bool LeavesNoRoom(uint64_t size) const { return size > limit_ / 2; }
  void Leave(uint64_t size) {
    const std::scoped_lock lock(mutex_);
    in_use_ -= size;
    left_.notify_all();
  }

 private:
  // In bytes of dumps.
  static constexpr uint64_t kAlwaysAllowed = uint64_t{8} << 20;

  const uint64_t limit_;
  std::mutex mutex_;
  std::condition_variable left_;
  uint64_t in_use_ = 0;
};

// What became of a dump.
struct Outcome {
  // Empty if the run was interrupted before.
  std::optional<Result<void>> written = {};
  bool is_read = false;  // the dump
  Diagnostics diagnostics = {};
};

class EachWriter {
 public:
  EachWriter(const SeriesArguments& arguments, std::vector<EachDump> dumps,
             const EachLoader& loader, const Options& options, Session& session)
      : arguments_(arguments),
        dumps_(std::move(dumps)),
        loader_(loader),
        options_(options),
        session_(session),
        threads_(ThreadCount()),
        in_work_(LargestSize()),
        outcomes_(dumps_.size()),
        messages_(options.verbose) {}

  Result<void> Write() {
    session_.progress.Enter("writing the outputs");
    ForEachInTurn(
        dumps_.size(), threads_, [this](size_t i) { WriteOne(i); },
        [this](size_t i) { return Take(i); });
    session_.progress.Stop();
    for (std::string& message : std::move(messages_).Take())
      session_.diagnostics.Note(std::move(message));
    if (stopped_by_) return std::unexpected(*stopped_by_);
    session_.summary = Summary();
    if (!session_.failures.empty()) session_.status = kExitFailed;
    if (interrupts_.signal() != 0) {
      session_.status = kExitBySignal + interrupts_.signal();
      // It would go on for a while, to build indexes.
      session_.symbolizer.reset();
    }
    return {};
  }

 private:
  // Disassembling reads binaries while others are looked up in, which libelf
  // does not allow.
  unsigned ThreadCount() const {
    const bool reads_binaries =
        std::ranges::any_of(options_.outputs, [](const Output& output) {
          return output.format == OutputNamed("disasm");
        });
    return reads_binaries ? 1 : JobCount(options_);
  }

  uint64_t LargestSize() const {
    uint64_t largest = 0;
    for (const EachDump& dump : dumps_) largest = std::max(largest, dump.size);
    return largest;
  }

  void WriteOne(size_t i) {
    const EachDump& dump = dumps_[i];
    in_work_.Enter(dump.size);
    if (interrupts_.signal() == 0) {
      Session own(/*shows_progress=*/false);
      outcomes_[i].written = Write(dump, own, outcomes_[i].is_read);
      outcomes_[i].diagnostics = std::move(own.diagnostics);
      Count(dump);
    }
    in_work_.Leave(dump.size);
  }

  Result<void> Write(const EachDump& dump, Session& own, bool& is_read) {
    auto options = OptionsOf(dump, arguments_, options_);
    if (!options) return std::unexpected(options.error());
    const bool has_company =
        dumps_.size() > 1 && !in_work_.LeavesNoRoom(dump.size);
    if (threads_ > 1 && has_company) options->jobs = 1;
    own.symbolizer.emplace(session_.symbolizer->Sibling(JobCount(*options)));
    own.progress.Enter("reading the profile");
    auto inputs = loader_.Load(dump.path, own.diagnostics);
    if (!inputs) return std::unexpected(inputs.error());
    is_read = true;
    return ReportInputs(*std::move(inputs), *options, own);
  }

  void Count(const EachDump& dump) {
    const std::scoped_lock lock(count_mutex_);
    ++done_count_;
    // Even an empty file takes a while.
    constexpr double kLeastWork = 1 << 16;
    const auto work = [](const EachDump& one) {
      return kLeastWork + static_cast<double>(one.size);
    };
    if (all_work_ == 0)
      for (const EachDump& one : dumps_) all_work_ += work(one);
    done_work_ += work(dump);
    session_.progress.Count(done_count_, dumps_.size(), done_work_ / all_work_);
  }

  // Takes the outcomes in the order of the dumps. Returns false if the run
  // cannot go on.
  bool Take(size_t i) {
    Outcome outcome = std::exchange(outcomes_[i], {});
    if (!outcome.written) return true;
    messages_.Add(dumps_[i].path, outcome.diagnostics);
    if (*outcome.written) {
      ++written_count_;
      return true;
    }
    Error& error = outcome.written->error();
    if (error.kind == ErrorKind::kUsage) {
      stopped_by_ = std::move(error);
      return false;
    }
    session_.failures.push_back(AboutFile(dumps_[i].path, error.message));
    if (outcome.is_read) were_all_unreadable_ = false;
    return true;
  }

  std::string Summary() const {
    std::string text = fmt::format(
        "{}wrote the outputs of {} of {}",
        interrupts_.signal() == 0 ? "" : "interrupted: ", written_count_,
        Counted(dumps_.size(), "dump"));
    if (!session_.failures.empty())
      text +=
          fmt::format("; {} {}", session_.failures.size(),
                      were_all_unreadable_ ? "could not be read" : "failed");
    return text;
  }

  const SeriesArguments& arguments_;
  const std::vector<EachDump> dumps_;
  const EachLoader& loader_;
  const Options& options_;
  Session& session_;
  const unsigned threads_;
  InterruptCatcher interrupts_;
  SizeLimit in_work_;
  std::vector<Outcome> outcomes_;  // of each dump, until it is taken
  EachMessages messages_;
  size_t written_count_ = 0;
  bool were_all_unreadable_ = true;  // the dumps that failed
  std::optional<Error> stopped_by_;

  std::mutex count_mutex_;
  size_t done_count_ = 0;
  double done_work_ = 0, all_work_ = 0;
};

}  // namespace

Result<void> WriteEach(const Options& options, Session& session) {
  session.progress.Enter("looking for the dumps");
  if (auto sides = CheckSideArguments(options); !sides) return sides;
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  if (arguments->dumps.empty()) {
    if (auto taken = RefuseDumpAsPattern(options); !taken) return taken;
    return UsageError(
        "--each: no dump given; usage: heapprof --each -o 'named/{name}.txt' "
        "[BINARY] DUMP...|FOLDER");
  }
  auto dumps = PlanEachDump(*arguments, options);
  if (!dumps) return std::unexpected(dumps.error());
  LoadedInputs binaries;
  binaries.binaries = arguments->binaries;
  binaries.folder_files = arguments->folder_files;
  if (auto made = MakeSymbolizer(options, binaries, session); !made)
    return made;
  std::vector<std::string> paths;
  for (const EachDump& dump : *dumps) paths.push_back(dump.path);
  const auto loader = EachLoader::Make(options, std::move(binaries), paths);
  if (!loader) return std::unexpected(loader.error());
  if (auto made = MakeOutputFolders(*dumps); !made) return made;
  return EachWriter(*arguments, *std::move(dumps), *loader, options, session)
      .Write();
}

}  // namespace heapprof
