// SPDX-License-Identifier: Apache-2.0
#include "parse/heap_v2_parser.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <ranges>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/merge_samples.h"
#include "heapprof/profile/profile_builder.h"
#include "parse/dump_reader.h"
#include "parse/live_objects.h"
#include "parse/mixed_sizes.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

// jemalloc 4.0 to 5.2.1 formats each header line in a buffer of this many
// characters. If a thread name does not fit, the rest of the name is lost, and
// so is the newline. The next header line then follows on the same line.
constexpr size_t kGluedLineLength = 127;

// How deep the stacks of a dump are. Where jemalloc has recorded as many calls
// as it can, the outermost ones are missing. Deeper stacks show that its limit
// was another (prof_bt_max).
struct StackDepths {
  static constexpr uint32_t kMost = 128;

  double all = 0, cut = 0;  // live bytes
  uint32_t deepest = 0;     // in frames

  void Add(uint32_t depth, double bytes) {
    all += bytes;
    if (depth >= kMost) cut += bytes;
    deepest = std::max(deepest, depth);
  }
  void Add(const StackDepths& other) {
    all += other.all;
    cut += other.cut;
    deepest = std::max(deepest, other.deepest);
  }
};

class HeapV2Parser {
 public:
  HeapV2Parser(const DumpSource& source, Diagnostics& diagnostics)
      : reader_(source, diagnostics) {}

  Result<Profile> Parse() {
    const auto read = reader_.ReadRecords(
        [this] { return ReadHeader(); },
        [this](std::string_view line) { return ReadLine(line); });
    if (!read) return std::unexpected(read.error());
    EndRecord(/*at_end_of_file=*/!reader_.has_maps());
    if (!has_total_ && record_line_ == 0 && !reader_.has_maps() &&
        !reader_.truncated())
      reader_.WarnTruncated("its empty rest");
    reader_.NoteUnknownLines();
    if (auto aged = CheckAges(); !aged) return std::unexpected(aged.error());
    if (MinAge() == 0) reader_.CheckTotals(totals_);
    return Finish();
  }

  // The following functions read a dump in pieces, of which the first one has
  // the header, and the last one the memory map.

  // Makes room for the rows of all pieces.
  void ReserveRows(std::string_view all) { reader_.ReserveRows(all); }

  // Reads the header, and nothing else if a record begins on its own line.
  bool ReadHeaderOfPieces() {
    if (!ReadHeader()) return false;
    while (in_header_ && !cursor_.rest().starts_with('@')) {
      const auto line = reader_.NextRecordLine();
      if (!line || !ReadLine(*line)) return false;
    }
    return true;
  }

  // Goes on after the header that `first` has read.
  void ContinueAfterHeader(const HeapV2Parser& first) {
    const Profile& header = first.reader_.builder().profile();
    builder_.profile().sampling_period = header.sampling_period;
    period_ = first.period_;
    reader_.SetScaling(Scaling::kV2, period_);
    for (const Thread& thread : header.threads | std::views::drop(1))
      builder_.InternThread(thread.uid, header.String(thread.name));
    threads_ = first.threads_;
    in_header_ = false;
  }

  // Reads the records of this piece, as long as `goes_on` is true. Returns
  // false if they must be read together with those of the other pieces.
  bool ReadPiece(bool is_last, const std::atomic<bool>& goes_on) {
    while (const auto line = reader_.NextRecordLine())
      if (!ReadLine(*line) || !diagnostics_.empty() || reader_.HasAddedUp() ||
          !goes_on.load(std::memory_order_relaxed))
        return false;
    EndRecord(/*at_end_of_file=*/false);
    reader_.NoteUnknownLines();
    reader_.CheckSamples();
    return reader_.has_maps() == is_last && diagnostics_.empty() &&
           !reader_.HasAddedUp();
  }

  // Adds what the parser of the next piece has read. Returns false if there is
  // too much.
  bool Append(const HeapV2Parser& next, unsigned jobs) {
    if (!reader_.Append(next.reader_, jobs)) return false;
    Profile& profile = builder_.profile();
    const Profile& added = next.reader_.builder().profile();
    profile.has_accumulated |= added.has_accumulated;
    profile.lists_objects |= added.lists_objects;
    for (const SlabClass& slabs : added.slab_classes)
      AddSlabs(slabs, profile.slab_classes);
    mixed_sizes_.Add(next.mixed_sizes_);
    depths_.Add(next.depths_);
    return true;
  }

  bool WouldHaveAddedUp(unsigned jobs) const {
    return reader_.WouldHaveAddedUp(jobs);
  }

  Profile Finish() {
    WarnMixedSizes();
    WarnCutStacks();
    reader_.ReadMaps();
    return std::move(builder_).Finish();
  }

 private:
  Result<void> ReadHeader() {
    const auto line = cursor_.Next().value_or("");
    const auto period = HeapV2Period(line);
    if (!period) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}:{}: expected 'heap_v2/<sampling period>', "
                              "found '{:.60}'",
                              reader_.name(), reader_.LineNumber(), line));
    }
    builder_.profile().sampling_period = *period;
    period_ = static_cast<double>(*period);
    reader_.SetScaling(Scaling::kV2, period_);
    if (!cursor_.terminated())
      reader_.WarnTruncated("everything after its header");
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
    if (IsCountLine(in)) {
      in.Eat('t');
      ReadCountLine(in, line);
    } else if (in.Eat("f:")) {
      ReadObject(in, line);
    } else if (in.Eat("frag_util:")) {
      ReadSlabLine(in, line);
    } else {
      reader_.IgnoreUnknownLine(line, kExpected);
    }
    return {};
  }

  // True for "t*", "t7" and damaged forms of these.
  static bool IsCountLine(TextScanner in) {
    if (!in.Eat('t')) return false;
    const char next = in.Peek();
    return next == '*' || next == ':' || IsDigit(next);
  }

  // Reads a line of the dump's header. It has several header lines if long
  // thread names have lost their newlines (see kGluedLineLength).
  Result<void> ReadHeaderLine(std::string_view line) {
    while (!line.empty()) {
      TextScanner in(line);
      in.SkipBlanks();
      if (in.Eat('@')) return ReadStack(in);
      if (!IsCountLine(in)) {
        reader_.IgnoreUnknownLine(line, kExpected);
        return {};
      }
      in.Eat('t');
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

  // Reads a header line, such as "t1: 36: 33517 [0: 0] worker one". The last
  // `tail_size` characters of `line` do not belong to the name. Ignores the
  // counts of a thread, because those that current versions of jemalloc write
  // in the header do not add up to the total.
  void ReadHeaderThread(TextScanner in, std::string_view line,
                        size_t tail_size) {
    const bool is_total = in.Eat('*');
    if (is_total && has_total_) return SkipRecordWithoutStack();
    const auto uid = is_total ? std::optional<uint64_t>(0) : in.Decimal();
    const auto counts =
        uid && in.Eat(':') ? ReadCounts(in, Signs::kRejected) : std::nullopt;
    if (is_total) {
      totals_ = counts.value_or(Counts());
      has_total_ = true;
      return;
    }
    if (!counts) return WarnMalformed(line);
    in.Eat(' ');
    std::string_view name = in.Rest();
    name.remove_suffix(std::min(tail_size, name.size()));
    threads_[*uid] = builder_.InternThread(*uid, name);
  }

  Result<void> ReadStack(TextScanner in) {
    in_header_ = false;
    record_line_ = reader_.LineNumber();
    const auto read = reader_.ReadStack(in);
    if (!read) return std::unexpected(read.error());
    record_ = *read ? Record::kOpen : Record::kSkipped;
    return {};
  }

  // Called at a second "t*" line, with which a record begins whose "@" line is
  // missing. Its counts must not be added to the record before it.
  void SkipRecordWithoutStack() {
    EndRecord(/*at_end_of_file=*/false);
    diagnostics_.Warn(
        WarningKind::kMalformedRecord,
        fmt::format("{}:{}: the record has no '@' line; it is ignored",
                    reader_.name(), reader_.LineNumber()));
    in_header_ = false;
    record_ = Record::kSkipped;
  }

  // Ends a record. Drops a record without a "t*" line, because it is truncated
  // or damaged and its counts are not known.
  void EndRecord(bool at_end_of_file) {
    if (record_ == Record::kClosed) AddSamples();
    if (record_ == Record::kOpen) {
      builder_.DiscardStack();
      if (!at_end_of_file) {
        diagnostics_.Warn(
            WarningKind::kMalformedRecord,
            fmt::format("{}:{}: the record has no 't*' line; it is ignored",
                        reader_.name(), record_line_));
      } else if (!reader_.truncated()) {
        reader_.WarnTruncated("its last record");
      }
    }
    total_values_ = {};
    counted_ = 0;
    thread_samples_.clear();
    if (!objects_.empty()) objects_.Clear();
    record_ = Record::kNone;
  }

  void ReadCountLine(TextScanner in, std::string_view line) {
    const bool is_total = in.Eat('*');
    const auto uid = is_total ? std::optional<uint64_t>(0) : in.Decimal();
    if (!uid || !in.Eat(':')) return WarnMalformed(line);
    const auto counts = ReadCounts(in, Signs::kRejected);
    if (!counts) return WarnMalformed(line);
    if (record_ == Record::kSkipped) return;
    // --raw gives each size of a stack's objects a line of its own.
    if (is_total && record_ == Record::kClosed && !reader_.is_symbolized())
      return SkipRecordWithoutStack();
    const Values values = reader_.Estimates(*counts);
    if (!is_total) {
      if (values.AllZero()) return;
      const ThreadId thread = ThreadOf(*uid);
      if (!reader_.options().with_thread_samples) return;
      thread_samples_.push_back({.thread = thread, .values = values});
      thread_limit_.Enforce(thread_samples_);
      return;
    }
    if (record_ == Record::kOpen) stack_ = reader_.CloseStack();
    record_ = Record::kClosed;
    total_values_ += values;
    mixed_sizes_.Add(counts->current, values[Metric::kInuseSpace], period_);
    depths_.Add(builder_.profile().stacks[stack_.index()].count,
                values[Metric::kInuseSpace].value);
    counted_ += counts->current.objects;
  }

  ThreadId ThreadOf(uint64_t uid) {
    auto [it, added] = threads_.try_emplace(uid);
    if (added) it->second = builder_.InternThread(uid, "");
    return it->second;
  }

  void ReadObject(TextScanner in, std::string_view line) {
    const auto object = ReadLiveObject(in);
    if (!object)
      return reader_.WarnMalformed(
          line,
          "'f: <age> <requested size> <usable size> <size class> <arena> "
          "<thread>'");
    builder_.profile().lists_objects = true;
    ++listed_;
    if (record_ == Record::kSkipped || object->age < MinAge()) return;
    ++old_;
    objects_.Add(object->size, ThreadOf(object->thread_uid));
  }

  void ReadSlabLine(TextScanner in, std::string_view line) {
    const auto slabs = ReadSlabs(in);
    if (!slabs)
      return reader_.WarnMalformed(
          line,
          "'frag_util: <arena> <bin> <region size> <slab size> <regions per "
          "slab> <shards> <slabs> <regions> <slabs with room>'");
    AddSlabs(*slabs, builder_.profile().slab_classes);
  }

  // Adds the samples of a record that is complete. If its live objects are
  // listed, they replace the live part of its counts, whose scaling can use
  // only their mean size.
  void AddSamples() {
    const bool is_listed = !objects_.empty() && IsListed();
    if (is_listed || MinAge() != 0) {
      DropLive(total_values_);
      const std::vector<uint32_t> listed = objects_.Threads();
      for (Sample& sample : thread_samples_)
        if (MinAge() != 0 ||
            std::ranges::binary_search(listed, sample.thread.value))
          DropLive(sample.values);
    }
    if (!total_values_.AllZero())
      reader_.AddSample({.stack = stack_, .values = total_values_});
    for (Sample& sample : thread_samples_) {
      sample.stack = stack_;
      if (!sample.values.AllZero()) reader_.AddThreadSample(sample);
    }
    if (!is_listed) return;
    for (const Sample& sample : objects_.Samples(stack_, period_))
      reader_.AddSample(sample);
    if (!reader_.options().with_thread_samples) return;
    for (const Sample& sample : objects_.ThreadSamples(stack_, period_))
      reader_.AddThreadSample(sample);
  }

  // Returns false if many more objects of the record are listed than it counts.
  // A few more are not damage, because the dump is not atomic.
  bool IsListed() {
    constexpr uint64_t kFew = 16;
    if (objects_.count() / 2 <= counted_ + kFew) return true;
    diagnostics_.Warn(
        WarningKind::kImplausibleCount,
        fmt::format("{}:{}: the record lists {} live objects but counts {}; "
                    "the list is ignored",
                    reader_.name(), record_line_, objects_.count(), counted_));
    return false;
  }

  // Drops what says nothing about objects of a certain age: how many were
  // allocated in all, too.
  void DropLive(Values& values) const {
    values[Metric::kInuseObjects] = values[Metric::kInuseSpace] = {};
    if (MinAge() != 0) values = {};
  }

  uint64_t MinAge() const { return reader_.options().min_age; }

  Result<void> CheckAges() {
    if (MinAge() == 0) return {};
    builder_.profile().has_accumulated = false;
    if (record_line_ == 0 || builder_.profile().lists_objects) {
      diagnostics_.Note(
          fmt::format("{}: --min-age leaves {} of {} sampled objects",
                      reader_.name(), old_, listed_));
      return {};
    }
    return LacksAges(reader_.name());
  }

  // Nothing is missing if live objects are listed with their sizes. Nor does a
  // symbolized dump lack anything if it is from --raw, which writes what every
  // reader scales to the right estimate; it has no mark of its origin.
  void WarnMixedSizes() {
    if (MinAge() != 0 || builder_.profile().lists_objects ||
        reader_.is_symbolized())
      return;
    const double missing = mixed_sizes_.Missing(totals_.current);
    if (missing == 0) return;
    constexpr double kMiB = 1 << 20;
    diagnostics_.Warn(
        WarningKind::kMixedSizes,
        fmt::format("{}: may lack up to {:.1f} MiB where small and large "
                    "objects have one stack: before 5.3, jemalloc writes only "
                    "their mean size; see 'heapprof help accuracy'",
                    reader_.name(), missing / kMiB));
  }

  void WarnCutStacks() {
    constexpr double kLeastShare = 0.01;
    const auto [all, cut, deepest] = depths_;
    if (deepest != StackDepths::kMost || cut < kLeastShare * all || cut == 0)
      return;
    constexpr double kHundred = 100;
    diagnostics_.Warn(
        WarningKind::kCutStacks,
        fmt::format("{}: {:.0f}% is in stacks that were cut at {} calls",
                    reader_.name(), kHundred * cut / all, deepest));
  }

  void WarnMalformed(std::string_view line) {
    reader_.WarnMalformed(line, kExpected);
  }

  static constexpr std::string_view kExpected =
      "'@ <addresses>' or 't<id>: <objects>: <bytes> [<objects>: <bytes>]'";

  enum class Record {
    kNone,     // before the first record
    kOpen,     // frames read, no "t*" line yet
    kClosed,   // "t*" line read; the stack is in the profile
    kSkipped,  // damaged: its counts are ignored
  };

  DumpReader reader_;
  LineCursor& cursor_ = reader_.cursor();
  ProfileBuilder& builder_ = reader_.builder();
  Diagnostics& diagnostics_ = reader_.diagnostics();
  Counts totals_;  // from the header's "t*" line
  bool has_total_ = false;
  std::unordered_map<uint64_t, ThreadId, RandomHash> threads_;
  double period_ = 1;
  MixedSizes mixed_sizes_;
  StackDepths depths_;
  // The current record: its "t*" line, its thread lines, and its objects.
  StackId stack_;
  Values total_values_;
  uint64_t counted_ = 0;
  std::vector<Sample> thread_samples_;
  SampleLimit thread_limit_;
  LiveObjects objects_;
  uint64_t listed_ = 0;  // live objects of all records
  uint64_t old_ = 0;     // those that are old enough
  Record record_ = Record::kNone;
  size_t record_line_ = 0;
  bool in_header_ = true;
};

// Cuts a dump into texts of about `size` bytes, each of which begins with a
// record, except for the first.
std::vector<std::string_view> CutAtRecords(std::string_view text, size_t size) {
  std::vector<std::string_view> pieces;
  while (text.size() > size + size / 2) {
    const size_t end = text.find("\n@", size);
    if (end == std::string_view::npos) break;
    pieces.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  pieces.push_back(text);
  return pieces;
}

// Returns the size of the pieces of a dump of `size` bytes. The rows of the
// first piece are never copied, so one piece for each thread is best; but what
// the other pieces take until they are added to the profile is additional
// memory. Those of a huge dump are so small that malloc reuses their memory.
// New pages for each would cost a fourth of the time.
size_t PieceSize(size_t size, unsigned jobs) {
  constexpr size_t kLargestPiece = size_t{64} << 20;
  constexpr size_t kReusedPiece = size_t{8} << 20;
  const size_t one_each = size / jobs;
  return one_each <= kLargestPiece ? one_each : kReusedPiece;
}

// Reads a large dump in pieces, on several threads. The result is the same as
// that of reading it whole. Returns nothing if it might not be: if there is
// damage, whose messages name the line in the whole dump, or equal samples or
// stacks, which are added up while a dump is read. They are both rare.
std::optional<Profile> ParseInPieces(const DumpSource& source,
                                     Diagnostics& diagnostics) {
  constexpr size_t kSmallestPiece = size_t{1} << 20;
  const unsigned jobs = source.options.jobs;
  const size_t size = source.text.size();
  if (jobs < 2 || size < 2 * kSmallestPiece || !source.text.ends_with('\n') ||
      source.options.min_age != 0)
    return std::nullopt;
  const std::vector<std::string_view> pieces = CutAtRecords(
      source.text, std::max(PieceSize(size, jobs), kSmallestPiece));
  if (pieces.size() < 2) return std::nullopt;
  const auto source_of = [&](size_t i) {
    DumpSource piece = source;
    piece.text = pieces[i];
    return piece;
  };
  std::vector<Diagnostics> found(pieces.size());
  HeapV2Parser header(source_of(0), found[0]);
  HeapV2Parser all(source_of(0), found[0]);
  all.ReserveRows(source.text);
  if (!header.ReadHeaderOfPieces() || !all.ReadHeaderOfPieces())
    return std::nullopt;
  std::vector<std::unique_ptr<HeapV2Parser>> parsers(pieces.size());
  std::atomic<bool> is_sound = true;
  const bool is_read = ForEachInTurn(
      pieces.size(), jobs,
      [&](size_t i) {
        if (i != 0) {
          parsers[i] = std::make_unique<HeapV2Parser>(source_of(i), found[i]);
          parsers[i]->ContinueAfterHeader(header);
        }
        HeapV2Parser& parser = i == 0 ? all : *parsers[i];
        if (!parser.ReadPiece(i + 1 == pieces.size(), is_sound))
          is_sound = false;
        if (source.options.on_read) source.options.on_read(pieces[i]);
      },
      [&](size_t i) {
        if (!is_sound) return false;
        return i == 0 ||
               all.Append(*std::exchange(parsers[i], nullptr), jobs - 1);
      },
      /*most_ahead=*/4 * jobs);
  if (!is_read || all.WouldHaveAddedUp(jobs)) return std::nullopt;
  Profile profile = all.Finish();
  diagnostics.Merge(found.front());
  return profile;
}

}  // namespace

std::optional<uint64_t> HeapV2Period(std::string_view line) {
  TextScanner in(line);
  const auto period = in.Eat(kHeapV2Start) ? in.Decimal() : std::nullopt;
  return period && *period != 0 && in.AtEnd() ? period : std::nullopt;
}

Result<Profile> ParseHeapV2(const DumpSource& source,
                            Diagnostics& diagnostics) {
  if (auto profile = ParseInPieces(source, diagnostics))
    return *std::move(profile);
  return HeapV2Parser(source, diagnostics).Parse();
}

}  // namespace heapprof
