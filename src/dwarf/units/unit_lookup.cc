// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_lookup.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "dwarf/units/padding.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Units of at most kMinSplitSize are not split, and chunks are not smaller than
// kMinChunkSize, because splitting small units costs more than it saves.
constexpr uint64_t kMinSplitSize = 128 << 10;
constexpr uint64_t kMinChunkSize = 32 << 10;

// The limit on chunks per unit. It limits memory, because each chunk has a
// result for every address.
constexpr size_t kMaxChunks = 16;

// Work for one thread.
struct Task {
  uint64_t size = 0;  // in bytes to be read
  std::function<void()> run;
};

// The lookup in one unit.
class LookupInProgress {
 public:
  LookupInProgress(const UnitLookupRequest& request, UnitStore& units,
                   const ElfImage& binary, const SymbolSource& symbols)
      : request_(request),
        units_(units),
        binary_(binary),
        reader_(units.reader(request.unit)),
        find_padding_([this, &symbols](std::span<const AddressRange> ranges,
                                       std::span<const AddressRange> code) {
          std::string problem;
          return FindPadding(ranges, code, FindLineProgram(problem), binary_,
                             symbols());
        }) {
    result_.rows.resize(request.addresses.size());
  }

  uint64_t size() const { return reader_.unit().end - reader_.unit().offset; }
  // Splits the unit into chunks, unless its abbreviations cannot be read.
  void SplitIntoChunks(unsigned jobs);
  void AddTasks(std::vector<Task>& tasks);
  bool is_in_chunks() const { return !chunks_.empty(); }
  // Call after all tasks have run.
  void JoinChunks();
  UnitLookupResult Finish();

 private:
  const LineProgram* FindLineProgram(std::string& problem) const {
    return request_.with_line_rows
               ? units_.FindLineProgram(request_.unit, problem)
               : nullptr;
  }
  void SearchAll();
  void SearchChunk(size_t i);
  void ReadLines();

  const UnitLookupRequest& request_;
  UnitStore& units_;
  const ElfImage& binary_;
  const UnitReader& reader_;
  PaddingSearch find_padding_;
  const AbbreviationTable* table_ = nullptr;
  std::vector<std::optional<InnermostChunk>> chunks_;
  std::string line_problem_;
  UnitLookupResult result_;
};

void LookupInProgress::SplitIntoChunks(unsigned jobs) {
  table_ = units_.Abbreviations(request_.unit, result_.problem);
  if (table_ == nullptr) return;
  // With DW_AT_sibling, the start of a chunk is found quickly. It then pays to
  // make more chunks than there are threads.
  constexpr size_t kChunksPerJob = 4;
  const size_t wanted = table_->has_siblings() ? kChunksPerJob * jobs : jobs;
  chunks_.resize(std::min(
      {wanted, kMaxChunks, static_cast<size_t>(size() / kMinChunkSize)}));
}

void LookupInProgress::AddTasks(std::vector<Task>& tasks) {
  if (!is_in_chunks())
    return tasks.push_back({size(), [this] {
                              SearchAll();
                              if (!result_.is_unreadable) ReadLines();
                            }});
  for (size_t i = 0; i < chunks_.size(); ++i)
    tasks.push_back({size() / chunks_.size(), [this, i] { SearchChunk(i); }});
  tasks.push_back(
      {units_.LineProgramSize(request_.unit), [this] { ReadLines(); }});
}

void LookupInProgress::SearchAll() {
  table_ = units_.Abbreviations(request_.unit, result_.problem);
  result_.is_unreadable = table_ == nullptr;
  if (result_.is_unreadable) return;
  result_.functions = FindInnermost(reader_, *table_, request_.addresses,
                                    binary_, &find_padding_);
}

void LookupInProgress::SearchChunk(size_t i) {
  const uint64_t start = reader_.unit().offset;
  const auto start_of = [&](size_t chunk) {
    return chunk == chunks_.size() ? UINT64_MAX
                                   : start + size() / chunks_.size() * chunk;
  };
  chunks_[i] =
      FindInnermostInChunk({start_of(i), start_of(i + 1)}, reader_, *table_,
                           request_.addresses, binary_, &find_padding_);
}

void LookupInProgress::ReadLines() {
  result_.line_program = FindLineProgram(line_problem_);
  if (result_.line_program != nullptr &&
      !result_.line_program->FindPositions(request_.addresses, binary_,
                                           result_.rows))
    line_problem_ = "its line table is damaged";
}

void LookupInProgress::JoinChunks() {
  std::vector<InnermostChunk> chunks;
  for (auto& chunk : chunks_) chunks.push_back(*std::move(chunk));
  auto joined =
      JoinInnermostChunks(std::move(chunks), reader_, *table_, binary_);
  if (joined)
    result_.functions = *std::move(joined);
  else
    SearchAll();
}

UnitLookupResult LookupInProgress::Finish() {
  if (result_.is_unreadable) return std::move(result_);
  result_.problem = result_.functions.scan.problem;
  if (result_.problem.empty()) result_.problem = std::move(line_problem_);
  result_.skipped_problem = result_.functions.scan.skipped_problem;
  return std::move(result_);
}

// Runs the largest tasks first, so that the threads finish at about the same
// time.
void Run(std::vector<Task> tasks, unsigned jobs) {
  std::ranges::stable_sort(tasks, std::greater{}, &Task::size);
  ForEach(tasks.size(), jobs, [&](size_t i) { tasks[i].run(); });
}

void SplitLargeUnits(std::deque<LookupInProgress>& lookups, unsigned jobs) {
  if (jobs < 2) return;
  uint64_t total = 0;
  for (const LookupInProgress& lookup : lookups) total += lookup.size();
  const uint64_t too_large = std::max(kMinSplitSize, total / (2 * jobs));
  for (LookupInProgress& lookup : lookups)
    if (lookup.size() > too_large) lookup.SplitIntoChunks(jobs);
}

}  // namespace

std::vector<UnitLookupResult> LookUpUnits(
    std::span<const UnitLookupRequest> requests, UnitStore& units,
    const ElfImage& binary, unsigned jobs, const SymbolSource& symbols) {
  std::deque<LookupInProgress> lookups;
  for (const UnitLookupRequest& request : requests)
    lookups.emplace_back(request, units, binary, symbols);
  SplitLargeUnits(lookups, jobs);
  std::vector<Task> tasks = {{UINT64_MAX, [&symbols] { symbols(); }}};
  std::vector<Task> joins;
  for (LookupInProgress& lookup : lookups) {
    lookup.AddTasks(tasks);
    if (lookup.is_in_chunks())
      joins.push_back({lookup.size(), [&lookup] { lookup.JoinChunks(); }});
  }
  Run(std::move(tasks), jobs);
  Run(std::move(joins), jobs);
  std::vector<UnitLookupResult> results;
  for (LookupInProgress& lookup : lookups) results.push_back(lookup.Finish());
  return results;
}

}  // namespace heapprof
