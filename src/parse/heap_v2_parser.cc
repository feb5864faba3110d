// SPDX-License-Identifier: Apache-2.0
#include "parse/heap_v2_parser.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/merge_samples.h"
#include "heapprof/profile/profile_builder.h"
#include "parse/dump_reader.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

constexpr std::string_view kHeader = "heap_v2/";
// jemalloc 4.0 to 5.2.1 formats each header line in a buffer of this many
// characters. If a thread name does not fit, the rest of the name is lost, and
// so is the newline. The next header line then follows on the same line.
constexpr size_t kGluedLineLength = 127;

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
    reader_.CheckTotals(totals_);
    reader_.ReadMaps();
    return std::move(builder_).Finish();
  }

 private:
  Result<void> ReadHeader() {
    const auto line = cursor_.Next().value_or("");
    TextScanner in(line);
    const auto period = in.Eat(kHeader) ? in.Decimal() : std::nullopt;
    if (!period || *period == 0 || !in.AtEnd()) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}:{}: expected 'heap_v2/<sampling period>', "
                              "found '{:.60}'",
                              reader_.name(), reader_.LineNumber(), line));
    }
    builder_.profile().sampling_period = *period;
    reader_.SetScaling(Scaling::kV2, static_cast<double>(*period));
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
    if (!in.Eat('t')) {
      WarnMalformed(line);
    } else {
      ReadCountLine(in, line);
    }
    return {};
  }

  // Reads a line of the dump's header. It has several header lines if long
  // thread names have lost their newlines (see kGluedLineLength).
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

  // Reads a header line, such as "t1: 36: 33517 [0: 0] worker one". The last
  // `tail_size` characters of `line` do not belong to the name. Ignores the
  // counts of a thread, because those that current versions of jemalloc write
  // in the header do not add up to the total.
  void ReadHeaderThread(TextScanner in, std::string_view line,
                        size_t tail_size) {
    const bool is_total = in.Eat('*');
    const auto uid = is_total ? std::optional<uint64_t>(0) : in.Decimal();
    const auto counts =
        uid && in.Eat(':') ? ReadCounts(in, Signs::kRejected) : std::nullopt;
    if (is_total) {
      totals_ = counts.value_or(Counts());
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

  // Ends a record. Drops a record without a "t*" line, because it is truncated
  // or damaged and its counts are not known.
  void EndRecord(bool at_end_of_file) {
    if (record_ == Record::kOpen) {
      builder_.DiscardStack();
      if (!at_end_of_file) {
        diagnostics_.Warn(
            WarningKind::kMalformedRecord,
            fmt::format("{}:{}: the record has no 't*' line and is ignored",
                        reader_.name(), record_line_));
      } else if (!reader_.truncated()) {
        reader_.WarnTruncated("its last record");
      }
    }
    pending_threads_.clear();
    record_ = Record::kNone;
  }

  void ReadCountLine(TextScanner in, std::string_view line) {
    const bool is_total = in.Eat('*');
    const auto uid = is_total ? std::optional<uint64_t>(0) : in.Decimal();
    if (!uid || !in.Eat(':')) return WarnMalformed(line);
    const auto counts = ReadCounts(in, Signs::kRejected);
    if (!counts) return WarnMalformed(line);
    if (record_ == Record::kSkipped) return;
    const Values values = reader_.Estimates(*counts);
    if (!is_total) {
      AddThread(*uid, values);
      return;
    }
    if (record_ == Record::kOpen) {
      stack_ = builder_.InternStack();
      record_ = Record::kClosed;
      for (Sample& sample : pending_threads_) {
        sample.stack = stack_;
        reader_.AddThreadSample(sample);
      }
      pending_threads_.clear();
    }
    if (!values.AllZero())
      reader_.AddSample({.stack = stack_, .values = values});
  }

  void AddThread(uint64_t uid, const Values& values) {
    if (values.AllZero()) return;
    auto [it, added] = threads_.try_emplace(uid);
    if (added) it->second = builder_.InternThread(uid, "");
    const Sample sample = {
        .stack = stack_, .thread = it->second, .values = values};
    if (record_ == Record::kClosed) {
      reader_.AddThreadSample(sample);
    } else {
      pending_threads_.push_back(sample);
      pending_limit_.Enforce(pending_threads_);
    }
  }

  void WarnMalformed(std::string_view line) {
    diagnostics_.Warn(WarningKind::kMalformedLine,
                      fmt::format("{}:{}: expected '@ <addresses>' or 't<id>: "
                                  "<objects>: <bytes> [<objects>: <bytes>]', "
                                  "found '{:.60}'",
                                  reader_.name(), reader_.LineNumber(), line));
  }
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
  std::unordered_map<uint64_t, ThreadId> threads_;
  std::vector<Sample> pending_threads_;  // thread lines before the "t*" line
  SampleLimit pending_limit_;
  StackId stack_;
  Record record_ = Record::kNone;
  size_t record_line_ = 0;
  bool in_header_ = true;
};

}  // namespace

Result<Profile> ParseHeapV2(const DumpSource& source,
                            Diagnostics& diagnostics) {
  return HeapV2Parser(source, diagnostics).Parse();
}

}  // namespace heapprof
