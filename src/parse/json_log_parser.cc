// SPDX-License-Identifier: Apache-2.0
#include "parse/json_log_parser.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/parse/mapping_assigner.h"
#include "heapprof/parse/recent_allocations.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/describe_content.h"
#include "parse/lenient_json.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

// What matters of an allocation.
struct Entry {
  uint64_t trace = 0;  // index of a stack trace
  uint64_t thread = 0;
  uint64_t usize = 0;
  Lifetime lifetime = Lifetime::kUnknown;

  auto operator<=>(const Entry&) const = default;
};

// The time of an allocation and that of its end, in nanoseconds of an unknown
// clock.
struct Times {
  std::optional<uint64_t> start = {};
  std::optional<uint64_t> end = {};

  Lifetime Between() const {
    return start && end && *end >= *start ? LifetimeOf(*end - *start)
                                          : Lifetime::kUnknown;
  }
};

class JsonLogParser {
 public:
  JsonLogParser(std::string_view text, const std::string& name,
                Diagnostics& diagnostics)
      : text_(text), in_(text), name_(name), diagnostics_(diagnostics) {}

  // Keeps the single allocations of prof_recent, too.
  Result<RecentLog> ParseRecent(const MemoryMap* maps) {
    RecentLog log;
    kept_ = &log.allocations;
    auto profile = Parse(maps);
    if (!profile) return std::unexpected(profile.error());
    if (!is_recent_)
      return Fail(ErrorKind::kOtherFormat,
                  fmt::format("{}: expected jemalloc's prof_recent, found its "
                              "prof_log, which lacks live objects",
                              name_));
    if (!is_whole_)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: expected the whole list of recent "
                              "allocations, found damage at byte {}",
                              name_, in_.offset()));
    log.profile = *std::move(profile);
    return log;
  }

  Result<Profile> Parse(const MemoryMap* maps) {
    is_whole_ =
        in_.Members([this](std::string_view key) { return ReadSection(key); });
    if (period_ == 0 || (!is_log_ && !is_recent_)) return NotAnAllocationLog();
    if (!is_whole_)
      diagnostics_.Warn(
          WarningKind::kTruncated,
          fmt::format(
              "{}: damaged or truncated at byte {}; the rest is ignored", name_,
              in_.offset()));
    Build();
    if (maps == nullptr) {
      diagnostics_.Warn(WarningKind::kNoMemoryMap,
                        fmt::format("{}: no memory map, so its addresses "
                                    "cannot be named without --maps",
                                    name_));
    } else {
      AssignMappings(*maps, builder_);
    }
    return std::move(builder_).Finish();
  }

 private:
  std::unexpected<Error> NotAnAllocationLog() const {
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected jemalloc's prof_log or prof_recent, "
                            "found {}",
                            name_, DescribeJson(text_)));
  }

  bool ReadSection(std::string_view key) {
    if (key == "info") return ReadInfo();
    if (key == "sample_interval") return ReadNumber(period_);
    if (key == "threads") return ReadThreads();
    if (key == "stack_traces")
      return in_.Elements([this] {
        const auto stack = ReadStack();
        if (stack) stacks_.push_back(*stack);
        return stack.has_value();
      });
    if (key == "allocations") {
      is_log_ = true;
      return in_.Elements([this] { return ReadAllocation(); });
    }
    if (key == "recent_alloc") {
      is_recent_ = true;
      return in_.Elements([this] { return ReadRecent(); });
    }
    return in_.Skip();
  }

  bool ReadNumber(uint64_t& value) {
    const auto number = in_.Number();
    value = number.value_or(value);
    return number.has_value();
  }

  bool ReadTime(std::optional<uint64_t>& time) {
    time = in_.Number();
    return time.has_value();
  }

  bool ReadInfo() {
    return in_.Members([this](std::string_view key) {
      if (key != "lg_sample_rate") return in_.Skip();
      uint64_t shift = 0;
      constexpr uint64_t kBits = 63;
      if (!ReadNumber(shift) || shift > kBits) return false;
      period_ = uint64_t{1} << shift;
      return true;
    });
  }

  bool ReadThreads() {
    return in_.Elements([this] {
      uint64_t uid = 0;
      std::string_view thread_name;
      const bool whole = in_.Members([&](std::string_view key) {
        if (key == "thr_uid") return ReadNumber(uid);
        if (key != "thr_name") return in_.Skip();
        const auto text = in_.String();
        thread_name = text.value_or("");
        return text.has_value();
      });
      if (whole) threads_.push_back(builder_.InternThread(uid, thread_name));
      return whole;
    });
  }

  std::optional<StackId> ReadStack() {
    std::vector<LocationId> frames;
    const bool whole = in_.Elements([this, &frames] {
      const auto text = in_.String();
      TextScanner digits(text.value_or(""));
      const auto address = digits.Eat("0x") ? digits.Hex() : std::nullopt;
      frames.push_back(builder_.InternAddress(address.value_or(0),
                                              /*is_return_address=*/true));
      return address.has_value() && digits.AtEnd();
    });
    if (!whole) return std::nullopt;
    return builder_.InternStack(frames);
  }

  // Returns the index of `id` in `list`; adds it if it is not in `known`.
  template <typename T>
  static uint64_t IndexIn(std::vector<T>& list, T id,
                          std::unordered_map<T, uint64_t>& known) {
    const auto [it, added] = known.try_emplace(id, list.size());
    if (added) list.push_back(id);
    return it->second;
  }

  bool ReadAllocation() {
    Entry entry;
    Times times;
    const bool whole = in_.Members([&](std::string_view key) {
      if (key == "alloc_thread") return ReadNumber(entry.thread);
      if (key == "alloc_trace") return ReadNumber(entry.trace);
      if (key == "usize") return ReadNumber(entry.usize);
      if (key == "alloc_timestamp") return ReadTime(times.start);
      if (key == "free_timestamp") return ReadTime(times.end);
      return in_.Skip();
    });
    entry.lifetime = times.Between();
    if (whole) ++entries_[entry];
    return whole;
  }

  bool ReadRecent() {
    Entry entry;
    Times times;
    bool is_released = false;
    uint64_t uid = 0;
    std::string_view thread_name;
    std::optional<StackId> stack;
    const bool whole = in_.Members([&](std::string_view key) {
      if (key == "usize") return ReadNumber(entry.usize);
      if (key == "alloc_time") return ReadTime(times.start);
      if (key == "dalloc_time") return ReadTime(times.end);
      if (key == "alloc_thread_uid") return ReadNumber(uid);
      if (key == "released") {
        is_released = in_.Peek() == 't';
        return in_.Skip();
      }
      if (key == "alloc_thread_name") {
        const auto text = in_.String();
        thread_name = text.value_or("");
        return text.has_value();
      }
      if (key != "alloc_trace") return in_.Skip();
      stack = ReadStack();
      return stack.has_value();
    });
    if (!whole || !stack) return whole;
    entry.trace = IndexIn(stacks_, *stack, recent_stacks_);
    entry.thread = IndexIn(threads_, builder_.InternThread(uid, thread_name),
                           recent_threads_);
    entry.lifetime = is_released ? times.Between() : Lifetime::kLive;
    ++entries_[entry];
    if (kept_ != nullptr) Keep(*stack, uid, entry.usize, times, is_released);
    return true;
  }

  // An object whose end has no time went at an unknown one: the end of the log.
  void Keep(StackId stack, uint64_t uid, uint64_t size, const Times& times,
            bool is_released) {
    constexpr uint64_t kLast = RecentAllocation::kNever - 1;
    const uint64_t start = std::min(times.start.value_or(0), kLast);
    const uint64_t end = std::clamp(times.end.value_or(kLast), start, kLast);
    kept_->push_back({.stack = stack,
                      .thread_uid = uid,
                      .size = size,
                      .allocated = start,
                      .freed = is_released ? end : RecentAllocation::kNever});
  }

  // The values of `count` equal allocations.
  Values ValuesOf(const Entry& entry, uint64_t count) const {
    const auto objects = static_cast<double>(count);
    const Unbiased all =
        Unbias(objects, objects * static_cast<double>(entry.usize),
               static_cast<double>(period_));
    Values values;
    values[Metric::kAllocObjects] = all.objects;
    values[Metric::kAllocSpace] = all.bytes;
    if (entry.lifetime == Lifetime::kLive) {
      values[Metric::kInuseObjects] = all.objects;
      values[Metric::kInuseSpace] = all.bytes;
    }
    return values;
  }

  void Build() {
    std::map<std::pair<uint64_t, Lifetime>, Values> by_stack;
    std::map<std::pair<uint64_t, ThreadId>, Values> by_thread;
    for (const auto& [entry, count] : entries_) {
      if (entry.trace >= stacks_.size() || entry.thread >= threads_.size()) {
        diagnostics_.Warn(WarningKind::kMalformedRecord,
                          fmt::format("{}: an allocation refers to trace {} of "
                                      "{} and thread {} of {}; it is ignored",
                                      name_, entry.trace, stacks_.size(),
                                      entry.thread, threads_.size()));
        continue;
      }
      const Values values = ValuesOf(entry, count);
      by_stack[{entry.trace, entry.lifetime}] += values;
      by_thread[{entry.trace, threads_[entry.thread]}] += values;
    }
    for (const auto& [key, values] : by_stack)
      builder_.AddSample({.stack = stacks_[key.first],
                          .lifetime = key.second,
                          .values = values});
    for (const auto& [key, values] : by_thread)
      builder_.AddThreadSample({.stack = stacks_[key.first],
                                .thread = key.second,
                                .values = values});
    builder_.profile().sampling_period = period_;
    builder_.profile().has_accumulated = !entries_.empty();
    // A prof_log lists only freed objects, so live objects are unknown.
    builder_.profile().has_inuse = is_recent_;
  }

  std::string_view text_;
  LenientJson in_;
  const std::string& name_;
  Diagnostics& diagnostics_;
  ProfileBuilder builder_;
  uint64_t period_ = 0;
  bool is_log_ = false;
  bool is_recent_ = false;
  bool is_whole_ = false;
  std::vector<RecentAllocation>* kept_ = nullptr;  // null: they are not kept
  std::vector<ThreadId> threads_;
  std::vector<StackId> stacks_;
  // The indices of what "recent_alloc" has added to the two above.
  std::unordered_map<ThreadId, uint64_t> recent_threads_;
  std::unordered_map<StackId, uint64_t> recent_stacks_;
  std::map<Entry, uint64_t> entries_;  // how many equal ones there are
};

}  // namespace

Result<Profile> ParseJsonLog(std::string_view text, const std::string& name,
                             const MemoryMap* maps, Diagnostics& diagnostics) {
  return JsonLogParser(text, name, diagnostics).Parse(maps);
}

Result<RecentLog> ParseRecentLog(std::string_view bytes,
                                 const std::string& name, const MemoryMap* maps,
                                 Diagnostics& diagnostics) {
  if (!LenientJson(bytes).Eat('{'))
    return Fail(ErrorKind::kOtherFormat,
                fmt::format("{}: expected jemalloc's prof_recent, in JSON, "
                            "found '{:.40}'",
                            name, bytes));
  return JsonLogParser(bytes, name, diagnostics).ParseRecent(maps);
}

}  // namespace heapprof
