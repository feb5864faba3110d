// SPDX-License-Identifier: Apache-2.0
#include "parse/heap_v2_parser.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/mapping_assigner.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

constexpr std::string_view kHeader = "heap_v2/";
constexpr std::string_view kMapsMarker = "MAPPED_LIBRARIES:";
constexpr std::string_view kOldMapsMarker = "--- Memory map:";
// jemalloc 4.0 to 5.2.1 formats a header line in a buffer of this many
// characters; a longer thread name loses its tail and the newline with it.
constexpr size_t kGluedLineLength = 127;

// "<objects>: <bytes> [<accumulated objects>: <accumulated bytes>]"
struct Counts {
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t accumulated_objects = 0;
  uint64_t accumulated_bytes = 0;
};

std::optional<Counts> ReadCounts(TextScanner& in) {
  const auto number = [&in](char end) -> std::optional<uint64_t> {
    in.SkipBlanks();
    const auto value = in.Decimal();
    in.SkipBlanks();
    if (end != '\0' && !in.Eat(end)) return std::nullopt;
    return value;
  };
  const auto objects = number(':');
  const auto bytes = objects ? number('\0') : std::nullopt;
  if (!bytes) return std::nullopt;
  // Without prof_accum, which is the default, every line has this tail.
  if (in.Eat("[0: 0]")) return Counts{*objects, *bytes, 0, 0};
  if (!in.Eat('[')) return std::nullopt;
  const auto accumulated_objects = number(':');
  const auto accumulated_bytes =
      accumulated_objects ? number(']') : std::nullopt;
  if (!accumulated_bytes) return std::nullopt;
  return Counts{*objects, *bytes, *accumulated_objects, *accumulated_bytes};
}

// No process holds 2^63 bytes: such a count is an underflow in the allocator.
// Objects without bytes, or bytes without objects, cannot be unbiased.
bool IsPlausible(uint64_t objects, uint64_t bytes) {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  return (objects == 0) == (bytes == 0) && objects < kLimit && bytes < kLimit;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, size_t first_line,
         FrameAddresses addresses, Diagnostics& diagnostics)
      : cursor_(text),
        name_(name),
        first_line_(first_line),
        addresses_(addresses),
        diagnostics_(diagnostics) {
    // A frame takes 10 to 19 characters, a record some hundred. Memory that
    // is reserved but not used costs nothing, growing would copy it all.
    Profile& profile = builder_.profile();
    profile.frames.reserve(text.size() / 16);
    profile.samples.reserve(text.size() / 400);
    profile.thread_samples.reserve(text.size() / 200);
  }

  Result<Profile> Parse() {
    if (auto header = ReadHeader(); !header)
      return std::unexpected(header.error());
    bool has_maps = false;
    while (const auto line = cursor_.Next()) {
      if (!cursor_.terminated()) {
        WarnTruncated("this incomplete line");
        break;
      }
      has_maps = IsMapsMarker(*line);
      if (has_maps) break;
      if (auto read = ReadLine(*line); !read)
        return std::unexpected(read.error());
    }
    EndRecord(/*at_end_of_file=*/!has_maps);
    ReadMaps(has_maps);
    return std::move(builder_).Finish();
  }

 private:
  struct CachedUnbias {
    uint64_t objects = 0;
    uint64_t bytes = 0;
    Unbiased result;
  };

  static constexpr int kCacheBits = 8;

  static size_t CacheSlot(uint64_t objects, uint64_t bytes) {
    constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    const uint64_t mixed = (objects ^ std::rotl(bytes, 32)) * kGoldenRatio;
    return static_cast<size_t>(mixed >> (64 - kCacheBits));
  }
  static bool IsMapsMarker(std::string_view line) {
    return line.starts_with(kMapsMarker) || line.starts_with(kOldMapsMarker);
  }
  size_t LineNumber() const { return first_line_ + cursor_.line_number() - 1; }

  Result<void> ReadHeader() {
    const auto line = cursor_.Next().value_or("");
    TextScanner in(line);
    const auto period = in.Eat(kHeader) ? in.Decimal() : std::nullopt;
    if (!period || *period == 0 || !in.AtEnd()) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}:{}: expected 'heap_v2/<sampling period>', "
                              "found '{:.60}'",
                              name_, LineNumber(), line));
    }
    builder_.profile().sampling_period = *period;
    if (!cursor_.terminated()) WarnTruncated("everything behind its header");
    return {};
  }

  Result<void> ReadLine(std::string_view line) {
    TextScanner in(line);
    in.SkipBlanks();
    if (in.AtEnd()) return {};
    if (in_header_) return ReadHeaderLine(line);
    if (in.Eat('@')) {
      EndRecord(/*at_end_of_file=*/false);
      return ReadStack(in);
    }
    if (!in.Eat('t')) {
      WarnMalformed(line);
    } else {
      ReadCountLine(in, line);
    }
    return {};
  }

  // The header lines of threads, several of them in one line if names were
  // too long: the tail of each glued line is looked at in turn.
  Result<void> ReadHeaderLine(std::string_view line) {
    while (!line.empty()) {
      TextScanner in(line);
      in.SkipBlanks();
      if (in.Eat('@')) return ReadStack(in);
      if (!in.Eat('t')) {
        WarnMalformed(line);
        return {};
      }
      const std::string_view next = GluedTail(line);
      ReadHeaderThread(in, line, next.size());
      line = next;
    }
    return {};
  }

  static std::string_view GluedTail(std::string_view line) {
    if (line.size() <= kGluedLineLength) return {};
    const std::string_view tail = line.substr(kGluedLineLength);
    const bool is_line =
        tail.starts_with("  t") || tail.starts_with("@ ") || tail == "@";
    return is_line ? tail : std::string_view();
  }

  // "t1: 36: 33517 [0: 0] worker one" before the first record. Only the name,
  // which ends before the `tail_size` last characters, counts: header values
  // of current jemalloc versions do not add up.
  void ReadHeaderThread(TextScanner in, std::string_view line,
                        size_t tail_size) {
    if (in.Eat('*')) return;
    const auto uid = in.Decimal();
    if (!uid || !in.Eat(':') || !ReadCounts(in)) return WarnMalformed(line);
    in.Eat(' ');
    std::string_view name = in.Rest();
    name.remove_suffix(std::min(tail_size, name.size()));
    threads_[*uid] = builder_.InternThread(*uid, name);
  }

  Result<void> ReadStack(TextScanner in) {
    in_header_ = false;
    record_line_ = LineNumber();
    if (!ReadAddresses(in)) {
      record_ = Record::kSkipped;
      diagnostics_.Warn(
          "malformed record",
          fmt::format("{}:{}: expected an address, found '{:.40}'; the "
                      "record is left out",
                      name_, LineNumber(), in.Rest()));
      return {};
    }
    builder_.AppendAddresses(
        stack_addresses_,
        /*is_return_address=*/addresses_ == FrameAddresses::kReturnAddresses);
    constexpr size_t kMostFrames = std::numeric_limits<uint32_t>::max() / 2;
    if (builder_.profile().frames.size() > kMostFrames) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}:{}: more than {} frames in one dump", name_,
                              LineNumber(), kMostFrames));
    }
    record_ = Record::kOpen;
    return {};
  }

  // Reads " 0x1 0x2" to the end of the line; false, with `in` at the trouble,
  // if something else is there.
  bool ReadAddresses(TextScanner& in) {
    stack_addresses_.clear();
    for (in.SkipBlanks(); !in.AtEnd(); in.SkipBlanks()) {
      const auto address = in.Eat("0x") ? in.Hex() : std::nullopt;
      if (!address || (!in.AtEnd() && in.Peek() != ' ')) return false;
      stack_addresses_.push_back(*address);
    }
    if (addresses_ == FrameAddresses::kSymbolizedKeys)
      for (uint64_t& address : stack_addresses_ | std::views::drop(1))
        if (address != 0) --address;
    return true;
  }

  // A record without a "t*" line has no value: it was cut, or is damaged.
  void EndRecord(bool at_end_of_file) {
    if (record_ == Record::kOpen) {
      builder_.AbandonStack();
      if (!at_end_of_file) {
        diagnostics_.Warn("malformed record",
                          fmt::format("{}:{}: the record has no 't*' line and "
                                      "is left out",
                                      name_, record_line_));
      } else if (!truncated_) {
        WarnTruncated("its last record");
      }
    }
    pending_threads_.clear();
    record_ = Record::kNone;
  }

  void ReadCountLine(TextScanner in, std::string_view line) {
    const bool is_total = in.Eat('*');
    const auto uid = is_total ? std::optional<uint64_t>(0) : in.Decimal();
    if (!uid || !in.Eat(':')) return WarnMalformed(line);
    const auto counts = ReadCounts(in);
    if (!counts) return WarnMalformed(line);
    if (record_ == Record::kSkipped) return;
    const Values values = Estimates(*counts);
    if (!is_total) {
      AddThread(*uid, values);
      return;
    }
    if (record_ == Record::kOpen) {
      stack_ = builder_.CloseStack();
      record_ = Record::kClosed;
      for (Sample& sample : pending_threads_) {
        sample.stack = stack_;
        builder_.AddThreadSample(sample);
      }
      pending_threads_.clear();
    }
    if (!values.AllZero())
      builder_.AddSample({.stack = stack_, .values = values});
  }

  void AddThread(uint64_t uid, const Values& values) {
    if (values.AllZero()) return;
    auto [it, added] = threads_.try_emplace(uid);
    if (added) it->second = builder_.InternThread(uid, "");
    const Sample sample = {
        .stack = stack_, .thread = it->second, .values = values};
    if (record_ == Record::kClosed) {
      builder_.AddThreadSample(sample);
    } else {
      pending_threads_.push_back(sample);
    }
  }

  Values Estimates(const Counts& counts) {
    const Unbiased current = Estimate(counts.objects, counts.bytes);
    const Unbiased accumulated =
        Estimate(counts.accumulated_objects, counts.accumulated_bytes);
    if (counts.accumulated_objects != 0)
      builder_.profile().has_accumulated = true;
    return {{current.objects, current.bytes, accumulated.objects,
             accumulated.bytes}};
  }

  // Pairs recur: "t*" and the only thread, few samples of a usual size.
  Unbiased Estimate(uint64_t objects, uint64_t bytes) {
    if (objects == 0 && bytes == 0) return {};
    CachedUnbias& cache = cache_[CacheSlot(objects, bytes)];
    if (objects == cache.objects && bytes == cache.bytes) return cache.result;
    if (!IsPlausible(objects, bytes)) {
      diagnostics_.Warn(
          "implausible count",
          fmt::format("{}:{}: {} objects of {} bytes are impossible; the "
                      "values are left out",
                      name_, LineNumber(), objects, bytes));
      return {};
    }
    cache = {objects, bytes,
             Unbias(static_cast<double>(objects), static_cast<double>(bytes),
                    static_cast<double>(builder_.profile().sampling_period))};
    return cache.result;
  }

  void ReadMaps(bool has_maps) {
    // A symbolized file brings the names instead.
    if (!has_maps && addresses_ == FrameAddresses::kSymbolizedKeys) return;
    if (!has_maps) {
      diagnostics_.Warn("no memory map",
                        fmt::format("{}: has no MAPPED_LIBRARIES section: its "
                                    "addresses cannot be named",
                                    name_));
      return;
    }
    const std::string_view text = cursor_.rest();
    if (!text.empty() && !text.ends_with('\n'))
      WarnTruncated("the last line of its memory map");
    AssignMappings(MemoryMap::Parse(text, name_, diagnostics_), builder_);
  }

  void WarnMalformed(std::string_view line) {
    diagnostics_.Warn("malformed line",
                      fmt::format("{}:{}: expected '@ <addresses>' or 't<id>: "
                                  "<objects>: <bytes> [<objects>: <bytes>]', "
                                  "found '{:.60}'",
                                  name_, LineNumber(), line));
  }
  void WarnTruncated(std::string_view lost) {
    truncated_ = true;
    diagnostics_.Warn("truncated",
                      fmt::format("{}:{}: the dump is truncated; {} is left "
                                  "out",
                                  name_, LineNumber(), lost));
  }

  enum class Record {
    kNone,     // before the first record
    kOpen,     // frames read, no "t*" line yet
    kClosed,   // has its stack
    kSkipped,  // damaged: its counts are ignored
  };

  LineCursor cursor_;
  const std::string& name_;
  size_t first_line_;
  FrameAddresses addresses_;
  Diagnostics& diagnostics_;
  ProfileBuilder builder_;
  std::unordered_map<uint64_t, ThreadId> threads_;
  std::vector<uint64_t> stack_addresses_;
  std::vector<Sample> pending_threads_;  // thread lines before the "t*" line
  std::array<CachedUnbias, size_t{1} << kCacheBits> cache_;
  StackId stack_;
  Record record_ = Record::kNone;
  size_t record_line_ = 0;
  bool in_header_ = true;
  bool truncated_ = false;
};

}  // namespace

Result<Profile> ParseHeapV2(std::string_view text, const std::string& name,
                            size_t first_line, FrameAddresses addresses,
                            Diagnostics& diagnostics) {
  return Parser(text, name, first_line, addresses, diagnostics).Parse();
}

}  // namespace heapprof
