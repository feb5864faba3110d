// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/speedscope.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/append_format.h"
#include "heapprof/view/info.h"
#include "report/json_parts.h"

namespace heapprof {
namespace {

std::string Quoted(std::string_view text) { return Serialized(Json(text)); }

// Calls `append` for each element, with a comma between two.
template <typename Elements, typename Append>
void AppendList(std::string& out, const Elements& elements, Append append) {
  const char* separator = "";
  for (const auto& element : elements) {
    out += separator;
    append(element);
    separator = ",";
  }
}

void AppendNumber(std::string& out, int64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const Profile& profile, const WeightedStacks& stacks)
      : profile_(profile), stacks_(stacks) {}

  std::string Write(const SpeedscopeOptions& options) && {
    AppendFormat(
        out_,
        "{{\n\"$schema\": "
        "\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\": {},\n\"name\": {},\n\"activeProfileIndex\": {},\n"
        "\"shared\": {{\"frames\": [",
        Quoted(options.exporter), Quoted(options.name),
        IndexOfFirst(options.metric));
    AppendList(out_, stacks_.frames,
               [this](const WeightedFrame& frame) { AddFrame(frame); });
    out_ += "]},\n\"profiles\": [";
    AppendList(out_, stacks_.series,
               [this](const StackSeries& series) { AddSeries(series); });
    out_ += "]\n}\n";
    return std::move(out_);
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
    AppendFormat(out_, "\n{{\"name\": {}", Quoted(frame.name));
    if (!frame.file.empty())
      AppendFormat(out_, ", \"file\": {}", Quoted(frame.file));
    if (frame.line != 0) AppendFormat(out_, ", \"line\": {}", frame.line);
    out_ += '}';
  }

  void AddSeries(const StackSeries& series) {
    AppendFormat(out_,
                 "\n{{\"type\": \"sampled\", \"name\": {}, \"unit\": \"{}\",\n"
                 "\"startValue\": 0, \"endValue\": {},\n\"samples\": [",
                 Quoted(NameOf(series)),
                 IsObjectCount(series.metric) ? "none" : "bytes", series.total);
    AppendList(out_, series.stacks, [this](const WeightedStack& weighted) {
      AddStack(stacks_.stacks[weighted.stack]);
    });
    out_ += "],\n\"weights\": [";
    AppendList(out_, series.stacks, [this](const WeightedStack& weighted) {
      out_ += '\n';
      AppendNumber(out_, weighted.weight);
    });
    out_ += "]}";
  }

  void AddStack(const Run& frames) {
    out_ += "\n[";
    AppendList(out_,
               std::span(stacks_.frame_ids).subspan(frames.first, frames.count),
               [this](uint32_t frame) { AppendNumber(out_, frame); });
    out_ += ']';
  }

  // Returns "inuse_space", or "alloc_space, grew, t3 worker".
  std::string NameOf(const StackSeries& series) const {
    std::string name = MetricName(series.metric);
    if (series.sign == WeightSign::kNegative)
      name += ", shrank";
    else if (profile_.is_comparison)
      name += ", grew";
    if (series.thread.IsNone()) return name;
    const Thread& thread = profile_.threads[series.thread.index()];
    AppendFormat(name, ", t{}", thread.uid);
    if (!thread.name.IsNone())
      AppendFormat(name, " {}", profile_.String(thread.name));
    return name;
  }

  const Profile& profile_;
  const WeightedStacks& stacks_;
  std::string out_;
};

}  // namespace

std::string WriteSpeedscope(const Profile& profile,
                            const WeightedStacks& stacks,
                            const SpeedscopeOptions& options) {
  return SpeedscopeWriter(profile, stacks).Write(options);
}

}  // namespace heapprof
