// SPDX-License-Identifier: Apache-2.0
#include "parse/folded_parser.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/merge_samples.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/address_names.h"
#include "parse/describe_content.h"
#include "parse/dump_reader.h"
#include "parse/stack_reader.h"

namespace heapprof {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view WithoutLastBlanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// True for a line without a stack: an empty one or, as Austin writes it, a
// comment such as "# mode: memory".
bool IsWithoutStack(std::string_view line) {
  return WithoutLastBlanks(line).empty() ||
         (line.starts_with("# ") && !line.contains(';'));
}

// Returns the value of "4096", "-3", "0.5" or "1.5e+06"; nothing for other
// words and for what no process can hold.
std::optional<double> NumberIn(std::string_view word) {
  constexpr double kLimit = 0x1p63;
  const size_t sign = word.starts_with('-') ? 1 : 0;
  if (word.size() == sign || !IsDigit(word[sign])) return std::nullopt;
  const auto number = ParseNumber<double>(word);
  return number && std::abs(*number) < kLimit ? number : std::nullopt;
}

// Removes the number at the end of `text`, and the blank before it, and returns
// the number. A further blank belongs to the name, as in flamegraph.pl. Returns
// nothing, and changes nothing, if there is no number or nothing before it.
std::optional<double> TakeNumber(std::string_view& text) {
  const std::string_view line = WithoutLastBlanks(text);
  const size_t blank = line.find_last_of(kBlanks);
  if (blank == line.npos || blank == 0) return std::nullopt;
  const auto number = NumberIn(line.substr(blank + 1));
  if (number) text = line.substr(0, blank);
  return number;
}

// Returns how many numbers end the line, at most two.
int CountNumbers(std::string_view line) {
  if (!TakeNumber(line)) return 0;
  return TakeNumber(line) ? 2 : 1;
}

class FoldedParser {
 public:
  FoldedParser(std::string_view text, const std::string& name,
               const ParseOptions& options, Diagnostics& diagnostics)
      : cursor_(text),
        name_(name),
        metric_(options.metric),
        period_(std::max<uint64_t>(options.sample_period, 1)),
        has_two_columns_(HasTwoColumns(text)),
        diagnostics_(diagnostics) {}

  Result<Profile> Parse() && {
    while (const auto line = cursor_.Next())
      if (auto read = ReadLine(*line); !read)
        return std::unexpected(read.error());
    Profile& profile = builder_.profile();
    profile.sampling_period = period_;
    profile.has_inuse = !IsAccumulated(metric_);
    profile.has_accumulated = IsAccumulated(metric_);
    profile.has_object_counts = IsObjectCount(metric_);
    profile.is_symbolized = true;
    profile.may_be_trimmed = true;
    return std::move(builder_).Finish();
  }

 private:
  Result<void> ReadLine(std::string_view line) {
    std::string_view stack = line;
    if (IsWithoutStack(line)) return {};
    const auto now = TakeNumber(stack);
    const auto base = has_two_columns_ ? TakeNumber(stack) : std::optional(0.0);
    if (!now || !base || stack.size() > kLongestStack) {
      WarnMalformed(line);
      return {};
    }
    if (*now == 0 && *base == 0) return {};
    ReadFrames(stack);
    leaf_first_.assign(frames_.rbegin(), frames_.rend());
    const StackId id = builder_.InternStack(leaf_first_);
    AddSample(id, Side::kNew, *now);
    AddSample(id, Side::kBase, *base);
    if (builder_.profile().frames.size() > kMostFrames)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}:{}: more than {} frames in one file", name_,
                              cursor_.line_number(), kMostFrames));
    return {};
  }

  // Sets `frames_`. Lines are sorted as a rule, so that most begin with frames
  // of the line before; these are not looked up again.
  void ReadFrames(std::string_view stack) {
    const auto differs = std::ranges::mismatch(last_, stack).in1;
    const auto shared = static_cast<size_t>(differs - last_.begin());
    const auto kept = std::ranges::lower_bound(ends_, shared) - ends_.begin();
    frames_.resize(static_cast<size_t>(kept));
    ends_.resize(frames_.size());
    size_t start = ends_.empty() ? 0 : ends_.back() + 1;
    for (size_t end = 0; end != stack.size(); start = end + 1) {
      end = std::min(stack.find(';', start), stack.size());
      frames_.push_back(LocationOf(stack.substr(start, end - start)));
      ends_.push_back(end);
    }
    last_ = stack;
  }

  LocationId LocationOf(std::string_view frame) {
    const auto [it, added] = locations_.try_emplace(frame);
    if (!added) return it->second;
    const Line line = {
        .function = builder_.InternFunction(
            {.name = builder_.InternString(frame.empty() ? "??" : frame),
             .unresolved = StandsForAddress(frame)})};
    it->second = builder_.AddLocation(
        {.is_return_address = false, .lines = builder_.AddLines({&line, 1})});
    return it->second;
  }

  void AddSample(StackId stack, Side side, double value) {
    if (value == 0) return;
    Sample sample = {.stack = stack, .side = side};
    sample.values[metric_] =
        IsObjectCount(metric_)
            ? Estimate{value, 0}
            : WithVariance(0, value, static_cast<double>(period_)).bytes;
    builder_.AddSample(sample);
    sample_limit_.Enforce(builder_.profile().samples);
  }

  void WarnMalformed(std::string_view line) {
    diagnostics_.Warn(
        WarningKind::kMalformedRecord,
        fmt::format("{}:{}: expected 'frame;frame NUMBER{}' of at most {} "
                    "bytes, found '{:.60}'; the line is ignored",
                    name_, cursor_.line_number(),
                    has_two_columns_ ? " NUMBER" : "", kLongestStack, line));
  }

  LineCursor cursor_;
  const std::string& name_;
  const Metric metric_;
  const uint64_t period_;  // 1 if the values are exact
  const bool has_two_columns_;
  Diagnostics& diagnostics_;
  ProfileBuilder builder_;
  SampleLimit sample_limit_;
  // By name.
  std::unordered_map<std::string_view, LocationId, RandomHash> locations_;
  // The stack of the last line, its frames, root first, and where in the text
  // each of them ends.
  std::string_view last_;
  std::vector<LocationId> frames_;
  std::vector<size_t> ends_;
  std::vector<LocationId> leaf_first_;
};

}  // namespace

bool LooksFolded(std::string_view bytes) {
  constexpr size_t kLookedAt = 4096;
  bool is_folded = false;
  LineCursor cursor(bytes);
  while (const auto line = cursor.Next()) {
    if (cursor.line_offset() >= kLookedAt) break;
    const bool may_be_cut = !cursor.terminated();
    if (may_be_cut && is_folded) break;
    if (IsWithoutStack(*line)) continue;
    const bool is_stack =
        CountNumbers(*line) > 0 ||
        (may_be_cut && line->size() >= kLookedAt && line->contains(';'));
    if (!is_stack || !IsText(*line) || ParseMapLine(*line)) return false;
    is_folded = true;
  }
  return is_folded;
}

bool HasTwoColumns(std::string_view text) {
  bool has_two = false;
  LineCursor cursor(text);
  while (const auto line = cursor.Next()) {
    if (IsWithoutStack(*line)) continue;
    const int numbers = CountNumbers(*line);
    if (numbers == 1 && cursor.terminated()) return false;
    has_two |= numbers == 2;
  }
  return has_two;
}

Result<Profile> ParseFolded(std::string_view text, const std::string& name,
                            const ParseOptions& options,
                            Diagnostics& diagnostics) {
  if (options.min_age != 0) return LacksAges(name);
  return FoldedParser(text, name, options, diagnostics).Parse();
}

}  // namespace heapprof
