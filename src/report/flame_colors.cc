// SPDX-License-Identifier: Apache-2.0
#include "report/flame_colors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "report/rgb.h"

namespace heapprof {
namespace {

constexpr std::string_view kDarkPage =
    "@media screen and (prefers-color-scheme:dark){\n";

// Converts from HSL: degrees, per cent and per cent.
Rgb RgbOf(int hue, int saturation, int lightness) {
  constexpr double kWhole = 100, kFull = 255, kSector = 30;
  const double light = lightness / kWhole;
  const double chroma = saturation / kWhole * std::min(light, 1 - light);
  const auto part = [&](double offset) {
    const double place = std::fmod(offset + hue / kSector, 12);
    const double slope = std::min({place - 3, 9 - place, 1.0});
    return kFull * (light - chroma * std::max(-1.0, slope));
  };
  return {part(0), part(8), part(4)};
}

// FNV-1a: the same text has the same colour in every picture.
uint32_t HashOf(std::string_view text) {
  uint32_t hash = 2166136261;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return hash;
}

// The range of hues of a palette, in degrees.
struct Hues {
  int first;
  int count;
};

Hues HuesOf(FlamePalette palette) {
  if (palette == FlamePalette::kMem) return {90, 88};
  if (palette == FlamePalette::kHot) return {0, 55};
  return {0, 360};
}

// Returns what decides on the hue: the file name of the module or, if there is
// none, the scope of the function.
std::string_view HueKeyOf(const TreeLabel& label) {
  if (!label.module.empty()) return BaseName(label.module);
  const std::string_view name = label.short_name;
  return name.substr(0, name.find("::"));
}

int HueOf(std::string_view key, Hues hues) {
  // Spreads hashes over the range.
  constexpr uint64_t kRange = uint64_t{1} << 32;
  const uint64_t hash = HashOf(key) * uint32_t{2654435761};
  return hues.first +
         static_cast<int>(hash * static_cast<uint64_t>(hues.count) / kRange);
}

// Returns the change of a frame; 0 if it may be a sampling error.
double ChangeValue(const FlameFrame& frame) {
  if (frame.change == FrameChange::kNone) return 0;
  return static_cast<double>(frame.total.now - frame.total.base);
}

constexpr int kLevels = 8;  // of changes in one direction

std::string ClassOfLevel(bool has_grown, int level) {
  return fmt::format("{}{}", has_grown ? 'g' : 's', level);
}

std::string ClassOfTint(bool has_grown) { return has_grown ? "gi" : "si"; }

}  // namespace

FlameColors::FlameColors(const FrameTree& tree, FlamePalette palette) {
  const bool knows_own = std::ranges::any_of(tree.labels, &TreeLabel::is_own);
  std::map<Color, size_t> known;
  for (const TreeLabel& label : tree.labels) {
    const Color color = ColorOf(label, palette, knows_own);
    const auto [it, added] = known.try_emplace(color, colors_.size());
    if (added) colors_.push_back(color);
    classes_.push_back(it->second);
  }
}

FlameColors::Color FlameColors::ColorOf(const TreeLabel& label,
                                        FlamePalette palette, bool knows_own) {
  constexpr int kShades = 3, kStep = 4;
  const bool is_pale =
      palette == FlamePalette::kOwn && knows_own && !label.is_own;
  // The darkest shades.
  Color color = is_pale        ? Color{0, 20, 83, 10, 22}
                : label.is_own ? Color{0, 75, 66, 55, 34}
                               : Color{0, 45, 74, 35, 28};
  if (palette == FlamePalette::kHot) color.saturation += 25;
  color.hue = HueOf(HueKeyOf(label), HuesOf(palette));
  const int shade = static_cast<int>(HashOf(label.name) % kShades);
  color.lightness += shade * kStep;
  color.dark_lightness += shade * kStep;
  return color;
}

std::string FlameColors::Rules() const {
  std::string rules;
  for (size_t i = 0; i < colors_.size(); ++i)
    AppendFormat(rules, ".c{}{{fill:{}}}\n", i,
                 HexColor(RgbOf(colors_[i].hue, colors_[i].saturation,
                                colors_[i].lightness)));
  rules += kDarkPage;
  for (size_t i = 0; i < colors_.size(); ++i)
    AppendFormat(rules, ".c{}{{fill:{}}}\n", i,
                 HexColor(RgbOf(colors_[i].hue, colors_[i].dark_saturation,
                                colors_[i].dark_lightness)));
  return rules + "}\n";
}

ChangeColors::ChangeColors(const FlameGraph& graph)
    : graph_(graph), inside_(graph.frames.size()) {
  // The frames that contain the current one, and itself.
  std::vector<size_t> open;
  const auto close_to = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back()) {
      if (open.size() < 2) continue;
      const size_t last = open.back();
      const double own = ChangeValue(graph.frames[last]);
      const double largest =
          std::abs(own) >= std::abs(inside_[last]) ? own : inside_[last];
      double& outer = inside_[open[open.size() - 2]];
      if (std::abs(largest) > std::abs(outer)) outer = largest;
    }
  };
  for (size_t i = 0; i < graph.frames.size(); ++i) {
    close_to(graph.frames[i].depth);
    open.push_back(i);
    largest_ = std::max(largest_, std::abs(ChangeValue(graph.frames[i])));
  }
  close_to(0);
}

std::string ChangeColors::ClassOf(uint32_t frame) const {
  if (ChangeValue(graph_.frames[frame]) != 0 || inside_[frame] == 0)
    return ClassOf(graph_.frames[frame]);
  return ClassOfTint(inside_[frame] > 0);
}

std::string ChangeColors::ClassOf(const FlameFrame& sum) const {
  const double change = ChangeValue(sum);
  if (change == 0) return std::string(kUnchanged);
  // The sum of several frames may be larger than each of them.
  const double share = std::min(1.0, std::abs(change) / largest_);
  return ClassOfLevel(
      change > 0,
      std::max(1, static_cast<int>(std::ceil(kLevels * std::sqrt(share)))));
}

std::string ChangeColors::Rules() {
  constexpr Rgb kWhite = {255, 255, 255}, kBlack = {20, 20, 20};
  constexpr Rgb kGrey = {212, 212, 212}, kDarkGrey = {72, 72, 72};
  constexpr double kPalest = 0.18, kTint = 0.25;
  const auto rules_on = [&](const Rgb& page, const Rgb& grey, double deepest) {
    std::string rules;
    const auto add = [&](std::string_view name, const Rgb& color) {
      AppendFormat(rules, ".{}{{fill:{}}}\n", name, HexColor(color));
    };
    for (const bool has_grown : {true, false}) {
      const Rgb& color = has_grown ? kGrownColor : kShrunkColor;
      for (int level = 1; level <= kLevels; ++level) {
        const double depth =
            kPalest + (deepest - kPalest) * (level - 1) / (kLevels - 1);
        add(ClassOfLevel(has_grown, level), Mix(page, color, depth));
      }
      add(ClassOfTint(has_grown), Mix(grey, color, kTint));
    }
    return rules;
  };
  constexpr double kDeepest = 1, kDeepestOnDark = 0.7;
  return rules_on(kWhite, kGrey, kDeepest) + std::string(kDarkPage) +
         rules_on(kBlack, kDarkGrey, kDeepestOnDark) + "}\n";
}

}  // namespace heapprof
