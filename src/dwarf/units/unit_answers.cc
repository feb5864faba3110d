// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_answers.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "dwarf/units/padding.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Not worth the trouble below that.
constexpr uint64_t kMinSplitSize = 128 << 10;
constexpr uint64_t kMinPartSize = 32 << 10;

// Each has room for an answer to every address.
constexpr size_t kMaxParts = 16;

// Work for one thread.
struct Task {
  uint64_t size = 0;  // in bytes to be read
  std::function<void()> run;
};

// What one unit is asked.
class UnitReading {
 public:
  UnitReading(const UnitQuestion& question, UnitStore& units,
              const ElfImage& binary, const SymbolSource& symbols)
      : question_(question),
        units_(units),
        binary_(binary),
        reader_(units.reader(question.unit)),
        find_padding_([this, &symbols](std::span<const AddressRange> ranges,
                                       std::span<const AddressRange> code) {
          std::string problem;
          return FindPadding(ranges, code, FindLineProgram(problem), binary_,
                             symbols());
        }) {
    answer_.rows.resize(question.addresses.size());
  }

  uint64_t size() const { return reader_.unit().end - reader_.unit().offset; }
  // Decides that threads are to share the unit, if its table can be read.
  void Split(unsigned jobs);
  void AddTasks(std::vector<Task>& tasks);
  bool is_split() const { return !parts_.empty(); }
  // Behind all tasks.
  void Join();
  UnitAnswer Finish();

 private:
  const LineProgram* FindLineProgram(std::string& problem) const {
    return question_.with_line_rows
               ? units_.FindLineProgram(question_.unit, problem)
               : nullptr;
  }
  void WalkAll();
  void WalkPartAt(size_t i);
  void ReadLines();

  const UnitQuestion& question_;
  UnitStore& units_;
  const ElfImage& binary_;
  const UnitReader& reader_;
  PaddingSearch find_padding_;
  const AbbreviationTable* table_ = nullptr;
  std::vector<std::optional<WalkPart>> parts_;
  std::string line_problem_;
  UnitAnswer answer_;
};

void UnitReading::Split(unsigned jobs) {
  table_ = units_.Abbreviations(question_.unit, answer_.problem);
  if (table_ == nullptr) return;
  // To find its start costs a part little where entries can be jumped over.
  constexpr size_t kPartsPerJob = 4;
  const size_t wanted = table_->has_siblings() ? kPartsPerJob * jobs : jobs;
  parts_.resize(std::min(
      {wanted, kMaxParts, static_cast<size_t>(size() / kMinPartSize)}));
}

void UnitReading::AddTasks(std::vector<Task>& tasks) {
  if (!is_split())
    return tasks.push_back({size(), [this] {
                              WalkAll();
                              if (!answer_.declined) ReadLines();
                            }});
  for (size_t i = 0; i < parts_.size(); ++i)
    tasks.push_back({size() / parts_.size(), [this, i] { WalkPartAt(i); }});
  tasks.push_back(
      {units_.LineProgramSize(question_.unit), [this] { ReadLines(); }});
}

void UnitReading::WalkAll() {
  table_ = units_.Abbreviations(question_.unit, answer_.problem);
  answer_.declined = table_ == nullptr;
  if (answer_.declined) return;
  answer_.walk = WalkFunctions(reader_, *table_, question_.addresses, binary_,
                               &find_padding_);
}

void UnitReading::WalkPartAt(size_t i) {
  const uint64_t start = reader_.unit().offset;
  const auto place_of = [&](size_t part) {
    return part == parts_.size() ? UINT64_MAX
                                 : start + size() / parts_.size() * part;
  };
  parts_[i] = WalkFunctionsIn({place_of(i), place_of(i + 1)}, reader_, *table_,
                              question_.addresses, binary_, &find_padding_);
}

void UnitReading::ReadLines() {
  answer_.line_program = FindLineProgram(line_problem_);
  if (answer_.line_program != nullptr &&
      !answer_.line_program->FindPositions(question_.addresses, binary_,
                                           answer_.rows))
    line_problem_ = "its line table is damaged";
}

void UnitReading::Join() {
  std::vector<WalkPart> parts;
  for (auto& part : parts_) parts.push_back(*std::move(part));
  auto joined = JoinParts(std::move(parts), reader_, *table_, binary_);
  if (joined)
    answer_.walk = *std::move(joined);
  else
    WalkAll();
}

UnitAnswer UnitReading::Finish() {
  if (answer_.declined) return std::move(answer_);
  answer_.problem = answer_.walk.scan.problem;
  if (answer_.problem.empty()) answer_.problem = std::move(line_problem_);
  answer_.deferred_problem = answer_.walk.scan.deferred_problem;
  return std::move(answer_);
}

// The largest first, so that threads end together.
void Run(std::vector<Task> tasks, unsigned jobs) {
  std::ranges::stable_sort(tasks, std::greater{}, &Task::size);
  ForEach(tasks.size(), jobs, [&](size_t i) { tasks[i].run(); });
}

void SplitLargeUnits(std::deque<UnitReading>& readings, unsigned jobs) {
  if (jobs < 2) return;
  uint64_t total = 0;
  for (const UnitReading& reading : readings) total += reading.size();
  const uint64_t too_large = std::max(kMinSplitSize, total / (2 * jobs));
  for (UnitReading& reading : readings)
    if (reading.size() > too_large) reading.Split(jobs);
}

}  // namespace

std::vector<UnitAnswer> AskUnits(std::span<const UnitQuestion> questions,
                                 UnitStore& units, const ElfImage& binary,
                                 unsigned jobs, const SymbolSource& symbols) {
  std::deque<UnitReading> readings;
  for (const UnitQuestion& question : questions)
    readings.emplace_back(question, units, binary, symbols);
  SplitLargeUnits(readings, jobs);
  std::vector<Task> tasks = {{UINT64_MAX, [&symbols] { symbols(); }}};
  std::vector<Task> joins;
  for (UnitReading& reading : readings) {
    reading.AddTasks(tasks);
    if (reading.is_split())
      joins.push_back({reading.size(), [&reading] { reading.Join(); }});
  }
  Run(std::move(tasks), jobs);
  Run(std::move(joins), jobs);
  std::vector<UnitAnswer> answers;
  for (UnitReading& reading : readings) answers.push_back(reading.Finish());
  return answers;
}

}  // namespace heapprof
