// SPDX-License-Identifier: Apache-2.0
#include "parse/pprof_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/base/split.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/merge_samples.h"
#include "heapprof/profile/pprof_fields.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/stats/unbias.h"
#include "parse/pprof_tables.h"
#include "parse/shared_seeds_note.h"
#include "parse/wire_cursor.h"

namespace heapprof {
namespace {

struct TypeName {
  std::string_view type;
  Metric metric;
};
// The sample types that are read, and the metric of each. pprof writes "space"
// and "objects" when it converts a text dump that has no accumulated counts,
// and so does tcmalloc; mimalloc writes "inuse_bytes" and "alloc_bytes".
constexpr TypeName kTypes[] = {
    {"inuse_space", Metric::kInuseSpace},
    {"inuse_objects", Metric::kInuseObjects},
    {"alloc_space", Metric::kAllocSpace},
    {"alloc_objects", Metric::kAllocObjects},
    {"inuse_bytes", Metric::kInuseSpace},
    {"alloc_bytes", Metric::kAllocSpace},
    {"space", Metric::kInuseSpace},
    {"objects", Metric::kInuseObjects},
};

// The sample types of the counts that the dump recorded. Only a baseline has
// them: a pprof profile that heapprof writes for later comparisons, with these
// counts in addition to the estimates.
constexpr TypeName kRecordedTypes[] = {
    {"sampled_inuse_space", Metric::kInuseSpace},
    {"sampled_inuse_objects", Metric::kInuseObjects},
    {"sampled_alloc_space", Metric::kAllocSpace},
    {"sampled_alloc_objects", Metric::kAllocObjects},
};

// A ValueType message. Its numbers are indices into the string table.
struct ValueType {
  uint64_t type = 0;
  uint64_t unit = 0;
};

ValueType ReadValueType(const WireField& field) {
  using enum ValueTypeFields::Number;
  ValueType value;
  WireCursor cursor(field.bytes, field.offset);
  while (const auto part = cursor.Next()) {
    if (part->number == kType) value.type = part->value;
    if (part->number == kUnit) value.unit = part->value;
  }
  return value;
}

class Reader {
  using enum ProfileFields::Number;

 public:
  Reader(std::string_view bytes, const std::string& name,
         const ParseOptions& options, Diagnostics& diagnostics)
      : bytes_(bytes),
        name_(name),
        options_(options),
        diagnostics_(diagnostics),
        tables_(bytes, name, builder_, diagnostics) {}

  Result<Profile> Read() {
    counts_ = CountFields(bytes_);
    if (!counts_.problem.empty())
      diagnostics_.Warn(
          WarningKind::kTruncated,
          fmt::format(
              "{}: {}; the file ends there, and the report lacks the rest",
              name_, counts_.problem));
    tables_.Read(counts_);
    ReadHeader();
    if (auto ok = CheckTypes(); !ok) return std::unexpected(ok.error());
    Profile& profile = builder_.profile();
    const size_t expected = std::min(counts_.samples, SampleLimit::kAlways);
    profile.samples.reserve(expected);
    profile.stacks.reserve(expected + 1);
    WireCursor cursor(bytes_, 0);
    while (const auto field = cursor.Next())
      if (field->number == kSample && field->has_bytes) ReadSample(*field);
    if (auto ok = CheckSamples(); !ok) return std::unexpected(ok.error());
    // One row for a stack, not one for each of its threads.
    if (!profile.thread_samples.empty()) MergeEqualSamples(profile.samples);
    profile.is_symbolized = false;
    profile.has_memory_map = true;
    profile.may_be_trimmed = true;
    return std::move(builder_).Finish();
  }

 private:
  void ReadHeader() {
    Profile& profile = builder_.profile();
    ValueType period_type;
    uint64_t period = 0;
    WireCursor cursor(bytes_, 0);
    while (const auto field = cursor.Next()) {
      if (field->number == kSampleType && field->has_bytes)
        AddType(ReadValueType(*field));
      if (field->number == kPeriodType && field->has_bytes)
        period_type = ReadValueType(*field);
      if (field->number == kPeriod && !field->has_bytes) period = field->value;
      if (field->number == kComment && !AppendNumbers(*field, comments_))
        comments_.clear();
      if (field->number == kTimeNanos && !field->has_bytes)
        profile.time_seconds =
            static_cast<int64_t>(field->value) / kNanosecondsPerSecond;
    }
    const bool in_bytes =
        tables_.FindString(period_type.unit).value_or("") == "bytes";
    const bool usable =
        in_bytes && period <= std::numeric_limits<int64_t>::max();
    profile.sampling_period = usable ? period : 0;
    if (profile.sampling_period == 0)
      profile.sampling_period = options_.sample_period;
    period_ = static_cast<double>(profile.sampling_period);
    for (const uint64_t comment : comments_) ReadComment(comment);
  }

  void AddType(const ValueType& value_type) {
    const auto name = tables_.FindString(value_type.type);
    has_nameless_type_ |= !name;
    const std::string_view type = name.value_or("");
    const std::string_view unit =
        tables_.FindString(value_type.unit).value_or("");
    if (!type_list_.empty()) type_list_ += ", ";
    type_list_ += fmt::format("{}/{}", type, unit);
    auto& metric = metrics_.emplace_back();
    auto& recorded = recorded_.emplace_back();
    if (const auto it =
            std::ranges::find(kRecordedTypes, type, &TypeName::type);
        it != std::end(kRecordedTypes))
      recorded = it->metric;
    metric = MetricOf(type, unit);
    if (metric)
      known_[static_cast<size_t>(*metric)] = true;
    else if (!recorded)
      AddFurtherType(type, unit);
  }

  // Returns the metric as which a sample type is read; none if it is not read.
  std::optional<Metric> MetricOf(std::string_view type,
                                 std::string_view unit) const {
    if (!options_.sample_type.empty()) {
      const bool is_chosen = type == options_.sample_type && unit == "bytes";
      return is_chosen ? std::optional(Metric::kInuseSpace) : std::nullopt;
    }
    const auto it = std::ranges::find(kTypes, type, &TypeName::type);
    if (it == std::end(kTypes) || Knows(it->metric)) return std::nullopt;
    const std::string_view wanted =
        IsObjectCount(it->metric) ? "count" : "bytes";
    return unit == wanted ? std::optional(it->metric) : std::nullopt;
  }

  void AddFurtherType(std::string_view type, std::string_view unit) {
    constexpr size_t kMost = 50;
    auto& types = builder_.profile().more_sample_types;
    if (types.size() < kMost)
      types.push_back(fmt::format("{:.100}/{:.100}", type, unit));
  }

  bool Knows(Metric metric) const {
    return known_[static_cast<size_t>(metric)];
  }

  Result<void> CheckTypes() {
    const bool inuse = Knows(Metric::kInuseSpace);
    const bool alloc = Knows(Metric::kAllocSpace);
    if (!inuse && !alloc && has_nameless_type_)
      return Fail(ErrorKind::kNoData,
                  fmt::format("{}: the end of the file is missing, with the "
                              "names of everything in it",
                              name_));
    if (!inuse && !options_.sample_type.empty())
      return Fail(ErrorKind::kNoData,
                  fmt::format("{}: --sample-type: expected {}/bytes, found {}",
                              name_, options_.sample_type, type_list_));
    if (!inuse && !alloc) {
      return Fail(
          ErrorKind::kNoData,
          fmt::format("{}: expected a heap profile with the sample type "
                      "inuse_space/bytes or alloc_space/bytes, found {}{}",
                      name_, type_list_.empty() ? "none" : type_list_,
                      counts_.problem.empty() ? "" : " before the file ends"));
    }
    Profile& profile = builder_.profile();
    profile.has_inuse = inuse;
    profile.has_accumulated = alloc;
    profile.has_object_counts = (!inuse || Knows(Metric::kInuseObjects)) &&
                                (!alloc || Knows(Metric::kAllocObjects));
    return {};
  }

  void ReadSample(const WireField& field) {
    using enum SampleFields::Number;
    ids_.clear();
    values_.clear();
    run_ = 0;
    thread_uid_.reset();
    thread_name_ = {};
    Sample sample;
    WireCursor cursor(field.bytes, field.offset);
    while (const auto part = cursor.Next()) {
      bool whole = true;
      if (part->number == kLocationId) whole = AppendNumbers(*part, ids_);
      if (part->number == kValue) whole = AppendNumbers(*part, values_);
      if (part->number == kLabel && part->has_bytes) ReadLabel(*part, sample);
      if (!whole)
        return DropSample(
            fmt::format("byte {}: expected whole numbers, found "
                        "the end of field {}",
                        part->offset, part->number));
    }
    if (!cursor.problem().empty()) return DropSample(cursor.problem());
    if (values_.size() != metrics_.size())
      return DropSample(fmt::format("byte {}: expected {} values, found {}",
                                    field.offset, metrics_.size(),
                                    values_.size()));
    frames_.clear();
    for (uint64_t id : ids_) {
      const auto location = tables_.FindLocation(id);
      if (!location)
        return DropSample(
            fmt::format("byte {}: no location has id {}", field.offset, id));
      frames_.push_back(*location);
    }
    sample.values = ValuesOf(sample.side == Side::kBase ? -1 : 1);
    AddSample(sample);
  }

  void AddSample(Sample sample) {
    const auto limit = builder_.profile().runs.now.size();
    sample.run = static_cast<uint16_t>(
        std::min<size_t>(run_, limit == 0 ? 0 : limit - 1));
    sample.stack = builder_.InternStack(frames_);
    const ThreadId thread = ThreadOfSample();
    // A baseline has samples of all threads together, too. In another profile,
    // they are the sums of the samples of threads.
    if (thread.IsNone() || !IsBaseline()) {
      builder_.AddSample(sample);
      sample_limit_.Enforce(builder_.profile().samples);
    }
    if (thread.IsNone()) return;
    sample.thread = thread;
    builder_.AddThreadSample(sample);
    thread_sample_limit_.Enforce(builder_.profile().thread_samples);
  }

  // Returns the thread that the labels of the sample name; none if they name
  // none.
  ThreadId ThreadOfSample() {
    if (thread_uid_) return builder_.InternThread(*thread_uid_, thread_name_);
    const auto uid =
        IsBaseline() ? std::nullopt : ParseNumber<uint64_t>(thread_name_);
    return uid ? builder_.InternThread(*uid, "") : ThreadId();
  }

  // Reads a label of a sample. pprof gives the label "pprof::base" to samples
  // of the profile that is subtracted. heapprof's --proto writes "lifetime"
  // and, if asked to, the thread. Baselines also have labels for the thread of
  // a sample and for its run, the number of the dump from which it comes.
  void ReadLabel(const WireField& field, Sample& sample) {
    using enum LabelFields::Number;
    std::string_view key, value;
    std::optional<uint64_t> number;
    WireCursor cursor(field.bytes, field.offset);
    while (const auto part = cursor.Next()) {
      if (part->number == kKey)
        key = tables_.FindString(part->value).value_or("");
      if (part->number == kText)
        value = tables_.FindString(part->value).value_or("");
      if (part->number == kNumber && !part->has_bytes) number = part->value;
    }
    // mimalloc gives each sample the number of its thread.
    if (key == kThreadLabel && number) thread_uid_ = number;
    if (key == kBaseLabel && value == "true") sample.side = Side::kBase;
    if (key == kLifetimeLabel) sample.lifetime = FindLifetime(value);
    if (key == kThreadUidLabel) thread_uid_ = ParseNumber<uint64_t>(value);
    if (key == (IsBaseline() ? kThreadNameLabel : kThreadLabel))
      thread_name_ = value;
    if (key == kRunLabel && IsBaseline())
      run_ = ParseNumber<uint64_t>(value).value_or(0);
  }

  bool IsBaseline() const {
    return std::ranges::any_of(
        recorded_, [](const auto& metric) { return metric.has_value(); });
  }

  // Reads what heapprof states in a comment. Ignores any other comment. `index`
  // is the comment's index in the string table.
  void ReadComment(uint64_t index) {
    const std::string_view text = tables_.FindString(index).value_or("");
    ReadThreadStacks(text);
    if (text == kSharedSeedsComment) NoteSharedSeeds(name_, diagnostics_);
  }

  // Reads the comment in which a baseline states how many thread stacks each of
  // its runs had.
  void ReadThreadStacks(std::string_view text) {
    if (!IsBaseline() || !text.starts_with(kThreadStacksComment) ||
        !builder_.profile().runs.now.empty())
      return;
    text.remove_prefix(kThreadStacksComment.size());
    Profile& profile = builder_.profile();
    auto& runs = profile.runs.now;
    uint32_t sum = 0;
    for (const std::string& part : SplitNonEmpty(text, ' ')) {
      const auto number = ParseNumber<uint64_t>(part);
      if (!number || runs.size() == kMostBaselineRuns) break;
      const auto stacks = static_cast<uint32_t>(
          std::min<uint64_t>(*number, std::numeric_limits<uint16_t>::max()));
      runs.push_back({.sampling_period = profile.sampling_period,
                      .thread_stacks = stacks});
      sum += stacks;
    }
    profile.thread_stacks.now = sum;
  }

  Values ValuesOf(double sign) const {
    std::array<double, kMetricCount> numbers = {};
    std::array<double, kMetricCount> counts = {};
    for (size_t i = 0; i < values_.size(); ++i) {
      const auto value = static_cast<double>(static_cast<int64_t>(values_[i]));
      if (metrics_[i])
        numbers[static_cast<size_t>(*metrics_[i])] = sign * value;
      if (recorded_[i]) counts[static_cast<size_t>(*recorded_[i])] = value;
    }
    Values values;
    const auto set = [&](Metric objects, Metric bytes) {
      const double count = counts[static_cast<size_t>(objects)];
      const double size = counts[static_cast<size_t>(bytes)];
      const Unbiased pair =
          count > 0 && size > 0 && period_ > 0
              ? Unbias(count, size, period_)
              : WithVariance(numbers[static_cast<size_t>(objects)],
                             numbers[static_cast<size_t>(bytes)], period_);
      values[objects] = pair.objects;
      values[bytes] = pair.bytes;
    };
    set(Metric::kInuseObjects, Metric::kInuseSpace);
    set(Metric::kAllocObjects, Metric::kAllocSpace);
    return values;
  }

  void DropSample(std::string reason) {
    ++dropped_;
    tables_.WarnOfDamage(std::move(reason));
  }

  Result<void> CheckSamples() {
    if (dropped_ == 0) return {};
    if (dropped_ == counts_.samples) {
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: none of {} samples is complete; {}", name_,
                              dropped_, tables_.first_damage()));
    }
    diagnostics_.Warn(WarningKind::kSamplesLeftOut,
                      fmt::format("{}: {} of {} samples {} damaged and "
                                  "ignored, so the totals are too small",
                                  name_, dropped_, counts_.samples,
                                  dropped_ == 1 ? "is" : "are"));
    return {};
  }

  std::string_view bytes_;
  const std::string& name_;
  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  ProfileBuilder builder_;
  PprofTables tables_;
  PprofCounts counts_;

  // The metric of each of a sample's values; none if its type is unknown.
  std::vector<std::optional<Metric>> metrics_;
  // Like metrics_, but for the types in kRecordedTypes.
  std::vector<std::optional<Metric>> recorded_;
  std::array<bool, kMetricCount> known_ = {};
  std::string type_list_;           // for an error message
  bool has_nameless_type_ = false;  // lacks a string that a type refers to
  double period_ = 0;
  size_t dropped_ = 0;
  std::vector<uint64_t> comments_;  // indexes of strings
  // The data of the sample that is being read.
  std::vector<uint64_t> ids_;
  std::vector<uint64_t> values_;
  std::vector<LocationId> frames_;
  uint64_t run_ = 0;
  std::optional<uint64_t> thread_uid_;
  std::string_view thread_name_;
  SampleLimit sample_limit_;
  SampleLimit thread_sample_limit_;
};

}  // namespace

Result<Profile> ReadPprof(std::string_view bytes, const std::string& name,
                          const ParseOptions& options,
                          Diagnostics& diagnostics) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected at most 2 GiB, the limit of the "
                            "pprof format, found {} bytes",
                            name, bytes.size()));
  }
  return Reader(bytes, name, options, diagnostics).Read();
}

}  // namespace heapprof
