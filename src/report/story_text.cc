// SPDX-License-Identifier: Apache-2.0
#include "report/story_text.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

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
  if (!chain.percent_interval) return text;
  const auto& [lower, upper] = *chain.percent_interval;
  const double error = std::max(chain.percent - lower, upper - chain.percent);
  // "±57.6" of 42.4% tells no more, and looks wrong.
  if (error >= chain.percent) return text + " (few samples)";
  const std::string shown = fmt::format("±{:.1f}", error);
  if (shown != "±0.0") text += " " + shown;
  return text;
}

// Joins the names from `first` on. Leaves out `left_out` names after that one.
std::string JoinNames(std::span<const std::string> names, size_t first,
                      size_t left_out) {
  std::string text = first == 0 ? "" : "… → ";
  text += Printable(names[first]);
  if (left_out != 0) text += " → …";
  for (const std::string& name : names.subspan(first + 1 + left_out))
    text += " → " + Printable(name);
  return text;
}

// Joins the first and the last of `names`, shortened to `columns`: the longer
// one first. "between" may be left out.
std::string JoinShortened(std::span<const std::string> names, size_t first,
                          size_t left_out, size_t columns) {
  constexpr size_t kLeast = 16;
  std::vector<std::string> kept(names.begin(), names.end());
  for (std::string& name : kept) name = Printable(name);
  std::string text = JoinNames(kept, first, left_out);
  std::vector<std::string*> longest = {&kept[first], &kept.back()};
  if (Columns(*longest[0]) < Columns(*longest[1]))
    std::swap(longest[0], longest[1]);
  for (std::string* name : longest) {
    const size_t excess = Columns(text) - std::min(Columns(text), columns);
    const size_t wide = Columns(*name);
    *name = FitFunction(*name, std::max(kLeast, wide - std::min(wide, excess)));
    text = JoinNames(kept, first, left_out);
  }
  return text;
}

// Returns the chain from its frame `first` on, as ChainText() does.
std::string ChainFrom(const StoryChain& chain, size_t first, size_t used,
                      size_t width) {
  const auto fits = [&](std::string_view text) {
    return width == 0 || used + Columns(text) <= width;
  };
  std::string place;
  if (!chain.file.empty()) place = ", " + Printable(BaseName(chain.file));
  if (chain.line != 0) place += fmt::format(":{}", chain.line);
  const size_t count = chain.frames.size() - first;
  const size_t between = count - std::min<size_t>(count, 2);
  for (size_t left_out = 0; left_out <= between; ++left_out)
    if (std::string text = JoinNames(chain.frames, first, left_out) + place;
        fits(text))
      return text;
  return FitName(JoinShortened(chain.frames, first, between,
                               width - std::min(used, width)),
                 used, width);
}

// Returns the index of the first frame in which the chains differ; 0 if they
// do not differ.
size_t FirstDifference(const StoryChain& a, const StoryChain& b) {
  const auto [of_a, of_b] = std::ranges::mismatch(a.frames, b.frames);
  return of_a == a.frames.end() ? 0
                                : static_cast<size_t>(of_a - a.frames.begin());
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

std::vector<std::string> StoryAmounts(const std::vector<StoryChain>& story,
                                      bool is_comparison, Unit unit) {
  std::vector<std::string> amounts;
  for (const StoryChain& chain : story)
    amounts.push_back(StoryAmount(chain, is_comparison, unit));
  AlignAt(is_comparison ? ' ' : '%', amounts);
  return amounts;
}

std::string_view BeforeChain(const StoryChain& chain) {
  return chain.part_of ? "of it: " : "";
}

std::string ChainText(const StoryChain& chain, size_t used, size_t width) {
  return ChainFrom(chain, 0, used, width);
}

std::vector<std::string> StoryLines(const std::vector<StoryChain>& story,
                                    const StoryLayout& layout) {
  const std::vector<std::string> amounts =
      StoryAmounts(story, layout.is_comparison, layout.unit);
  size_t width = 0;
  for (const std::string& amount : amounts)
    width = std::max(width, Columns(amount));
  const auto text_from = [&](const StoryChain& chain, size_t first) {
    const std::string_view before = BeforeChain(chain);
    const size_t used = 2 + width + 2 + before.size();
    return std::string(before) + ChainFrom(chain, first, used, layout.columns);
  };
  std::vector<std::string> chains;
  for (const StoryChain& chain : story) chains.push_back(text_from(chain, 0));
  // What was left out of two lines may have been what told them apart.
  const std::vector<std::string> shortened = chains;
  for (size_t i = 0; i < story.size(); ++i)
    for (size_t other = 0; other < story.size(); ++other)
      if (other != i && shortened[other] == shortened[i])
        chains[i] =
            text_from(story[i], FirstDifference(story[i], story[other]));
  std::vector<std::string> lines;
  for (size_t i = 0; i < story.size(); ++i)
    lines.push_back(fmt::format("  {}{:{}}{}", amounts[i], "",
                                width - Columns(amounts[i]) + 2, chains[i]));
  return lines;
}

}  // namespace heapprof
