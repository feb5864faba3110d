// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pprof.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/pprof_fields.h"
#include "heapprof/profile/program.h"
#include "report/pprof_baseline.h"
#include "report/pprof_samples.h"
#include "report/pprof_strings.h"
#include "report/pprof_tables.h"
#include "report/wire_message.h"

namespace heapprof {
namespace {

struct MetricType {
  Metric metric;
  PprofType name;
};
// The metrics, in the order of Go's heap profiles. Unless the profile names
// another default, readers show the last metric.
constexpr MetricType kMetricTypes[] = {
    {Metric::kAllocObjects, {"alloc_objects", "count"}},
    {Metric::kAllocSpace, {"alloc_space", "bytes"}},
    {Metric::kInuseObjects, {"inuse_objects", "count"}},
    {Metric::kInuseSpace, {"inuse_space", "bytes"}},
};

bool HasType(const Profile& profile, const PprofOptions& options,
             Metric metric) {
  const bool is_wanted =
      options.types.empty() ||
      std::ranges::find(options.types, metric) != options.types.end();
  return is_wanted && HasMetric(profile, metric);
}

class PprofWriter {
  using enum ProfileFields::Number;

 public:
  PprofWriter(const Profile& profile, const PprofOptions& options,
              ByteSink& out)
      : profile_(profile),
        options_(options),
        strings_(profile),
        tables_(profile, strings_),
        out_(out) {}

  Result<void> Write() {
    WriteTypes();
    WriteHeader();
    PutProgramFirst();
    const std::vector<PprofSample> samples =
        options_.is_baseline
            ? BaselineSamples(profile_, types_)
            : PprofSampleCollector(profile_, types_, tables_).Collect();
    for (const PprofSample& sample : samples) WriteSample(sample);
    tables_.Write(out_);
    strings_.Write(kStringTable, out_);
    if (out_.size() > static_cast<uint64_t>(std::numeric_limits<int>::max()))
      return Fail(ErrorKind::kIo,
                  "the profile is larger than the pprof format allows (2 GiB)");
    return {};
  }

 private:
  void WriteTypes() {
    if (options_.is_baseline)
      for (const PprofType& type : RecordedTypes(profile_)) {
        WriteType(kSampleType, type);
        ++type_count_;
      }
    for (const auto& [metric, type] : kMetricTypes) {
      if (!HasType(profile_, options_, metric)) continue;
      types_.push_back(metric);
      WriteType(kSampleType, type);
      ++type_count_;
      if (metric == options_.default_metric)
        out_.AddNumber(kDefaultSampleType, strings_.IndexOf(type.type));
    }
  }

  void WriteType(uint32_t field, const PprofType& type) {
    using enum ValueTypeFields::Number;
    row_.Clear();
    row_.AddNumber(kType, strings_.IndexOf(type.type));
    row_.AddNumber(kUnit, strings_.IndexOf(type.unit));
    out_.AddBytes(field, row_.bytes());
  }

  void WriteHeader() {
    WriteType(kPeriodType, {"space", "bytes"});
    out_.AddNumber(kPeriod, options_.is_baseline ? BaselinePeriod(profile_)
                                                 : profile_.sampling_period);
    out_.AddNumber(kTimeNanos, static_cast<uint64_t>(profile_.time_seconds *
                                                     kNanosecondsPerSecond));
    for (const std::string& comment : options_.comments)
      out_.AddNumber(kComment, strings_.IndexOf(comment));
    if (options_.is_baseline)
      out_.AddNumber(kComment, strings_.IndexOf(ThreadStacksComment(profile_)));
  }

  // Readers show the file of mapping 1 as their title.
  void PutProgramFirst() {
    const MappingId program = FirstProgramMapping(profile_);
    if (!program.IsNone()) tables_.IdOf(program);
  }

  void WriteSample(const PprofSample& sample) {
    using enum SampleFields::Number;
    row_.Clear();
    numbers_.clear();
    for (const LocationId frame : profile_.StackFrames(sample.sample->stack))
      numbers_.push_back(tables_.IdOf(frame));
    row_.AddNumbers(kLocationId, numbers_);
    numbers_.clear();
    for (size_t type = 0; type < type_count_; ++type)
      numbers_.push_back(static_cast<uint64_t>(sample.values[type]));
    row_.AddNumbers(kValue, numbers_);
    AddLabels(*sample.sample);
    if (options_.size_labels) AddSizeLabel(sample);
    out_.AddBytes(kSample, row_.bytes());
  }

  void AddLabels(const Sample& sample) {
    if (sample.side == Side::kBase) AddLabel(kBaseLabel, "true");
    if (sample.lifetime != Lifetime::kUnknown)
      AddLabel(kLifetimeLabel, LifetimeName(sample.lifetime));
    if (!sample.thread.IsNone())
      AddThreadLabels(profile_.threads[sample.thread.index()]);
    for (const auto& [key, value] : options_.labels) AddLabel(key, value);
    const bool has_runs = profile_.runs.now.size() > 1;
    if (options_.is_baseline && has_runs)
      AddLabel(kRunLabel, fmt::to_string(sample.run));
  }

  // Adds the name, which users look for, and the uid, which tells threads of
  // the same name apart.
  void AddThreadLabels(const Thread& thread) {
    const std::string uid = fmt::to_string(thread.uid);
    const std::string_view name = profile_.String(thread.name);
    if (!options_.is_baseline)
      AddLabel(kThreadLabel, name.empty() ? uid : name);
    if (options_.is_baseline || !name.empty()) AddLabel(kThreadUidLabel, uid);
    if (options_.is_baseline && !name.empty()) AddLabel(kThreadNameLabel, name);
  }

  // Adds the mean size of the objects, as pprof does when it reads a dump.
  void AddSizeLabel(const PprofSample& sample) {
    using enum LabelFields::Number;
    const int64_t size = MeanSize(sample);
    if (size == 0) return;
    label_.Clear();
    label_.AddNumber(kKey, strings_.IndexOf("bytes"));
    label_.AddNumber(kNumber, static_cast<uint64_t>(size));
    label_.AddNumber(kNumberUnit, strings_.IndexOf("bytes"));
    row_.AddBytes(SampleFields::kLabel, label_.bytes());
  }

  // Returns the mean size of the live objects or, without these counts, of all
  // objects; 0 if the sample types do not tell.
  int64_t MeanSize(const PprofSample& sample) const {
    const auto value_of = [&](Metric metric) {
      const auto type = std::ranges::find(types_, metric);
      return type == types_.end() ? 0
                                  : std::abs(sample.values[static_cast<size_t>(
                                        type - types_.begin())]);
    };
    for (const auto& [objects, bytes] :
         {std::pair(Metric::kInuseObjects, Metric::kInuseSpace),
          std::pair(Metric::kAllocObjects, Metric::kAllocSpace)})
      if (const int64_t count = value_of(objects); count != 0)
        return value_of(bytes) / count;
    return 0;
  }

  void AddLabel(std::string_view key, std::string_view text) {
    using enum LabelFields::Number;
    label_.Clear();
    label_.AddNumber(kKey, strings_.IndexOf(key));
    label_.AddNumber(kText, strings_.IndexOf(text));
    row_.AddBytes(SampleFields::kLabel, label_.bytes());
  }

  const Profile& profile_;
  const PprofOptions& options_;
  PprofStrings strings_;
  PprofTableWriter tables_;
  WireFile out_;
  std::vector<Metric> types_;  // the metrics among the sample types
  size_t type_count_ = 0;      // of all sample types
  // The message that is being encoded, and parts of it.
  WireMessage row_;
  WireMessage label_;
  std::vector<uint64_t> numbers_;
};

}  // namespace

Result<void> WritePprof(const Profile& profile, const PprofOptions& options,
                        ByteSink& out) {
  return PprofWriter(profile, options, out).Write();
}

}  // namespace heapprof
