// SPDX-License-Identifier: Apache-2.0
#include "parse/flat_parser.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

constexpr double kUsualPeriod = 128 * 1024;

struct Sampling {
  Scaling scaling = Scaling::kNone;
  double period = 1;
  bool is_guess = false;  // true if the header states no period
};

// What the header states after its counts.
struct StatedSampling {
  std::string_view type = {};
  uint64_t period = 0;  // 0: not stated
};

// Reads "@ heap_v2/524288", all of which may be missing. Returns nothing if the
// period is too large.
std::optional<StatedSampling> ReadSampling(TextScanner in) {
  constexpr uint64_t kLargestPeriod = uint64_t{1} << 63;
  StatedSampling stated;
  in.SkipBlanks();
  if (!in.Eat('@')) return stated;
  in.SkipBlanks();
  const std::string_view type = in.Rest().substr(0, in.Rest().find('/'));
  in.Eat(type);
  stated.type = type.substr(0, type.find_last_not_of(" \t") + 1);
  if (!in.Eat('/') || !IsDigit(in.Peek())) return stated;
  const auto period = in.Decimal();
  if (!period || *period > kLargestPeriod) return std::nullopt;
  stated.period = *period;
  return stated;
}

Sampling SamplingOf(const StatedSampling& stated, const Counts& totals) {
  const auto& [type, period] = stated;
  Sampling sampling;
  if (type.empty()) {
    const bool same_pairs =
        totals.current.objects == totals.accumulated.objects &&
        totals.current.bytes == totals.accumulated.bytes;
    if (!same_pairs) return sampling;
    sampling.scaling = Scaling::kV1;
  } else if (type == "heapprofile" || !type.contains("heap")) {
    return sampling;
  } else {
    sampling.scaling = type.contains("_v2") ? Scaling::kV2 : Scaling::kV1;
  }
  sampling.is_guess = type.empty() || period == 0;
  if (sampling.is_guess) {
    sampling.period = kUsualPeriod;
  } else {
    sampling.period = static_cast<double>(period);
    if (sampling.scaling == Scaling::kV1) sampling.period /= 2;
  }
  return sampling;
}

// True for the text of Go's runtime, such as that of /debug/pprof/heap?debug=1:
// below the first record, a comment names each of its addresses.
bool IsFromGo(std::string_view records) {
  const size_t end = records.find('\n');
  return end != records.npos && records.substr(end + 1).starts_with("#\t0x");
}

class FlatParser {
 public:
  FlatParser(const DumpSource& source, Diagnostics& diagnostics)
      : reader_(source, diagnostics) {}

  Result<Profile> Parse() {
    if (reader_.options().min_age != 0) return LacksAges(reader_.name());
    const auto read = reader_.ReadRecords(
        [this] { return ReadHeader(); },
        [this](std::string_view line) { return ReadRecord(line); });
    if (!read) return std::unexpected(read.error());
    reader_.NoteUnknownLines();
    reader_.CheckTotals(totals_);
    reader_.ReadMaps();
    return std::move(reader_.builder()).Finish();
  }

 private:
  Result<void> ReadHeader() {
    const auto line = reader_.cursor().Next().value_or("");
    TextScanner in(line);
    const auto totals =
        in.Eat(kFlatStart) ? ReadCounts(in, Signs::kAccepted) : std::nullopt;
    const auto stated = totals ? ReadSampling(in) : std::nullopt;
    if (!stated || !reader_.cursor().terminated())
      return Fail(
          ErrorKind::kBadFormat,
          fmt::format("{}:{}: expected 'heap profile: <objects>: <bytes> "
                      "[<objects>: <bytes>] @ <type>/<sampling period>', "
                      "found '{:.80}'",
                      reader_.name(), reader_.LineNumber(), line));
    totals_ = *totals;
    Sampling sampling = SamplingOf(*stated, totals_);
    is_from_go_ =
        sampling.scaling == Scaling::kV1 && IsFromGo(reader_.cursor().rest());
    if (is_from_go_) {
      // Go writes the type and twice the period of gperftools, whose readers
      // halve it, but samples as jemalloc does.
      sampling.scaling = Scaling::kV2;
      reader_.diagnostics().Note(fmt::format(
          "{}: the text of a Go profile, whose names are not read; without "
          "debug=1, Go writes a pprof profile, which has them",
          reader_.name()));
    }
    SetSampling(sampling);
    return {};
  }

  void SetSampling(const Sampling& sampling) {
    reader_.SetScaling(sampling.scaling, sampling.period);
    reader_.builder().profile().sampling_period =
        std::max<uint64_t>(static_cast<uint64_t>(sampling.period), 1);
    if (!sampling.is_guess) return;
    reader_.diagnostics().Warn(
        WarningKind::kAssumedPeriod,
        fmt::format("{}:{}: no sampling period; assuming one sample per 128 "
                    "KiB, the default of old servers",
                    reader_.name(), reader_.LineNumber()));
  }

  Result<void> ReadRecord(std::string_view line) {
    TextScanner in(line);
    in.SkipBlanks();
    if (in.AtEnd()) return {};
    constexpr std::string_view kExpected =
        "'<objects>: <bytes> [<objects>: <bytes>] @ <addresses>'";
    const char first = in.Peek();
    if (is_from_go_ && first == '#') return {};
    if (first != '-' && !IsDigit(first)) {
      reader_.IgnoreUnknownLine(line, kExpected);
      return {};
    }
    const auto counts = ReadCounts(in, Signs::kAccepted);
    in.SkipBlanks();
    if (!counts || !in.Eat('@')) {
      reader_.WarnMalformed(line, kExpected);
      return {};
    }
    const auto has_stack = reader_.ReadStack(in);
    if (!has_stack) return std::unexpected(has_stack.error());
    if (!*has_stack) return {};
    const Values values = reader_.Estimates(*counts);
    if (values.AllZero()) {
      reader_.builder().DiscardStack();
    } else {
      const StackId stack = reader_.CloseStack();
      reader_.AddSample({.stack = stack, .values = values});
    }
    return {};
  }

  DumpReader reader_;
  Counts totals_;  // from the header
  bool is_from_go_ = false;
};

}  // namespace

Result<Profile> ParseFlat(const DumpSource& source, Diagnostics& diagnostics) {
  return FlatParser(source, diagnostics).Parse();
}

}  // namespace heapprof
