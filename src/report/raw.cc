// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/raw.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/compile.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_table.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/recorded_counts.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

// Writes "It::operator--(int)" as "It::operator- -(int)".
std::string SingleDashes(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '-' && text.ends_with('-')) text += ' ';
    text += c;
  }
  return text;
}

// Assigns each location the addresses that stand for it in the stacks of the
// dump, and the key under which the symbol section has its name. A reader looks
// up the leaf of a stack by its address, but any other frame by its address
// minus one. So a location may need one address as leaf and another as caller.
class AddressTable {
 public:
  explicit AddressTable(const Profile& profile)
      : profile_(profile),
        as_leaf_(profile.locations.size()),
        as_caller_(profile.locations.size()) {
    texts_.Add("");
    for (size_t i = 1; i < profile.stacks.size(); ++i)
      Add(profile.StackFrames(StackId{static_cast<uint32_t>(i)}));
  }

  void WriteSymbols(ByteSink& out) const {
    for (const auto& [key, location] : keys_)
      out.Format("0x{:016x} {}\n", key, Chain(location));
  }

  // Writes "@ 0x1 0x2\n".
  void WriteStack(std::span<const LocationId> frames, ByteSink& out) const {
    constexpr size_t kMost = 3 + 2 * sizeof(uint64_t);  // of an address
    out.AppendBy(2 + frames.size() * kMost + TextTable::kChunk, [&](char* to) {
      *to++ = '@';
      for (size_t i = 0; i < frames.size(); ++i)
        to = texts_.Write(TextOf(frames[i], i == 0), to);
      *to++ = '\n';
      return to;
    });
  }

 private:
  size_t TextOf(LocationId id, bool is_leaf) const {
    return (is_leaf ? as_leaf_ : as_caller_)[id.index()];
  }

  void Add(std::span<const LocationId> frames) {
    for (size_t i = 0; i < frames.size(); ++i) {
      const bool is_leaf = i == 0;
      size_t& text = (is_leaf ? as_leaf_ : as_caller_)[frames[i].index()];
      if (text == 0)
        text = texts_.Add(fmt::format(" 0x{:x}", NewKey(frames[i]) + !is_leaf));
    }
  }

  // Returns the key for a location: the address inside its call or, if another
  // location has that key or it is not valid, a made-up one. jeprof treats
  // addresses from 2^63 on as invalid.
  uint64_t NewKey(LocationId id) {
    const Location& location = profile_.locations[id.index()];
    uint64_t key = CallSiteAddress(location, location.address);
    constexpr uint64_t kLimit = uint64_t{1} << 63;
    const auto is_free = [this, id](uint64_t candidate) {
      const auto it = keys_.find(candidate);
      return it == keys_.end() || it->second == id;
    };
    if (key == 0 || key >= kLimit - 1 || !is_free(key)) {
      while (!is_free(next_)) ++next_;
      key = next_++;
    }
    keys_.emplace(key, id);
    return key;
  }

  // The names of a location, from the function that contains the code to the
  // innermost inlined call, with "--" between them.
  std::string Chain(LocationId id) const {
    std::string chain;
    const auto lines = profile_.LocationLines(profile_.locations[id.index()]);
    for (const Line& line : lines | std::views::reverse) {
      const Function& function = profile_.functions[line.function.index()];
      const std::string_view name = profile_.String(function.name);
      if (!chain.empty()) chain += "--";
      chain += name.empty() ? "??" : SingleDashes(Printable(name));
      // A start address in "<>" distinguishes functions with the same name.
      // Inlined calls have none.
      if (function.start_address != 0 && &line == &lines.back() &&
          IsTaggedName(name))
        chain += fmt::format("<{:016x}>", function.start_address);
    }
    return chain.empty() ? "??" : chain;
  }

  const Profile& profile_;
  TextTable texts_;  // " 0x7f"; the first one is empty
  // By location: the index of its text; 0 if it is not used.
  std::vector<size_t> as_leaf_, as_caller_;
  std::map<uint64_t, LocationId> keys_;
  uint64_t next_ = 1;  // next key to make up; lower than any mapped address
};

void Add(const RecordedCounts& counts, RecordedCounts& total) {
  total.current.objects += counts.current.objects;
  total.current.bytes += counts.current.bytes;
  total.accumulated.objects += counts.accumulated.objects;
  total.accumulated.bytes += counts.accumulated.bytes;
}

// Writes "3: 3145728 [5: 5242880]", and returns its end. The format is
// compiled, as there may be a million lines.
char* WriteCounts(const RecordedCounts& counts, char* to) {
  return fmt::format_to(to, FMT_COMPILE("{}: {} [{}: {}]"),
                        counts.current.objects, counts.current.bytes,
                        counts.accumulated.objects, counts.accumulated.bytes);
}
constexpr size_t kMostDigits = std::numeric_limits<uint64_t>::digits10 + 1;
constexpr size_t kMostOfCounts = 4 * kMostDigits + sizeof ":  [: ]";

std::string Text(const RecordedCounts& counts) {
  char text[kMostOfCounts];
  return {text, WriteCounts(counts, text)};
}

// Writes the line of a thread.
void WriteLine(std::string_view label, const RecordedCounts& counts,
               ByteSink& out) {
  out.AppendBy(sizeof "  : \n" + label.size() + kMostOfCounts, [&](char* to) {
    to = fmt::format_to(to, FMT_COMPILE("  {}: "), label);
    to = WriteCounts(counts, to);
    *to++ = '\n';
    return to;
  });
}

// Rounds the values of samples to whole counts, and carries the fractions over
// from one value to the next, so that the sums stay right.
class Counter {
 public:
  RecordedCounts Next(const Values& values) {
    return {{Count(values, Metric::kInuseObjects),
             Count(values, Metric::kInuseSpace)},
            {Count(values, Metric::kAllocObjects),
             Count(values, Metric::kAllocSpace)}};
  }
  // True if any value was not a whole number.
  bool rounded() const { return rounded_; }

 private:
  uint64_t Count(const Values& values, Metric metric) {
    const double value = values[metric].value;
    const int64_t count =
        whole_[static_cast<size_t>(metric)].Next(std::max(0.0, value));
    rounded_ |= static_cast<double>(count) != value;
    return static_cast<uint64_t>(count);
  }

  WholeValues whole_[kMetricCount];
  bool rounded_ = false;
};

// The counts of a stack in one thread; thread 0 stands for all together.
struct ThreadLine {
  StackId stack;
  uint32_t thread = 0;
  RecordedCounts counts = {};
};

// Returns the counts of all samples, in the order of the stacks. Returns
// nothing if an estimate is not a scaled count and so cannot be converted back
// to a count, as in a comparison.
std::optional<std::vector<ThreadLine>> ThreadLines(const Profile& profile) {
  if (profile.is_comparison) return std::nullopt;
  std::vector<ThreadLine> lines;
  lines.reserve(profile.samples.size() + profile.thread_samples.size());
  for (const auto* samples : {&profile.samples, &profile.thread_samples}) {
    for (const Sample& sample : *samples) {
      const auto counts =
          RecordedCountsOf(sample.values, profile.sampling_period);
      if (!counts) return std::nullopt;
      const bool is_total = samples == &profile.samples;
      lines.push_back(
          {sample.stack, is_total ? 0 : sample.thread.value, *counts});
    }
  }
  // The samples usually are in order already.
  const auto middle =
      lines.begin() + static_cast<ptrdiff_t>(profile.samples.size());
  for (const auto half : {std::ranges::subrange(lines.begin(), middle),
                          std::ranges::subrange(middle, lines.end())})
    if (!std::ranges::is_sorted(half, {}, &ThreadLine::stack))
      std::ranges::stable_sort(half, {}, &ThreadLine::stack);
  std::ranges::inplace_merge(lines, middle, {}, &ThreadLine::stack);
  return lines;
}

// Writes a "heap_v2/" dump.
void WriteThreadedDump(const Profile& profile, const AddressTable& book,
                       const std::vector<ThreadLine>& lines, ByteSink& out) {
  std::vector<RecordedCounts> totals(profile.threads.size());
  for (const ThreadLine& line : lines) Add(line.counts, totals[line.thread]);
  // Threads of two processes may have the same number. The second thread then
  // gets the next free number.
  std::map<uint64_t, uint32_t> by_uid;
  std::vector<std::string> labels(profile.threads.size(), "t*");
  for (uint32_t i = 1; i < labels.size(); ++i) {
    uint64_t uid = profile.threads[i].uid;
    while (!by_uid.emplace(uid, i).second) ++uid;
    labels[i] = fmt::format("t{}", uid);
  }
  out.Format("heap_v2/{}\n  t*: {}\n", profile.sampling_period,
             Text(totals[0]));
  for (const auto& [uid, thread] : by_uid) {
    const std::string name =
        Printable(profile.String(profile.threads[thread].name));
    out.Format("  {}: {}{}{}\n", labels[thread], Text(totals[thread]),
               name.empty() ? "" : " ", name);
  }
  std::optional<StackId> stack;
  for (const ThreadLine& line : lines) {
    if (line.stack != stack) {
      stack = line.stack;
      book.WriteStack(profile.StackFrames(*stack), out);
    }
    WriteLine(labels[line.thread], line.counts, out);
  }
}

// Returns the stack and the values of each sample; in a comparison, each stack
// that has changed and by how much.
std::vector<std::pair<StackId, Values>> ShownValues(const Profile& profile) {
  std::vector<std::pair<StackId, Values>> shown;
  std::vector<size_t> index(profile.stacks.size());  // in `shown`, plus one
  for (const Sample& sample : profile.samples) {
    size_t& number = index[sample.stack.index()];
    if (number == 0 || !profile.is_comparison) {
      shown.emplace_back(sample.stack, Values());
      number = shown.size();
    }
    Values& values = shown[number - 1].second;
    if (sample.side == Side::kNew)
      values += sample.values;
    else
      values -= sample.values;
  }
  if (profile.is_comparison)
    std::erase_if(shown, [](const auto& row) { return row.second.AllZero(); });
  return shown;
}

// Writes a "heap profile:" dump. Returns true if values were rounded.
bool WriteUnscaledDump(const Profile& profile, const AddressTable& book,
                       ByteSink& out) {
  const auto shown = ShownValues(profile);
  RecordedCounts total;
  Counter counter;
  for (const auto& [stack, values] : shown) Add(counter.Next(values), total);
  out.Format("heap profile: {} @ heapprofile\n", Text(total));
  counter = {};
  for (const auto& [stack, values] : shown) {
    out.Format("{} ", Text(counter.Next(values)));
    book.WriteStack(profile.StackFrames(stack), out);
  }
  return counter.rounded();
}

}  // namespace

bool WriteRaw(const Profile& profile, ByteSink& out) {
  const AddressTable book(profile);
  out.Append("--- symbol\n");
  if (!profile.main_binary.IsNone())
    out.Format("binary={}\n", Printable(profile.String(profile.main_binary)));
  if (SharedSeeds(profile).IsPossible())
    out.Format("{}\n", kSharedSeedsComment);
  book.WriteSymbols(out);
  out.Append("---\n--- heap\n");
  if (const auto lines = ThreadLines(profile)) {
    WriteThreadedDump(profile, book, *lines, out);
    return false;
  }
  return WriteUnscaledDump(profile, book, out) ||
         !profile.thread_samples.empty();
}

}  // namespace heapprof
