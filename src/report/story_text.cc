// SPDX-License-Identifier: Apache-2.0
#include "report/story_text.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "report/change_text.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

std::string ShareText(const StoryChain& chain) {
  std::string text = FormatShare(chain.percent);
  if (!chain.cell.interval || chain.value() == 0) return text;
  const auto& [lower, upper] = *chain.cell.interval;
  const std::string error = fmt::format(
      "±{:.1f}", std::abs(chain.percent / chain.value()) *
                     std::max(chain.value() - lower, upper - chain.value()));
  if (error != "±0.0") text += " " + error;
  return text;
}

// Leaves out this many functions after the first one.
std::string JoinNames(std::span<const std::string> names, size_t left_out) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == 1 && left_out != 0) text += " → …";
    if (i != 0 && i <= left_out) continue;
    text += (i == 0 ? "" : " → ") + Printable(names[i]);
  }
  return text;
}

// Inserts blanks so that the first `mark` of each text is in the same place.
void AlignAt(char mark, std::vector<std::string>& texts) {
  size_t place = 0;
  for (const std::string& text : texts)
    place = std::max(place, std::min(text.find(mark), text.size()));
  for (std::string& text : texts)
    text.insert(0, place - std::min(text.find(mark), place), ' ');
}

}  // namespace

std::string StoryAmount(const StoryChain& chain, bool is_comparison,
                        Unit unit) {
  if (!is_comparison) return ShareText(chain);
  std::string text = ChangeText(chain.value(), chain.cell.interval, unit);
  if (unit == Unit::kObjects) text += " objects";
  return text;
}

std::string ChainText(const StoryChain& chain, size_t used, size_t width) {
  const auto fits = [&](std::string_view text) {
    return width == 0 || used + Columns(text) <= width;
  };
  std::string place;
  if (!chain.file.empty())
    place = fmt::format(", {}:{}", Printable(BaseName(chain.file)), chain.line);
  const size_t between =
      chain.frames.size() - std::min<size_t>(chain.frames.size(), 2);
  for (size_t left_out = 0; left_out <= between; ++left_out)
    if (std::string text = JoinNames(chain.frames, left_out) + place;
        fits(text))
      return text;
  return FitName(JoinNames(chain.frames, between), used, width);
}

std::vector<std::string> StoryLines(const std::vector<StoryChain>& story,
                                    const StoryLayout& layout) {
  std::vector<std::string> amounts;
  for (const StoryChain& chain : story)
    amounts.push_back(StoryAmount(chain, layout.is_comparison, layout.unit));
  if (!layout.is_comparison) AlignAt('%', amounts);
  size_t width = 0;
  for (const std::string& amount : amounts)
    width = std::max(width, Columns(amount));
  std::vector<std::string> lines;
  for (size_t i = 0; i < story.size(); ++i) {
    std::string line = "  " + amounts[i];
    line.append(width - Columns(amounts[i]) + 2, ' ');
    line += ChainText(story[i], Columns(line), layout.columns);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace heapprof
