// SPDX-License-Identifier: Apache-2.0
//
// The rows of a collapsed report: every distinct stack of full function names
// (or lines, files, ...), root first, with its value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/merged_stacks.h"

namespace heapprof {

// Returns the label of a frame without what would end the frame or the row, and
// without what a terminal might obey: ";" is replaced by ":", and control
// characters by "?" (see Printable()). An empty name is "??".
std::string FrameText(std::string label);

// Holds each label once, because the text of all stacks can be a hundred times
// as large as the profile.
struct StackTable {
  // The different labels, as FrameText() returns them, so that a report can
  // write each row on one line, with ";" between frames.
  std::vector<std::string> labels;
  // Indices of `labels`: the frames of one row after the other.
  std::vector<uint32_t> frames;
  // Unique, in byte order of the texts that a report writes: of the labels
  // joined with ";".
  std::vector<StackRow> rows;

  // Returns the frames of a row, root first, as indices of labels.
  std::span<const uint32_t> FramesOf(const StackRow& row) const {
    return std::span(frames).subspan(row.first, row.count);
  }
};

// The rows of given stacks, without values.
struct StackIndex {
  StackTable table;
  std::vector<uint32_t> row_of;    // by StackId: its row, or kNoRow
  std::vector<uint32_t> label_of;  // by label id of FrameLabels: its label
};

// `labels` must be plain (NameForm::kPlain).
StackIndex IndexStacks(const Profile& profile, std::span<const StackId> used,
                       const FrameLabels& labels);

StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity = Granularity::kFunctions);

}  // namespace heapprof
