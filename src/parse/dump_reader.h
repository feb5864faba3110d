// SPDX-License-Identifier: Apache-2.0
//
// The common part of the parsers for text dumps: reads counts and scales them,
// reads stacks and the memory map, and reports damage. Each parser owns one
// reader and reads the lines of its format with it.
//
// A text dump has a header, then records, then a memory map. A record is one
// stack with its counts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/base/hash.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/parse/parse_options.h"
#include "heapprof/profile/merge_samples.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/stack_reader.h"
#include "parse/text_scanner.h"

namespace heapprof {

// A dump, its place in its file, and the options for its parser.
struct DumpSource {
  std::string_view text;
  const std::string& name;  // of the file, for messages
  size_t first_line = 1;    // number of the dump's first line in the file
  FrameAddresses addresses = FrameAddresses::kReturnAddresses;
  const ParseOptions& options;
};

// The error for ParseOptions::min_age if the ages of objects are unknown.
std::unexpected<Error> LacksAges(const std::string& name);

struct Count {
  uint64_t objects = 0;
  uint64_t bytes = 0;
  bool negative = false;  // both counts are negative
};

// The counts of one line:
//   "<objects>: <bytes> [<accumulated objects>: <accumulated bytes>]"
struct Counts {
  Count current;
  Count accumulated;
};

enum class Signs : uint8_t { kRejected, kAccepted };

// Reads the counts of one line. Returns nothing if the text does not have the
// form that is shown at Counts.
inline std::optional<Counts> ReadCounts(TextScanner& in, Signs signs) {
  const auto number = [&in, signs](Count& count) {
    in.SkipBlanks();
    if (signs == Signs::kAccepted && in.Eat('-')) count.negative = true;
    const auto value = in.Decimal();
    in.SkipBlanks();
    return value;
  };
  const auto pair = [&in, &number](Count& count) {
    const auto objects = number(count);
    if (!objects || !in.Eat(':')) return false;
    const auto bytes = number(count);
    if (!bytes) return false;
    count.objects = *objects;
    count.bytes = *bytes;
    return true;
  };
  Counts counts;
  if (!pair(counts.current)) return std::nullopt;
  // Try the usual case first. Unless jemalloc's option prof_accum is set, which
  // is rare, every line ends like this.
  if (in.Eat("[0: 0]")) return counts;
  if (!in.Eat('[') || !pair(counts.accumulated) || !in.Eat(']'))
    return std::nullopt;
  return counts;
}

class DumpReader {
 public:
  DumpReader(const DumpSource& source, Diagnostics& diagnostics);

  // Makes room for the rows of `text`: more than the own text if Append() will
  // add the rows of the rest. Call it before reading.
  void ReserveRows(std::string_view text);

  static bool IsMapsMarker(std::string_view line);

  LineCursor& cursor() { return cursor_; }
  ProfileBuilder& builder() { return builder_; }
  const ProfileBuilder& builder() const { return builder_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  const ParseOptions& options() const { return source_.options; }
  const std::string& name() const { return source_.name; }
  size_t LineNumber() const {
    return source_.first_line + cursor_.line_number() - 1;
  }
  bool truncated() const { return truncated_; }
  bool is_symbolized() const {
    return source_.addresses == FrameAddresses::kSymbolizedKeys;
  }

  // Calls `read_header`, then `read_line` for each line of the records. Stops
  // at the first error.
  template <typename ReadHeader, typename ReadLine>
  Result<void> ReadRecords(ReadHeader read_header, ReadLine read_line) {
    if (auto header = read_header(); !header) return header;
    while (const auto line = NextRecordLine())
      if (auto read = read_line(*line); !read) return read;
    return {};
  }
  // Returns the next line of the records; nothing at their end. The records end
  // at the line that begins the memory map, or where the file is truncated.
  std::optional<std::string_view> NextRecordLine();

  // Sets how counts are scaled from now on. `period` is the sampling period in
  // bytes; Scaling::kNone does not use it.
  void SetScaling(Scaling scaling, double period);
  Values Estimates(const Counts& counts);

  // Reads " 0x1 0x2" to the end of the line and appends the frames to the
  // builder's open stack. If the line contains something else, warns that the
  // record is ignored and returns false. Too many frames are an error.
  Result<bool> ReadStack(TextScanner in);

  // Closes the builder's open stack. Returns an equal stack instead if the dump
  // repeats its stacks, which would take too much memory. Allocators write each
  // stack once, and looking for each would take a tenth of the time of reading
  // a dump. Therefore some of the stacks are compared now and then.
  StackId CloseStack();

  // Handles a line of the records that the format does not have. If it is text,
  // it may be from a later version of the format, and is only counted. If it is
  // not, the dump is damaged: warns that `expected` was expected.
  void IgnoreUnknownLine(std::string_view line, std::string_view expected);
  // Warns that the line is malformed.
  void WarnMalformed(std::string_view line, std::string_view expected);

  // Adds a sample to the profile. Equal samples may be added up; see
  // SampleLimit.
  void AddSample(const Sample& sample) {
    builder_.AddSample(sample);
    sample_limit_.Enforce(builder_.profile().samples);
  }
  void AddThreadSample(const Sample& sample) {
    builder_.AddThreadSample(sample);
    thread_sample_limit_.Enforce(builder_.profile().thread_samples);
  }

  // Call the following functions only after the last record line.

  // Notes what WouldHaveAddedUp() must know of the samples. Call it before
  // Append(), for both readers, where the samples were read: they are still in
  // the processor's cache. (Those of threads are not in order before Append()
  // has numbered the threads.)
  void CheckSamples() { are_merged_ = AreMerged(builder_.profile().samples); }
  // Adds what `next` has read from the text that follows this one's, and goes
  // on where `next` ended. Returns false and adds nothing if there would be too
  // many frames. Uses up to `jobs` threads.
  bool Append(const DumpReader& next, unsigned jobs);
  // True if equal stacks or samples have been added up.
  bool HasAddedUp() const {
    return repeats_stacks_ || sample_limit_.has_changed() ||
           thread_sample_limit_.has_changed();
  }
  // True if a reader that has read all that Append() has added would have added
  // up some of it.
  bool WouldHaveAddedUp(unsigned jobs) const;

  // Says in a note how many lines IgnoreUnknownLine() has counted.
  void NoteUnknownLines();

  // True if the records ended at the line that begins the memory map.
  bool has_maps() const { return has_maps_; }

  // Gives the locations their mappings. Uses the memory map that follows the
  // records, or ParseOptions::maps if that map is missing or truncated.
  void ReadMaps();

  // Warns that the dump is truncated if the bytes of its records add up to much
  // less than `header` states. Does nothing if a memory map follows the
  // records, because then the records are complete.
  //
  // Compares estimates instead of counts. In dumps of jemalloc 5.3.0, the
  // records' counts do not add up to the header's counts, but the records'
  // estimates add up to the header's estimate, apart from rounding. In dumps of
  // older versions, the counts add up, and the header's estimate is never
  // larger than the sum of the records' estimates.
  void CheckTotals(const Counts& header);

  // Warns that the dump is truncated. `lost` says what is therefore ignored.
  void WarnTruncated(std::string_view lost,
                     WarningKind kind = WarningKind::kTruncated);

 private:
  struct CachedEstimate {
    Count count;
    Unbiased result;
  };

  static constexpr int kCacheBits = 8;
  static constexpr size_t kFirstChecked = size_t{1} << 13;  // stacks

  static size_t CacheSlot(const Count& count) {
    const uint64_t mixed =
        (count.objects ^ std::rotl(count.bytes, 32)) * kHashMultiplier;
    return static_cast<size_t>(mixed >> (64 - kCacheBits));
  }
  template <typename T>
  void GrowTable(size_t rows, size_t bytes, std::vector<T>& table) const;
  void GrowTables(const Profile& next, size_t bytes);
  bool IsPlausible(const Count& count) const;
  Unbiased Estimate(const Count& count);
  // Returns the memory map, whose marker was read last. Warns of a dump after
  // it, as in files that were joined.
  std::string_view MapText();
  std::string_view WithoutAddedSymbols(std::string_view text);

  DumpSource source_;
  Diagnostics& diagnostics_;
  LineCursor cursor_;
  ProfileBuilder builder_;
  size_t reserved_for_ = 0;    // bytes of text
  size_t appended_bytes_ = 0;  // of text, that Append() has added
  bool repeats_stacks_ = false;
  size_t checked_stacks_ = kFirstChecked;  // how many, at the last comparison
  SampleLimit sample_limit_;
  SampleLimit thread_sample_limit_;
  bool are_merged_ = true;  // the samples, as far as CheckSamples() saw them
  Scaling scaling_ = Scaling::kNone;
  double period_ = 1;
  StackReader stacks_;
  std::array<CachedEstimate, size_t{1} << kCacheBits> cache_;
  size_t unknown_lines_ = 0;
  std::vector<std::string> unknown_words_;  // how some of them begin
  bool has_maps_ = false;
  bool truncated_ = false;
};

}  // namespace heapprof
