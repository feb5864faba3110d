// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/speedscope.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "heapprof/base/text_table.h"
#include "heapprof/profile/thread_name.h"
#include "heapprof/view/metric_words.h"
#include "report/json_values.h"

namespace heapprof {
namespace {

// Calls `append` for each element, with a comma between two.
template <typename Elements, typename Append>
void AppendList(ByteSink& out, const Elements& elements, Append append) {
  const char* separator = "";
  for (const auto& element : elements) {
    out.Append(separator);
    append(element);
    separator = ",";
  }
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const Profile& profile, const WeightedStacks& stacks,
                   ByteSink& out)
      : profile_(profile), stacks_(stacks), out_(out) {
    for (size_t i = 0; i < stacks.frames.size(); ++i)
      frame_ids_.Add(fmt::format(",{}", i));
  }

  void Write(const SpeedscopeOptions& options) {
    out_.Format(
        "{{\n\"$schema\": "
        "\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\": {},\n\"name\": {},\n\"activeProfileIndex\": {},\n"
        "\"shared\": {{\"frames\": [",
        QuotedJson(options.exporter), QuotedJson(options.name),
        IndexOfFirst(options.metric));
    AppendList(out_, stacks_.frames,
               [this](const WeightedFrame& frame) { AddFrame(frame); });
    out_.Append("]},\n\"profiles\": [");
    AppendList(out_, stacks_.series,
               [this](const StackSeries& series) { AddSeries(series); });
    out_.Append("]\n}\n");
  }

 private:
  // Returns the index of the series of this metric that is shown first: the
  // first one that is not empty, if there is any.
  size_t IndexOfFirst(Metric metric) const {
    const auto& all = stacks_.series;
    auto first = std::ranges::find_if(all, [metric](const StackSeries& series) {
      return series.metric == metric && !series.stacks.empty();
    });
    if (first == all.end())
      first = std::ranges::find(all, metric, &StackSeries::metric);
    return first == all.end() ? 0 : static_cast<size_t>(first - all.begin());
  }

  void AddFrame(const WeightedFrame& frame) {
    out_.Format("\n{{\"name\": {}", QuotedJson(frame.name));
    if (!frame.file.empty())
      out_.Format(", \"file\": {}", QuotedJson(frame.file));
    if (frame.line != 0) out_.Format(", \"line\": {}", frame.line);
    out_.Append("}");
  }

  void AddSeries(const StackSeries& series) {
    out_.Format(
        "\n{{\"type\": \"sampled\", \"name\": {}, \"unit\": \"{}\",\n"
        "\"startValue\": 0, \"endValue\": {},\n\"samples\": [",
        QuotedJson(NameOf(series)),
        IsObjectCount(series.metric) ? "none" : "bytes", series.total);
    AppendList(out_, series.stacks, [this](const WeightedStack& weighted) {
      AddStack(stacks_.stacks[weighted.stack]);
    });
    out_.Append("],\n\"weights\": [");
    AppendList(out_, series.stacks, [this](const WeightedStack& weighted) {
      const fmt::format_int digits(weighted.weight);
      out_.Append("\n");
      out_.Append({digits.data(), digits.size()});
    });
    out_.Append("]}");
  }

  void AddStack(const RowRange& frames) {
    constexpr size_t kMost = 1 + std::numeric_limits<uint32_t>::digits10 + 1;
    const size_t most = 3 + frames.count * kMost + TextTable::kChunk;
    out_.AppendBy(most, [&](char* to) {
      *to++ = '\n';
      char* const begin = to;
      for (const uint32_t frame :
           std::span(stacks_.frame_ids).subspan(frames.first, frames.count))
        to = frame_ids_.Write(frame, to);
      to = std::max(to, begin + 1);
      *begin = '[';  // instead of the first comma
      *to++ = ']';
      return to;
    });
  }

  // Returns "inuse_space", or "alloc_space, grew, t3 worker".
  std::string NameOf(const StackSeries& series) const {
    std::string name(MetricName(series.metric));
    if (series.sign == WeightSign::kNegative)
      name += ", shrank";
    else if (profile_.is_comparison)
      name += ", grew";
    if (series.thread.IsNone()) return name;
    const Thread& thread = profile_.threads[series.thread.index()];
    return name + ", " + ThreadTitle(thread.uid, profile_.String(thread.name));
  }

  const Profile& profile_;
  const WeightedStacks& stacks_;
  ByteSink& out_;
  TextTable frame_ids_;  // ",7", by index in stacks_.frames
};

}  // namespace

void WriteSpeedscope(const Profile& profile, const WeightedStacks& stacks,
                     const SpeedscopeOptions& options, ByteSink& out) {
  SpeedscopeWriter(profile, stacks, out).Write(options);
}

}  // namespace heapprof
