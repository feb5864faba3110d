// SPDX-License-Identifier: Apache-2.0
#include "parse/json_log_parser.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/parse/mapping_assigner.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/lenient_json.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

struct Entry {
  uint64_t trace = 0;  // index of a stack trace
  uint64_t thread = 0;
  uint64_t usize = 0;
  bool released = false;
  std::optional<uint64_t> start = {};  // in nanoseconds of an unknown clock
  std::optional<uint64_t> end = {};

  Lifetime LifetimeOfAllocation() const {
    if (!released) return Lifetime::kLive;
    return start && end && *end >= *start ? LifetimeOf(*end - *start)
                                          : Lifetime::kUnknown;
  }
};

class JsonLogParser {
 public:
  JsonLogParser(std::string_view text, const std::string& name,
                Diagnostics& diagnostics)
      : in_(text), name_(name), diagnostics_(diagnostics) {}

  Result<Profile> Parse(const MemoryMap* maps) {
    const bool whole =
        in_.Members([this](std::string_view key) { return ReadSection(key); });
    if (period_ == 0 || (!is_log_ && !is_recent_)) return NotAnAllocationLog();
    if (!whole)
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
                            "found another JSON file",
                            name_));
  }

  bool ReadSection(std::string_view key) {
    if (key == "info") return ReadInfo();
    if (key == "sample_interval") return ReadNumber(period_);
    if (key == "threads") return ReadThreads();
    if (key == "stack_traces")
      return in_.Elements([this] { return ReadTrace().has_value(); });
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

  // Reads a stack trace and returns its index in stacks_.
  std::optional<uint64_t> ReadTrace() {
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
    stacks_.push_back(builder_.AddStack(frames));
    return stacks_.size() - 1;
  }

  bool ReadAllocation() {
    Entry entry = {.released = true};
    const bool whole = in_.Members([&](std::string_view key) {
      if (key == "alloc_thread") return ReadNumber(entry.thread);
      if (key == "alloc_trace") return ReadNumber(entry.trace);
      if (key == "usize") return ReadNumber(entry.usize);
      if (key == "alloc_timestamp") return ReadTime(entry.start);
      if (key == "free_timestamp") return ReadTime(entry.end);
      return in_.Skip();
    });
    if (whole) entries_.push_back(entry);
    return whole;
  }

  bool ReadRecent() {
    Entry entry;
    uint64_t uid = 0;
    std::string_view thread_name;
    std::optional<uint64_t> trace;
    const bool whole = in_.Members([&](std::string_view key) {
      if (key == "usize") return ReadNumber(entry.usize);
      if (key == "alloc_time") return ReadTime(entry.start);
      if (key == "dalloc_time") return ReadTime(entry.end);
      if (key == "alloc_thread_uid") return ReadNumber(uid);
      if (key == "released") {
        entry.released = in_.Peek() == 't';
        return in_.Skip();
      }
      if (key == "alloc_thread_name") {
        const auto text = in_.String();
        thread_name = text.value_or("");
        return text.has_value();
      }
      if (key != "alloc_trace") return in_.Skip();
      trace = ReadTrace();
      return trace.has_value();
    });
    if (!whole || !trace) return whole;
    entry.trace = *trace;
    entry.thread = threads_.size();
    threads_.push_back(builder_.InternThread(uid, thread_name));
    entries_.push_back(entry);
    return true;
  }

  Values ValuesOf(const Entry& entry) const {
    const Unbiased one = Unbias(1, static_cast<double>(entry.usize),
                                static_cast<double>(period_));
    Values values;
    values[Metric::kAllocObjects] = one.objects;
    values[Metric::kAllocSpace] = one.bytes;
    if (!entry.released) {
      values[Metric::kInuseObjects] = one.objects;
      values[Metric::kInuseSpace] = one.bytes;
    }
    return values;
  }

  void Build() {
    std::map<std::pair<uint64_t, Lifetime>, Values> by_stack;
    std::map<std::pair<uint64_t, ThreadId>, Values> by_thread;
    for (const Entry& entry : entries_) {
      if (entry.trace >= stacks_.size() || entry.thread >= threads_.size()) {
        diagnostics_.Warn(WarningKind::kMalformedRecord,
                          fmt::format("{}: an allocation refers to trace {} of "
                                      "{} and thread {} of {}; it is ignored",
                                      name_, entry.trace, stacks_.size(),
                                      entry.thread, threads_.size()));
        continue;
      }
      const Values values = ValuesOf(entry);
      by_stack[{entry.trace, entry.LifetimeOfAllocation()}] += values;
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

  LenientJson in_;
  const std::string& name_;
  Diagnostics& diagnostics_;
  ProfileBuilder builder_;
  uint64_t period_ = 0;
  bool is_log_ = false;
  bool is_recent_ = false;
  std::vector<ThreadId> threads_;
  std::vector<StackId> stacks_;
  std::vector<Entry> entries_;
};

}  // namespace

Result<Profile> ParseJsonLog(std::string_view text, const std::string& name,
                             const MemoryMap* maps, Diagnostics& diagnostics) {
  return JsonLogParser(text, name, diagnostics).Parse(maps);
}

}  // namespace heapprof
